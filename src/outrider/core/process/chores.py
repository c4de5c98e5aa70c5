"""A thread for what nobody waits for: closing, waiting, letting go of much memory."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from queue import SimpleQueue

_HELD_S = 0.05
_left: "SimpleQueue[Callable[[], object]]" = SimpleQueue()


def do_later(work: Callable[[], object]) -> None:
    """Have something done beside all else; what it holds is let go there too.

    It may be called at any moment, in any thread, with any lock held, once ``begin`` was called.
    """
    _left.put(work)


def let_go_later(what: object) -> None:
    """Hold something for a moment longer, so that its memory is not freed by who drops it now."""
    do_later(partial(_hold, what))


def _hold(_: object) -> None:
    time.sleep(_HELD_S)


@cache
def begin() -> None:
    """Start the thread, if it does not run yet."""
    threading.Thread(target=_do_what_is_left, name="chores", daemon=True).start()


def _do_what_is_left() -> None:
    while True:
        with suppress(Exception):  # nobody is there to be told
            _left.get()()
