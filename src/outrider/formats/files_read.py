"""Records which files were read, so that the result can be cached until one of them changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

Stamps = dict[Path, tuple[int, int] | None]

_READING: ContextVar[Stamps | None] = ContextVar("files_read", default=None)


def note_read(path: Path) -> None:
    """Say that a file is read; whoever watches remembers how it was."""
    stamps = _READING.get()
    if stamps is not None:
        stamps[path] = _stamp(path)


@contextmanager
def watched() -> Iterator[Stamps]:
    """Remember all files that are read inside the block."""
    stamps: Stamps = {}
    token = _READING.set(stamps)
    try:
        yield stamps
    finally:
        _READING.reset(token)


def unchanged(stamps: Stamps) -> bool:
    """Return whether all files are still as they were."""
    return all(_stamp(path) == stamp for path, stamp in stamps.items())


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
