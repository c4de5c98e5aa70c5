"""Procedural textures, cached as files under the hash of their parameters."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import replacing

Pixels = NDArray[np.uint8]


def stored_picture(key: str, make: Callable[[], Pixels]) -> str:
    """Return the path of a picture, made if it is not there yet; none if it cannot be kept."""
    path = cache_dir() / "textures" / f"{key}.png"
    try:
        if not path.is_file():
            _write(path, make)
    except OSError:
        return ""  # plain colours are drawn
    return str(path)


def _write(path: Path, make: Callable[[], Pixels]) -> None:
    """Write beside the target and rename, so that a reader never sees half a picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        Image.fromarray(make()).save(file, "PNG", compress_level=1)
