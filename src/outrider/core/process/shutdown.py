"""At interpreter shutdown, daemon threads stop at a safe point.

Python ends daemon threads wherever they next acquire the GIL. Compiled libraries that release it
do not expect that, and the process crashes after all its work is done.
"""

import atexit
import threading
import weakref
from typing import Any

_PATIENCE_S = 2.0  # for one that waits for something else
_locks: "weakref.WeakSet[Any]" = weakref.WeakSet()


def work_lock() -> Any:
    """Return a lock to hold while at work: in the end no other thread gets it any more."""
    made = threading.RLock()
    _locks.add(made)
    return made


@atexit.register
def _take_all() -> None:
    for one in list(_locks):
        one.acquire(timeout=_PATIENCE_S)
