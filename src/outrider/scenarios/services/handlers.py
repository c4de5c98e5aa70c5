"""The handlers of a session's services."""

from outrider.scenarios.services.control import control_handlers
from outrider.scenarios.services.session import session_handlers
from outrider.scenarios.session.session import Session
from outrider.sim.runner import Runner


def prepare(session: Session, runner: Runner) -> None:
    """Let a runner offer all services of a session, and follow what it changes."""
    session.renewed.append(runner.renew)
    runner.restart = session.reset
    runner.more = {**session_handlers(session, runner.status), **control_handlers(session)}
