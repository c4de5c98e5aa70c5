"""How threads share the interpreter."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_OFTEN_S = 0.0005
_lock = threading.Lock()
_users = 0
_before = sys.getswitchinterval()


@contextmanager
def switching_often() -> Iterator[None]:
    """Let the loop have the interpreter back soon while this thread is busy."""
    global _users, _before  # noqa: PLW0603 - the interpreter has one interval for all threads
    with _lock:
        if _users == 0:
            _before = sys.getswitchinterval()
            sys.setswitchinterval(_OFTEN_S)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                sys.setswitchinterval(_before)
