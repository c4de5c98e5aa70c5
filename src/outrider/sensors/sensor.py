"""What a sensor is."""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from outrider.messages.types import Message

Writer: TypeAlias = Callable[[int], Message]  # writes a measurement taken at that time (ns) down


class Sensor(Protocol):
    """Reads the state when it is due; writes messages only if somebody wants them."""

    @property
    def outputs(self) -> Mapping[str, Writer]:
        """What it can say: one writer per output, most have one."""

    def sample(self, now_ns: int) -> None:
        """Take the measurement; called at every due time, wanted or not."""

    def reset(self) -> None:
        """Forget everything, as at the start."""


class Exposing(Sensor, Protocol):
    """A sensor whose measurement takes a while, beside the simulation."""

    def expose(self, wanted: frozenset[str]) -> Callable[[str], Message]:
        """Begin what some outputs need; the answer waits for it and writes an output down."""
