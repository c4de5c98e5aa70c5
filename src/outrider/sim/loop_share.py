"""Changes of clients one after the other leave a run most of its speed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_KEPT = 0.8  # of its speed, from the begin of a change to that of a client's next one
_REST = 4.0  # times as long as the change itself is waited at most: others may slow the run, too


class _Own(threading.local):
    client = False


@dataclass(slots=True)
class LoopShare:
    """Knows the last change: when it began, and how far the run was then.

    A change is built beside the loop, but takes processor time, memory and the interpreter from
    it: with 300,000 triangles on Bullet for most of a second. All times are in seconds.
    """

    _began_s: float = 0.0
    _ended_s: float = 0.0
    _simulated_s: float = 0.0
    _own: _Own = field(default_factory=_Own)

    @contextmanager
    def of_client(self) -> Iterator[None]:
        """Count what this thread asks for as a client's."""
        self._own.client = True
        try:
            yield
        finally:
            self._own.client = False

    def must_wait(self, now_s: float, simulated_s: float, speed: float) -> bool:
        """Return whether it is too early for a change that this thread asks for."""
        if not self._own.client or speed <= 0.0:
            return False
        passed_s = now_s - self._began_s
        if passed_s >= (1.0 + _REST) * (self._ended_s - self._began_s):
            return False
        return simulated_s - self._simulated_s < _KEPT * speed * passed_s

    def begin(self, now_s: float, simulated_s: float) -> None:
        """Note that a change begins."""
        self._began_s = self._ended_s = now_s
        self._simulated_s = simulated_s

    def end(self, now_s: float) -> None:
        """Note that it is put in, or that what it left to others is done by now at the earliest."""
        self._ended_s = now_s
