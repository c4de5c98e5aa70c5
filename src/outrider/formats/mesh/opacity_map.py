"""Textures with the opacity of a picture of its own, as OBJ and Collada files may name one."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.formats.mesh.opacity import LUMINANCE, OpacityMap
from outrider.formats.mesh.raw import RGBA
from outrider.formats.mesh.textures import keep_pixels
from outrider.formats.textures import load_texture

_CHANNELS = "rgbm"


def with_opacity_map(texture: str, colour: RGBA, opacity: OpacityMap) -> str:
    """Return the file of a texture, or of a plain colour, whose opacity is that of a map's file.

    Raises FormatError or OSError if one of the pictures cannot be read.
    """
    return _combined(_dated(texture), colour[:3], _dated(opacity.address), opacity)


def _dated(path: str) -> tuple[str, int]:
    """Return a file and when it was written: what was made of an older one is not used again."""
    return (path, Path(path).stat().st_mtime_ns) if path else ("", 0)


@lru_cache(maxsize=256)
def _combined(
    texture: tuple[str, int],
    colour: tuple[float, float, float],
    map_file: tuple[str, int],
    opacity: OpacityMap,
) -> str:
    shown = _shown(load_texture(map_file[0]), opacity)
    pixels = load_texture(texture[0]) if texture[0] else _plain(colour, shown)
    if shown.size > pixels[..., 3].size:
        pixels = _sized(pixels, shown)
    elif shown.shape != pixels.shape[:2]:
        shown = _sized(shown, pixels)
    return keep_pixels(np.dstack([pixels[..., :3], shown]))


def _shown(picture: NDArray[np.uint8], opacity: OpacityMap) -> NDArray[np.uint8]:
    """Return the opacity of each pixel of a map."""
    own = "m" if (picture[..., 3] < 255).any() else "l"
    channel = opacity.channel or own
    if channel == "l":
        value = picture[..., :3] @ np.array(LUMINANCE, np.float32)
    else:
        value = picture[..., _CHANNELS.index(channel)].astype(np.float32)
    share = opacity.at_0 + (opacity.at_1 - opacity.at_0) * value / 255.0
    shown: NDArray[np.uint8] = np.rint(255.0 * np.clip(share, 0.0, 1.0)).astype(np.uint8)
    return shown


def _plain(colour: tuple[float, float, float], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    paint = [*(round(255 * part) for part in colour), 255]
    return np.tile(np.array(paint, np.uint8), (*like.shape, 1))


def _sized(pixels: NDArray[np.uint8], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    size = like.shape[1], like.shape[0]
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BILINEAR))
