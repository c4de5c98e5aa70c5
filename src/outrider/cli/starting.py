"""Makes the command line start quickly, without leaving settings behind."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from outrider.core.collector import no_collection

_WINDOWS = "MUJOCO_GL"  # unless told, MuJoCo looks for windows in a process of its own


@contextmanager
def starting() -> Iterator[None]:
    """Look for no garbage and for no windows inside; what the user has set stays."""
    with no_collection(), _no_windows():
        yield


@contextmanager
def _no_windows() -> Iterator[None]:
    if _WINDOWS in os.environ:
        yield
        return
    os.environ[_WINDOWS] = "disable"
    try:
        yield
    finally:
        del os.environ[_WINDOWS]
