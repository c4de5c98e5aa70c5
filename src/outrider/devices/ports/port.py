"""What every port offers to the line behind it."""

from typing import Protocol


class Port(Protocol):
    """The near end of a serial line. Nothing here blocks."""

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
        """Send what fits now, and return how many bytes did."""

    def close(self) -> None:
        """End it; its name goes, too."""
