"""Libraries that would take settings from a file in the current folder, whosever that is.

Somebody else's package or world is often run from its own folder. A ``.numba_config.yaml`` there
could say where compiled kernels are, and so what code is run; a ``matplotlibrc``, what TeX is.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

_FILES = {"numba": ".numba_config.yaml", "matplotlib": "matplotlibrc"}


def import_without_them() -> None:
    """Import those libraries that have such a file here, before anybody else does, without it.

    A library that the user's program has imported before keeps what it found.
    """
    for library, name in _FILES.items():
        if library not in sys.modules and os.path.lexists(name):
            with _unseen(name), suppress(ImportError):  # one that is not installed
                import_module(library)


@contextmanager
def _unseen(name: str) -> Iterator[None]:
    """Have a file of the current folder look as if it were not there."""
    exists, here = os.path.exists, (name, str(Path.cwd() / name))
    os.path.exists = lambda path: path not in here and exists(path)
    try:
        yield
    finally:
        os.path.exists = exists
