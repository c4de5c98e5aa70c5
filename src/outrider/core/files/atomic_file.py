"""Files that are replaced atomically: either the old or the new one, never half of it.

Data is written next to its target under a name that contains the process number, and renamed to
the target when it is complete. Leftovers of killed processes are removed later.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

from outrider.core.errors import ConfigError, FormatError

_NUMBERS = count()
_NAME = re.compile(r"\..*\.(\d+)-\d+\.tmp")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, creating missing folders, or raise an error that says why not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(content)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Refuse a target that nothing can be written to, before the work whose result goes there."""
    folder = next((one for one in path.absolute().parents if one.exists()), path.parent)
    probe = beside(folder / "probe")
    try:
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def replacing(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """Give a file that takes the target's place when the block ends without an error."""
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    remove_leftovers(path.parent, path.name[:40])
    made = beside(path)
    try:
        with os.fdopen(os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        made.chmod(_mode(path) if mode is None else mode)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


@contextmanager
def whole_folder(folder: Path) -> Iterator[None]:
    """Empty a folder again, which was empty or not there, if not all of it could be written."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: already exists and is not empty")
    with nothing_new(folder):
        yield


@contextmanager
def nothing_new(folder: Path) -> Iterator[None]:
    """Remove from a folder what the block put there, if the block fails."""
    before = set(folder.iterdir()) if folder.is_dir() else None
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for entry in set(folder.iterdir()) - (before or set()):
                _remove(entry)
            if before is None:
                folder.rmdir()
        raise


def beside(path: Path) -> Path:
    """Return a new name next to a target, which ``remove_leftovers`` recognises as temporary."""
    return path.with_name(f".{path.name[:40]}.{os.getpid()}-{next(_NUMBERS)}.tmp")


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove what killed processes left in a folder, of one target or of all."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _NAME.fullmatch(entry.name)
            if found and entry.name.startswith(f".{name}") and not _alive(int(found.group(1))):
                _remove(Path(entry.path))


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    import psutil  # here: it takes time to load, and there is seldom anything to sweep

    return psutil.pid_exists(pid)


def remove_whole(path: Path) -> None:
    """Remove a file or a folder with all that is in it, as far as that can be done."""
    with suppress(OSError):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():  # what a link leads to is not ours
        path.unlink(missing_ok=True)
        return
    for child in path.iterdir():
        _remove(child)
    path.rmdir()


def _mode(path: Path) -> int:
    """Return the rights of the file that is replaced, or those of any new file."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
