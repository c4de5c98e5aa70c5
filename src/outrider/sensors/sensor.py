"""The protocol of a sensor."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Pose
from outrider.messages.types import Message
from outrider.sensors.work import Work

Writer: TypeAlias = Callable[[int], Message]  # writes a measurement taken at that time (ns) down
FrameEntry: TypeAlias = tuple[str, str, Pose]  # parent, child, pose of the child in the parent


class Sensor(DeclaredState, Protocol):
    """Reads the state when it is due; creates messages only for subscribers.

    Methods with a body are defaults that suit most sensors; inherit them. A sensor that keeps
    anything between measurements, including random streams, must implement its state.
    """

    frames: Sequence[FrameEntry] = ()  # further frames that it brings, for /tf_static
    looks_ahead: ClassVar[bool] = False  # whether it works between measurements: see ``look_ahead``
    types: ClassVar[dict[str, str]] = {}  # output -> message type
    exposes: ClassVar[bool] = False  # whether its measurements take a while: see ``expose``

    @staticmethod
    def looks_back(_parameters: Any, _rate_hz: float, /) -> float:
        """Return how far back before a measurement it needs the history, in seconds."""
        return 0.0

    @staticmethod
    def work(_parameters: Any, _rate_hz: float, /) -> Work:
        """Return what one measurement costs; what clients add is bounded by it."""
        return Work()

    @property
    def outputs(self) -> Mapping[str, Writer]:
        """Its outputs: one message writer each; by default one, which ``message`` writes."""
        return dict.fromkeys(self.types, self.message)

    def message(self, _now_ns: int, /) -> Message:
        """Write the last measurement, for sensors with one output."""
        raise TypeError(f"{type(self).__name__} writes no message of its own")

    def sample(self, now_ns: int, /) -> None:
        """Take the measurement; called at every due time, with or without subscribers."""

    def look_ahead(self, _now_ns: int, /) -> None:
        """Prepare the next measurement on another core; called after every step if it is wanted.

        What is measured must not depend on it.
        """
        return

    def expose(self, wanted: frozenset[str]) -> Callable[[str], Message]:
        """Start work for some outputs in parallel with the simulation.

        The result waits for it and writes an output's message.
        """
        raise TypeError(f"{type(self).__name__} does not expose, so not {', '.join(wanted)}")


class SensorClass(Protocol):
    """What a sensor class must declare."""

    Parameters: ClassVar[type]  # a frozen dataclass: what its files may set
    types: ClassVar[dict[str, str]]  # output -> message type

    @staticmethod
    def looks_back(parameters: Any, rate_hz: float, /) -> float:
        """Return how far back before a measurement it needs the history, in seconds."""

    @staticmethod
    def work(parameters: Any, rate_hz: float, /) -> Work:
        """Return what one measurement costs; what clients add is bounded by it."""

    def __call__(self, parameters: Any, site: Any) -> Sensor:
        """Create one at a ``Site``."""
