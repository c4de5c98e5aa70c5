"""The protocol of a sensor."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias

from outrider.core.frames import Pose
from outrider.core.state import Stateless
from outrider.messages.types import Message

Writer: TypeAlias = Callable[[int], Message]  # writes a measurement taken at that time (ns) down
FrameEntry: TypeAlias = tuple[str, str, Pose]  # parent, child, pose of the child in the parent


class Sensor(Stateless, Protocol):
    """Reads the state when it is due; writes messages only if somebody wants them.

    What has a body here is what most sensors do; inherit it. A sensor that remembers something
    from one measurement to the next, random streams included, has a state of its own.
    """

    frames: Sequence[FrameEntry] = ()  # further frames that it brings, for /tf_static
    exposes: ClassVar[bool] = False  # whether its measurements take a while: see ``expose``

    @staticmethod
    def looks_back(parameters: Any, rate_hz: float) -> float:  # noqa: ARG004 - most do not
        """Return the time before a measurement that it needs to know, in seconds."""
        return 0.0

    @property
    def outputs(self) -> Mapping[str, Writer]:
        """What it can say: one writer per output, most have one."""

    def sample(self, now_ns: int) -> None:
        """Take the measurement; called at every due time, wanted or not."""

    def expose(self, wanted: frozenset[str]) -> Callable[[str], Message]:
        """Begin what some outputs need, beside the simulation.

        The answer waits for it and writes an output down.
        """
        raise TypeError(f"{type(self).__name__} does not expose, so not {', '.join(wanted)}")


class SensorClass(Protocol):
    """What a sensor's class must tell of itself."""

    Parameters: ClassVar[type]  # a frozen dataclass: what its files may set
    types: ClassVar[dict[str, str]]  # output -> message type

    @staticmethod
    def looks_back(parameters: Any, rate_hz: float) -> float:
        """Return the time before a measurement that it needs to know, in seconds."""

    def __call__(self, parameters: Any, site: Any) -> Sensor:
        """Make one that stands at a ``Site``."""
