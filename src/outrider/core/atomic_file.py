"""Files that are either the old or the new one, never half of it."""

import os
import tempfile
from pathlib import Path

from outrider.core.errors import FormatError


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the target, sync and rename; folders that are missing are made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror or error}") from None


def _replace(path: Path, content: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp")
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        made.chmod(_mode(path))
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Return the rights of the file that is replaced, or those of any new file."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
