"""Errors of peers: the first of a kind is reported, all are counted."""

import threading
from collections import Counter
from collections.abc import Callable


class Complaints:
    """Counts by kind; ``tell`` gets one sentence per kind, in the thread where it happened."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()

    def note(self, kind: str, sentence: str) -> None:
        """Count one more, and report the first."""
        with self._lock:
            self.counts[kind] += 1
            first = self.counts[kind] == 1
        if first:
            self._tell(sentence)
