"""Makes the command line start quickly, without leaving settings behind."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from outrider.core.files.scratch import sweep_cache
from outrider.core.process.garbage_collection import no_collection
from outrider.core.process.open_files import allow_many

# if unset, MuJoCo probes for a display in a separate process, with what the current folder has
_WINDOWS = "MUJOCO_GL"


@contextmanager
def starting() -> Iterator[None]:
    """Switch off garbage collection and display look-ups; the user's settings are kept.

    Temporary files that killed processes left are removed.
    """
    # here: it loads OpenSSL, which the help has no use for
    from outrider.core.process.dataclass_methods import methods_from_disk

    sweep_cache()
    allow_many()
    with no_collection(), no_windows(), methods_from_disk():
        yield


@contextmanager
def no_windows() -> Iterator[None]:
    """Have MuJoCo, should it be imported meanwhile, not look for displays."""
    if _WINDOWS in os.environ:
        yield
        return
    os.environ[_WINDOWS] = "disable"
    try:
        yield
    finally:
        del os.environ[_WINDOWS]
