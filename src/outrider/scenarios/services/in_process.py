"""The services of a session for Python code that steps the simulation itself."""

from outrider.bridges.any_service import named_service
from outrider.core.errors import ConfigError
from outrider.messages.services.reading import Answer, answering
from outrider.messages.services.table import service_row
from outrider.scenarios.services.handlers import prepare
from outrider.scenarios.session.session import Session
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Runner
from outrider.sim.start_poses import explaining


class Control:
    """Every service that a bridge offers, carried out immediately, with a client's methods.

    There is no loop but the caller's own: the run counts as paused.
    """

    def __init__(self, session: Session) -> None:
        if not isinstance(session, Session):
            raise ConfigError(
                "Control: expected a session such as o.Session(o.scenario('demo')), whose "
                f"simulation is session.simulation, got {type(session).__name__}"
            )
        runner = Runner(session.simulation, Pacer(0.0))
        runner.paused, runner.has_loop = True, False
        prepare(session, runner)
        self._services = {
            name: answering(service_row(name), handler)
            for name, handler in runner.handlers().items()
        }

    def services(self) -> list[str]:
        """List the services that can be called."""
        return sorted(self._services)

    def call(self, service: str, /, **arguments: object) -> Answer:
        """Call a service and return its reply."""
        with explaining():
            return named_service(self._services, service)(arguments)
