"""The folder of what can be made again; light, because every command asks for it."""

import os
from pathlib import Path


def cache_dir() -> Path:
    """Return the folder for what can be made again: OUTRIDER_CACHE, or the user's cache."""
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "outrider"
    return Path(os.environ.get("OUTRIDER_CACHE", default))
