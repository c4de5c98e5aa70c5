"""How threads share the interpreter."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_OFTEN_S = 0.0005
_WORK_S, _REST_S = 0.001, 0.0001
_lock = threading.Lock()
_loops = 0
_before = sys.getswitchinterval()


@contextmanager
def looping() -> Iterator[None]:
    """Let threads pass the interpreter on soon: who steps here never waits for long among many."""
    global _loops, _before  # noqa: PLW0603 - the interpreter has one interval for all threads
    with _lock:
        if _loops == 0:
            _before = sys.getswitchinterval()
            sys.setswitchinterval(_OFTEN_S)
        _loops += 1
    try:
        yield
    finally:
        with _lock:
            _loops -= 1
            if _loops == 0:
                sys.setswitchinterval(_before)


@contextmanager
def giving_way() -> Iterator[None]:
    """Let a loop, if one runs, have the interpreter back soon while this thread is busy.

    A shorter turn is not enough: numpy gives the interpreter back for so short a moment, and so
    often, that who waits for it wakes too late each time, and never gets to ask for it. So this
    thread rests for a tenth of its time, between two calls of functions.
    """
    rests = _loops > 0 and sys.getprofile() is None  # else somebody measures this thread
    if rests:
        sys.setprofile(_rest_when_due())
    try:
        yield
    finally:
        if rests:
            sys.setprofile(None)


def _rest_when_due() -> Callable[[FrameType, str, object], None]:
    """Return what is told of every call of a function, and rests now and then."""
    clock, sleep = time.perf_counter, time.sleep
    due = clock() + _WORK_S

    def rest(_frame: FrameType, _event: str, _what: object) -> None:
        nonlocal due
        if clock() > due:
            sleep(_REST_S)
            due = clock() + _WORK_S

    return rest
