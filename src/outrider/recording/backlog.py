"""The queue of messages to be written: bounded in bytes, with or without waiting publishers."""

import threading
from collections import deque
from collections.abc import Callable

from outrider.messages.types import Message
from outrider.recording.message_size import weight
from outrider.recording.track import RecordedTrack, TrackEntry

_LOOK_S = 0.1  # a waiting publisher looks this often whether it may stop waiting


class Backlog:
    """Filled by publishers' threads, emptied by the writer's."""

    def __init__(self, most_bytes: int, now_ns: Callable[[], int]) -> None:
        self._most = most_bytes
        self._now_ns = now_ns
        self._changed = threading.Condition()
        self._entries: deque[TrackEntry] = deque()
        self._bytes = 0
        self._closed = False
        self.fullest = 0  # bytes

    def put(
        self, track: RecordedTrack, measured_ns: int, message: Message, patient: Callable[[], bool]
    ) -> bool:
        """Add a message; if the queue is full, wait while ``patient`` allows it, else refuse it."""
        load = weight(message)
        with self._changed:
            while self._full(load) and patient():
                self._changed.wait(_LOOK_S)
            if self._closed or self._full(load):
                return False
            # The time is read under the lock, so that it never goes back from entry to entry.
            self._entries.append(TrackEntry(track, self._now_ns(), measured_ns, message))
            self._bytes += load
            self.fullest = max(self.fullest, self._bytes)
            if len(self._entries) == 1:
                self._changed.notify_all()
        return True

    def take(self, timeout_s: float) -> deque[TrackEntry]:
        """Return all queued messages; none if none has arrived in time."""
        with self._changed:
            if not self._entries and not self._closed:
                self._changed.wait(timeout_s)
            taken, self._entries = self._entries, deque()
        return taken

    def written(self, entry: TrackEntry) -> None:
        """Release the space of an entry."""
        with self._changed:
            self._bytes -= weight(entry.message)
            self._changed.notify_all()

    def close(self) -> None:
        """Refuse all further messages, and wake waiting publishers."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _full(self, load: int) -> bool:
        # One message may be larger than all the room there is: it goes in alone.
        return not self._closed and self._bytes > 0 and self._bytes + load > self._most
