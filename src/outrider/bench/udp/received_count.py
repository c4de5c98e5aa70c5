"""What a receiver in another process has got so far, in a small file that both have mapped."""

import mmap
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_COUNT, _LAST_NS, _AWAITED, _FIRST = 0, 1, 2, 3
_ROOM = 4096  # of the latest messages, how long each was on its way


class ReceivedCount:
    """Written by one process, read by another; times are of the clock that both share."""

    def __init__(self, path: Path) -> None:
        size = 8 * (_FIRST + _ROOM)
        with path.open("a+b") as file:
            file.truncate(size)
            self._map = mmap.mmap(file.fileno(), size)
        self._numbers: NDArray[np.int64] = np.frombuffer(self._map, np.int64)

    def note(self, sent_ns: int) -> bool:
        """Note a message that has come, and when it was sent; return whether it was awaited."""
        now_ns = time.monotonic_ns()
        count = int(self._numbers[_COUNT])
        self._numbers[_FIRST + count % _ROOM] = now_ns - sent_ns
        self._numbers[_LAST_NS] = now_ns
        self._numbers[_COUNT] = count + 1
        return count + 1 == int(self._numbers[_AWAITED])

    def wait_for(self, count: int) -> None:
        """Have ``note`` say when so many messages have come."""
        self._numbers[_AWAITED] = count

    @property
    def count(self) -> int:
        """How many messages have come."""
        return int(self._numbers[_COUNT])

    @property
    def last_ns(self) -> int:
        """When the last one came."""
        return int(self._numbers[_LAST_NS])

    def latencies_ns(self, first: int, last: int) -> list[int]:
        """Return how long messages were on their way, by their numbers."""
        numbers = np.arange(max(first, last - _ROOM), last) % _ROOM
        return [int(value) for value in self._numbers[_FIRST + numbers]]
