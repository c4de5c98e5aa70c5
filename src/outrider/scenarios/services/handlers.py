"""The handlers of a session's services."""

from outrider.scenarios.services.control import control_handlers, preparing_control
from outrider.scenarios.services.session import preparing_session, reset_with
from outrider.scenarios.session.session import Session
from outrider.sim.runner import Runner


def prepare(session: Session, runner: Runner) -> None:
    """Let a runner offer all services of a session, and follow what it changes."""
    session.renewed.append(runner.renew)
    runner.may_remove(session.remove)
    runner.more = control_handlers(session, runner.change)
    runner.beside, runner.beside_of_clients = (
        {
            **preparing_session(session, runner.status, of_client=of_client),
            **preparing_control(session, of_client=of_client),
            "reset": reset_with(session, runner.restarted),
        }
        for of_client in (False, True)
    )
