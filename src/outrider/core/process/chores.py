"""A thread for what nobody waits for: closing, waiting, letting go of much memory."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from queue import SimpleQueue

from outrider.core.process.interpreter import giving_way

_MOMENT_S = 0.05


class _Own(threading.local):
    """What a thread has put off, while it puts things off."""

    kept: "list[Callable[[], object]] | None" = None


_held: list[object] = []
_own = _Own()
_left: "SimpleQueue[Callable[[], object]]" = SimpleQueue()
_busy = threading.Event()


def do_later(work: Callable[[], object]) -> None:
    """Have something done beside all else; what it holds is let go there too.

    It may be called at any moment, in any thread, with any lock held, once ``begin`` was called.
    """
    if _own.kept is None:
        _left.put(work)
    else:
        _own.kept.append(work)


def pending() -> bool:
    """Return whether something is being done here, or waits for it."""
    return _busy.is_set() or not _left.empty()


@contextmanager
def put_off() -> Iterator[None]:
    """Begin with what this thread leaves to others at the end only: they would be in its way."""
    if _own.kept is not None:
        yield
        return
    kept: list[Callable[[], object]] = []
    _own.kept = kept
    try:
        yield
    finally:
        _own.kept = None
        for work in kept:
            _left.put(work)


def let_go_later(what: object) -> None:
    """Hold something for a moment longer, so that its memory is not freed by who drops it now."""
    _held.append(what)
    do_later(_let_go)


def _let_go() -> None:
    if _held:
        time.sleep(_MOMENT_S)
        _held.clear()


@cache
def begin() -> None:
    """Start the thread, if it does not run yet."""
    threading.Thread(target=_do_what_is_left, name="chores", daemon=True).start()


def _do_what_is_left() -> None:
    while True:
        work = _left.get()
        _busy.set()
        with suppress(Exception), giving_way():  # nobody is there to be told
            work()
        del work  # and what it holds
        _busy.clear()
