"""The stream of sensor packets: one frame every 15 ms."""

from dataclasses import dataclass

_EVERY_NS = 15_000_000
_HEADER = 19
_MOST_PACKETS = 108


@dataclass(slots=True)
class SensorStream:
    """Which packets are sent, and when the next frame is due."""

    header_in_sum: bool  # of the Create 2; the Create 1 leaves it out
    packets: tuple[int, ...] = ()
    paused: bool = False
    _next_ns: int = 0

    def begin(self, packets: tuple[int, ...], now_ns: int) -> None:
        """Send these packets from now on; an empty list ends the stream."""
        self.packets, self.paused, self._next_ns = packets[:_MOST_PACKETS], False, now_ns

    def due(self, now_ns: int) -> bool:
        """Return whether a frame is due; missed frames are skipped."""
        if not self.packets or self.paused:
            return False
        if now_ns < self._next_ns <= now_ns + _EVERY_NS:
            return False
        self._next_ns = max(self._next_ns + _EVERY_NS, now_ns - _EVERY_NS)
        if self._next_ns > now_ns + _EVERY_NS:  # time was set back
            self._next_ns = now_ns + _EVERY_NS
        return True

    def frame(self, body: bytes) -> bytes:
        """Return a frame of packets, each preceded by its number."""
        whole = bytes([_HEADER, len(body) & 0xFF]) + body
        summed = whole if self.header_in_sum else whole[1:]
        return whole + bytes([-sum(summed) & 0xFF])
