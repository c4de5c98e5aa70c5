"""Ground heights from a file; repairs and assumptions are reported once."""

import sys
from functools import lru_cache
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.package_files import is_file
from outrider.formats.elevation.heightmap import HeightMap, Size, read_heightmap

_WORTH_SAYING = ("without data", "no coordinate system")


def read_ground_file(path: Path, size: Size | None) -> HeightMap:
    """Return the ground of a file, and report repairs and assumptions."""
    found = read_heightmap(path, size)
    for note in found.notes:
        if any(words in note for words in _WORTH_SAYING):
            _say(note)
    return found


@lru_cache(maxsize=256)
def _say(note: str) -> None:
    sys.stderr.write(f"outrider: {note}\n")


def named_file(name: str, where: str) -> Path:
    """Return the path of a world's file, or raise an error that names the key."""
    path = Path(name)
    if not name or not is_file(path):
        raise ConfigError(f"{where}: there is no file '{name}'")
    return path
