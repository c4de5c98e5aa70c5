"""Images for surfaces: their size, and their pixels as red, green, blue and opacity."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class TextureInfo(NamedTuple):
    """The size of an image in pixels, and what a pixel holds (``RGB``, ``RGBA``, ``L``, ...)."""

    width: int
    height: int
    mode: str


def texture_info(path: Path | str) -> TextureInfo:
    """Return an image's size without reading its pixels."""
    raise NotImplementedError


def load_texture(path: Path | str) -> NDArray[np.uint8]:
    """Return the pixels (height, width, 4), top row first, colours as they are stored."""
    raise NotImplementedError
