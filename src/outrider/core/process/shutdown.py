"""At interpreter shutdown, daemon threads stop at a safe point; a sudden end closes files first.

Python ends daemon threads wherever they next acquire the GIL. Compiled libraries that release it
do not expect that, and the process crashes after all its work is done.
"""

import atexit
import os
import sys
import threading
import weakref
from contextlib import suppress
from typing import Any, NoReturn, Protocol

_PATIENCE_S = 2.0  # for one that waits for something else
_locks: "weakref.WeakSet[Any]" = weakref.WeakSet()
_open: "weakref.WeakSet[Closable]" = weakref.WeakSet()


class Closable(Protocol):
    """Something with files that are complete once it is closed."""

    def close(self) -> object:
        """Complete them; a second time does nothing."""


def close_before_sudden_end(one: Closable) -> None:
    """Have something closed should the process have to end where no exception can be raised."""
    _open.add(one)


def end_suddenly(reason: str) -> NoReturn:
    """End the process from a place that no exception can leave."""
    sys.stderr.write(f"outrider: {reason}\n")
    for one in list(_open):
        with suppress(Exception):
            one.close()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def work_lock() -> Any:
    """Return a lock to hold while at work: in the end no other thread gets it any more."""
    made = threading.RLock()
    _locks.add(made)
    return made


@atexit.register
def _take_all() -> None:
    for one in list(_locks):
        one.acquire(timeout=_PATIENCE_S)
