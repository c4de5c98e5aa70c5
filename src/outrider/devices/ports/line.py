"""A serial line: a device on one end, a port for programs on the other."""

from collections.abc import Callable
from typing import TypeAlias

from outrider.core.clock import NS_PER_S
from outrider.devices.device import Device
from outrider.devices.ports.port import Port

Log: TypeAlias = Callable[[str, bytes, int], None]  # direction, bytes, simulated time

_BITS = 10  # a byte on the wire: start, eight bits, stop
_MOST = 65536  # bytes that wait for a program; older ones go first
_BURST_NS = 5_000_000  # the wire's time between two looks at it


class Line:
    """Moves bytes between port and device.

    With ``paced``, bytes take as long as on the wire, and nothing gets through to or from a
    program that has set another baud rate than the device's.
    """

    def __init__(self, port: Port, device: Device, *, paced: bool, log: Log | None = None) -> None:
        self.port, self.device = port, device
        self._paced, self._log = paced, log
        self._out = bytearray()
        self._sent_until_ns = 0
        self.lost = 0  # bytes that no program took in time
        self.misread = 0  # bytes at the wrong speed

    def turn(self, now_ns: int) -> bool:
        """Do what is due; return whether anything moved."""
        came = self.port.read()
        if came and self._paced and self.port.baud not in (0, self.device.baud):
            self.misread += len(came)
            came = b""
        answer = self.device.receive(came, now_ns) if came else b""
        answer += self.device.tick(now_ns)
        if self._log:
            self._tell(came, answer, now_ns)
        if not self.port.connected:
            self._out.clear()
            return bool(came)
        self._out += answer
        sent = self._send(now_ns)
        return bool(came or sent)

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        return {**self.device.counts(), "lost_bytes": self.lost, "misread_bytes": self.misread}

    def close(self) -> None:
        """Close both ends."""
        self.port.close()
        self.device.close()

    def _send(self, now_ns: int) -> int:
        if len(self._out) > _MOST:
            self.lost += len(self._out) - _MOST
            del self._out[: len(self._out) - _MOST]
        if not self._out:
            return 0
        room = self._room(now_ns)
        sent = self.port.write(bytes(self._out[:room])) if room else 0
        del self._out[:sent]
        if self._paced:
            self._sent_until_ns += sent * self._byte_ns
        return sent

    def _room(self, now_ns: int) -> int:
        """Return how many bytes the line has had time to carry."""
        if not self._paced:
            return len(self._out)
        if self._sent_until_ns > now_ns + NS_PER_S:  # time was set back
            self._sent_until_ns = now_ns
        self._sent_until_ns = max(self._sent_until_ns, now_ns - _BURST_NS)
        return max(0, (now_ns - self._sent_until_ns) // self._byte_ns)

    @property
    def _byte_ns(self) -> int:
        return _BITS * NS_PER_S // self.device.baud

    def _tell(self, came: bytes, answer: bytes, now_ns: int) -> None:
        assert self._log is not None
        if came:
            self._log("<", came, now_ns)
        if answer:
            self._log(">", answer, now_ns)
