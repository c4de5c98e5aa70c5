"""Pictures made by code, kept as files under the hash of what they were made from."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.cache import cache_dir

Pixels = NDArray[np.uint8]


def stored_picture(key: str, make: Callable[[], Pixels]) -> str:
    """Return the path of a picture, made if it is not there yet."""
    path = cache_dir() / "textures" / f"{key}.png"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            Image.fromarray(make()).save(file, "PNG", compress_level=1)
        Path(file.name).replace(path)
    return str(path)
