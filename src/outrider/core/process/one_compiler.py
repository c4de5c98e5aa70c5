"""One process at a time compiles kernels: others that start meanwhile wait and load its work."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from outrider.core.cache_folder import cache_dir
from outrider.core.process.file_lock import locked

Found = TypeVar("Found")

_LONGEST_S = 120.0  # then it compiles as well: the other may be stopped
_LOOK_S = 0.2


class CompilerTurn:
    """The turn of this process to compile; numba holds the lock of its compiler meanwhile."""

    def __init__(self) -> None:
        self._depth = 0
        self._file: int | None = None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Enclose the compiling of a kernel, and of those that it calls: its turn ends with it."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth and self._file is not None:
                os.close(self._file)
                self._file = None

    def loaded(self, load: Callable[[], Found | None]) -> Found | None:
        """Return what is on disk, or comes there while another compiles; None: compile it."""
        found = load()
        if found is not None or not self._depth:
            return found
        end = time.monotonic() + _LONGEST_S
        while time.monotonic() < end:
            mine = self._taken()
            found = load()
            if found is not None or mine:
                return found
            time.sleep(_LOOK_S)
        return None

    def _taken(self) -> bool:
        if self._file is not None:
            return True
        file = None
        with suppress(OSError):  # a disk that cannot be written: everybody compiles
            cache_dir().mkdir(parents=True, exist_ok=True)
            file = os.open(cache_dir() / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if file is None:
            return True
        if not locked(file):
            os.close(file)
            return False
        self._file = file
        return True
