"""Python's garbage collector, kept out of the way where it would only cost time.

Start-up creates some hundred thousand objects that all stay alive. Collecting among them takes a
sixth of the start-up time, and each later full collection pauses a run for tens of milliseconds.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 100  # collections of the young between two of everything; Python's own is 10


class _Pause:
    """Who wants no collection now: several threads start up side by side."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._inside = 0
        self._was = False

    def enter(self) -> None:
        with self._gate:
            if not self._inside:
                self._was = gc.isenabled()
                gc.disable()
            self._inside += 1

    def leave(self) -> None:
        with self._gate:
            self._inside -= 1
            if not self._inside and self._was:
                if not gc.get_freeze_count():  # a second time, garbage would stay for good
                    gc.freeze()  # else the next collection would look through all of it
                gc.enable()


_pause = _Pause()


@contextmanager
def no_collection() -> Iterator[None]:
    """Look for no garbage inside, and after the first time not among what was made there."""
    _pause.enter()
    try:
        yield
    finally:
        _pause.leave()


@contextmanager
def freeze_existing() -> Iterator[None]:
    """Look for garbage inside, but only among what is made from now on, and in all of it seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*before[:2], max(before[2], _SELDOM))
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
