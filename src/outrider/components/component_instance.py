"""One component in a simulation."""

from collections.abc import Callable
from sys import modules

from outrider.components.catalogue import Plan
from outrider.components.handle import Handle
from outrider.components.scope import ComponentScope
from outrider.core.clock import Schedule
from outrider.core.state import State

_START_LIMIT_S = 10.0  # for reading files and the like


class ComponentInstance:
    """A component, its handle, and whether it has started or failed."""

    def __init__(
        self, plan: Plan, name: str, scope: ComponentScope, changed: Callable[[], None]
    ) -> None:
        self.plan = plan
        self.name = name
        self.handle = Handle(scope, plan.entry.on, name)
        self._changed = changed  # to be told when it begins again
        self.started = False
        self.fault = ""  # why it takes no part any more
        self.schedule = None if plan.entry.rate_hz is None else Schedule(plan.entry.rate_hz)

    @property
    def file(self) -> str:
        """The file that its class is written in."""
        module = modules.get(type(self.plan.component).__module__)
        return str(getattr(module, "__file__", None) or "")

    @property
    def title(self) -> str:
        """What it is called in sentences."""
        on = self.handle.on
        return f"component '{self.plan.class_name}' on {repr(on) if on else 'the world'}"

    def has(self, hook: str) -> bool:
        """Return whether it does anything in one of the methods."""
        return type(self.plan.component).has(hook)

    def call(self) -> Callable[[Handle], None]:
        """Return what is to be called in every step."""
        return self.plan.component.step if self.schedule is None else self._step_if_due

    def limit_s(self) -> float:
        """Return how long a call may take now, in wall time."""
        limit = self.plan.entry.limit_s
        return limit if self.started else max(limit, _START_LIMIT_S)

    def begin_again(self) -> None:
        """Be as before the start."""
        self.started, self.fault = False, ""
        self.handle.begin_again()
        if self.schedule is not None:
            self.schedule = Schedule(self.schedule.rate_hz)
        self._changed()

    def get_state(self) -> State:
        """Return how it goes on."""
        schedule = State() if self.schedule is None else self.schedule.get_state()
        return State(
            started=self.started,
            fault=self.fault,
            schedule=schedule,
            handle=self.handle.get_state(),
        )

    def set_state(self, state: State) -> None:
        """Go on from there."""
        self.started, self.fault = state.flag("started"), state.text("fault")
        if self.schedule is not None:
            self.schedule.set_state(state.part("schedule"))
        else:
            state.part("schedule")
        self.handle.set_state(state.part("handle"))
        self._changed()

    def _step_if_due(self, me: Handle) -> None:
        if self.schedule is not None and self.schedule.due(me.time_ns):
            self.plan.component.step(me)
