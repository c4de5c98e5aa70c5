"""The folder of what can be made again; light, because every command asks for it."""

import os
import stat
from pathlib import Path

from outrider.core.errors import ConfigError


def cache_dir() -> Path:
    """Return the folder for what can be made again: OUTRIDER_CACHE, or the user's cache.

    A user without a home that can be written, as in many containers, has one among the
    temporary files.
    """
    named = os.environ.get("OUTRIDER_CACHE")
    return Path(named) if named else _cache_of_user(os.environ.get("XDG_CACHE_HOME") or "")


def _cache_of_user(chosen: str) -> Path:
    try:
        cache = Path(chosen) if chosen else Path.home() / ".cache"
    except RuntimeError:  # the system does not know this user
        return temporary_cache()
    return cache / "outrider" if can_be_written(cache / "outrider") else temporary_cache()


def can_be_written(folder: Path) -> bool:
    """Return whether files can be written there, now or once the folder is made."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return os.access(there, os.W_OK | os.X_OK)


def temporary_cache() -> Path:
    """Return a folder that only this user can read and write: it will hold compiled code."""
    import tempfile

    user = os.getuid() if os.name == "posix" else 0
    try:
        folder = Path(tempfile.gettempdir()) / f"outrider-{user}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        raise ConfigError(_NOWHERE) from None
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if os.name == "posix" and not (private and found.st_uid == user):
        raise ConfigError(f"{folder}: is not yours alone; {_NOWHERE}")
    return folder


_NOWHERE = "no folder can be written for compiled kernels and the like: name one in OUTRIDER_CACHE"
