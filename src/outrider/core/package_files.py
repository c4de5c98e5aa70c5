"""Where the program's own files are, and those that peers of a running simulation sent."""

from pathlib import Path

from outrider.core.cache import cache_dir

LIBRARY = Path(__file__).resolve().parent.parent / "library"


def spawned_folder() -> Path:
    """Return the folder of descriptions that came from peers: they may name no files of ours."""
    return cache_dir() / "spawned"
