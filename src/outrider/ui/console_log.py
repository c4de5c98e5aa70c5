"""The log shown on all pages: what was done, what failed, and when."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["info", "warning", "error", "command", "answer"]

_MOST = 2000


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log; numbers are never reused."""

    number: int
    level: Level
    text: str
    wall_s: float


class ConsoleLog:
    """Keeps the last lines; any thread may write."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_MOST)
        self.next = 0  # the number of the line that comes next
        self._lock = threading.Lock()

    def write(self, level: Level, text: str) -> None:
        """Add a line."""
        with self._lock:
            self._entries.append(Entry(self.next, level, text, time.time()))
            self.next += 1

    def since(self, number: int) -> list[Entry]:
        """Return the lines from a number on."""
        with self._lock:
            return [entry for entry in self._entries if entry.number >= number]
