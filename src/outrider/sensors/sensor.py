"""What a sensor is."""

from typing import Protocol

from outrider.messages.types import Message


class Sensor(Protocol):
    """Reads the state when it is due; writes a message only if somebody wants it."""

    def sample(self, now_ns: int) -> None:
        """Take the measurement; called at every due time, wanted or not."""

    def message(self, now_ns: int) -> Message:
        """Write the last measurement down."""

    def reset(self) -> None:
        """Forget everything, as at the start."""
