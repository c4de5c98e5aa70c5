"""Python's garbage collector, kept out of the way where it would only cost time.

Start-up creates some hundred thousand objects that all stay alive. Collecting among them takes a
sixth of the start-up time, and each later full collection pauses a run for tens of milliseconds.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Look for no garbage inside."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def what_is_there_stays() -> Iterator[None]:
    """Look for garbage inside, but only among what is made from now on."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
