"""Where the program's own files are and those that came from others, and whether one is there."""

import os
import stat
from pathlib import Path

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError, OutriderError

_STRANGERS = ("uploads", "projects")  # shelves of the cache
LIBRARY = Path(__file__).resolve().parents[2] / "library"


def enclosure(path: Path) -> Path | None:
    """Return the folder that files from elsewhere were unpacked in; None for the user's own.

    What was uploaded, and a project's zip file, are strangers': they see their own folder only.
    """
    for shelf in _STRANGERS:
        root = (cache_dir() / shelf).resolve()
        if path != root and path.is_relative_to(root):
            return root / path.relative_to(root).parts[0]
    return None


def spawned_folder() -> Path:
    """Return the folder of descriptions that came from peers: they may name no files of ours."""
    return cache_dir() / "spawned"


def real_path(path: Path) -> Path:
    """Return where a path leads; links in a circle lead nowhere, and are told as missing files."""
    return Path(os.path.realpath(path))  # Path.resolve fails at those


def is_file(path: Path) -> bool:
    """Return whether there is such a file; a name that is too long or holds zeros is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether there is such a folder; a name that none can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def refuse_devices(path: Path, fault: type[OutriderError] = ConfigError) -> None:
    """Refuse a pipe, device or folder, which has no end; what is not there is told by who reads."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    except ValueError:
        raise fault(f"{str(path)!r}: is not the name of a file") from None
    if not stat.S_ISREG(mode):
        raise fault(f"{path}: is not a file")
