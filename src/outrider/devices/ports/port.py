"""The protocol of a port."""

from typing import Protocol


class Port(Protocol):
    """The simulator's end of a serial line. No call blocks."""

    @property
    def address(self) -> str:
        """What a program opens."""

    @property
    def connected(self) -> bool:
        """Whether a program has it open, as of the last ``read``."""

    @property
    def baud(self) -> int:
        """The speed that the program has set; 0 if it is not known."""

    def read(self) -> bytes:
        """Return what the program has sent since the last call."""

    def write(self, data: bytes) -> int:
        """Send as much as possible without blocking; return the number of bytes sent."""

    def close(self) -> None:
        """Close it and remove its name."""
