"""Messages of several sensors, matched by time."""

from collections import deque
from collections.abc import Iterator

from outrider.recording.track import TrackEntry

_SETTLE_NS = 1_000_000_000  # so long all are gathered before the slowest is known
_PATIENCE_NS = 2_000_000_000  # a moment is given up if a sensor has said nothing for so long


class Pairing:
    """Gives one set per message of the slowest sensor, with the nearest messages of the others."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[TrackEntry]] = {}
        self._first_ns: int | None = None
        self._newest_ns = 0
        self._leader = ""

    def add(self, role: str, entry: TrackEntry) -> Iterator[dict[str, TrackEntry]]:
        """Add a message; yield the sets that it completes."""
        self._waiting.setdefault(role, deque()).append(entry)
        if self._first_ns is None:
            self._first_ns = entry.measured_ns
        self._newest_ns = max(self._newest_ns, entry.measured_ns)
        if self._newest_ns - self._first_ns >= _SETTLE_NS:
            yield from self._complete(self._newest_ns)

    def rest(self) -> Iterator[dict[str, TrackEntry]]:
        """Yield the remaining sets at the end."""
        yield from self._complete(self._newest_ns + 2 * _PATIENCE_NS)

    def _complete(self, now_ns: int) -> Iterator[dict[str, TrackEntry]]:
        if not self._leader:
            self._leader = min(self._waiting, key=lambda role: len(self._waiting[role]), default="")
        leaders = self._waiting.get(self._leader, deque())
        while leaders and self._ready(leaders[0].measured_ns, now_ns):
            found = self._moment(leaders.popleft())
            if found is not None:
                yield found

    def _ready(self, time_ns: int, now_ns: int) -> bool:
        """Return whether no nearer message can arrive any more."""
        others = [queue for role, queue in self._waiting.items() if role != self._leader]
        newest = [queue[-1].measured_ns if queue else -1 for queue in others]
        return all(last >= time_ns for last in newest) or now_ns - time_ns > _PATIENCE_NS

    def _moment(self, leader: TrackEntry) -> dict[str, TrackEntry] | None:
        found = {self._leader: leader}
        for role, queue in self._waiting.items():
            if role == self._leader:
                continue
            if not queue:
                return None
            time_ns = leader.measured_ns
            while len(queue) > 1 and _nearer(queue[1], queue[0], time_ns):
                queue.popleft()
            found[role] = queue[0]
        return found


def _nearer(one: TrackEntry, other: TrackEntry, time_ns: int) -> bool:
    return abs(one.measured_ns - time_ns) <= abs(other.measured_ns - time_ns)
