"""Flow control per peer: never more bytes in flight than its receive buffer holds.

A receiver that knows RECEIVED reports how far it has read and how large its buffer is. Others are
sent to at a fixed rate.
"""

import struct
from collections import deque

from outrider.bridges.udp.header import Buffer

REPORT = struct.Struct("<iii")  # SeqNumber and part of the last datagram read; bytes of the buffer
_FIRST_WINDOW = 128 * 1024  # bytes on the way before anything is known of the receiver
COST = 768  # of a datagram in a receiver's buffer beside its bytes
_UNKNOWN_S = 0.05  # without a first report: the receiver is one that does not report
_STALLED_S = 0.25  # without a further one: it is lost, or the receiver has no time
_SILENT = 3  # stalls in a row after which a receiver counts as one that does not report
_SHARE = 4  # of a buffer that may be filled: the kernel counts every datagram generously
_LEAST_WINDOW = 70_000  # one datagram of the largest size
_MOST_INTERVAL = 1024 * 1024
_BURST_S = 0.005  # that the rate is kept over
_REMEMBERED = 8192  # datagrams on the way


def report_interval(buffer: int) -> int:
    """Return after how many bytes a receiver reports."""
    return min(buffer // (2 * _SHARE), _MOST_INTERVAL)


class Pacing:
    """Bytes in flight to one peer."""

    def __init__(self, rate: float) -> None:
        """``rate`` in bytes per second is for peers that do not report."""
        self._rate = rate
        self._window = _FIRST_WINDOW
        # datagrams on the way, each with the bytes sent until then
        self._sent: deque[tuple[tuple[str, int, int], int]] = deque(maxlen=_REMEMBERED)
        self._total = self._read = 0  # bytes sent, and read as far as is known
        self._since_s = 0.0  # when the window was last seen open
        self._silent = _SILENT - 1  # stalls since the last report
        self._free_s = 0.0  # when the next datagram may go, by the rate
        self.reports = False
        self.stalls = 0

    def room(self, now_s: float) -> float:
        """Return how many bytes may be sent now; the last datagram may exceed them."""
        by_rate = float("inf")
        if not self.reports:
            by_rate = 1 + (now_s - max(self._free_s, now_s - _BURST_S)) * self._rate
        if self._silent >= _SILENT:
            return by_rate
        room = self._window - (self._total - self._read)
        if room <= 0:
            if now_s - self._since_s < (_STALLED_S if self.reports else _UNKNOWN_S):
                return 0.0
            self._forget_way()
            room = self._window
        self._since_s = now_s
        return min(room, by_rate)

    def sent(self, topic: str, seq: int, part: int, size: int, now_s: float) -> None:
        """Note a datagram that went out."""
        self._total += size + COST
        self._sent.append(((topic, seq, part), self._total))
        if not self.reports:
            self._free_s = max(self._free_s, now_s - _BURST_S) + size / self._rate

    def reported(self, topic: str, body: Buffer) -> None:
        """Take a receiver's report."""
        if len(body) != REPORT.size:
            return
        seq, part, buffer = REPORT.unpack(body)
        key = (topic, seq, part)
        if not any(one == key for one, _ in self._sent):
            return
        while self._sent:
            one, total = self._sent.popleft()
            self._read = total
            if one == key:
                break
        self.reports, self._silent = True, 0
        self._window = max(buffer // _SHARE, _LEAST_WINDOW)

    def _forget_way(self) -> None:
        self._read = self._total
        self.stalls += 1
        self._silent += 1
        if self._silent >= _SILENT:
            self.reports = False
