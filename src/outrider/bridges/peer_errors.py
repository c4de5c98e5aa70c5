"""Errors of peers: the first of a kind is reported, all are counted."""

import sys
import threading
from collections import Counter
from collections.abc import Callable


def speaker(name: str) -> Callable[[str], None]:
    """Return a function that writes sentences to stderr, each after a name."""

    def say(sentence: str) -> None:
        sys.stderr.write(f"{name}: {' '.join(sentence.split())}\n")

    return say


class PeerErrors:
    """Counts by kind; ``tell`` gets one sentence per kind, in the thread where it happened."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()

    def note(self, kind: str, sentence: str) -> None:
        """Count one more, and report the first."""
        if self.count(kind) == 1:
            self._tell(sentence)

    def count(self, kind: str) -> int:
        """Count one more without a word, and return how many there are."""
        with self._lock:
            self.counts[kind] += 1
            return self.counts[kind]
