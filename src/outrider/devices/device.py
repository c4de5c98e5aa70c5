"""The protocol of a serial device: bytes in, bytes out, simulated time."""

from typing import ClassVar, Protocol


class Device(Protocol):
    """A device at the end of a serial line; all calls come from one thread."""

    kind: ClassVar[str]  # part of the port's name
    baud: int  # of the line as the device is set now

    def receive(self, data: bytes, now_ns: int, /) -> bytes:
        """Take received bytes, and return the immediate reply."""

    def tick(self, now_ns: int, /) -> bytes:
        """Return what the device sends unprompted; called a few hundred times a second."""

    def counts(self) -> dict[str, int]:
        """Return what was refused so far, by reason."""

    def close(self) -> None:
        """Stop listening to the simulation."""
