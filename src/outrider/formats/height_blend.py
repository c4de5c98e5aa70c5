"""Pictures that lie on a ground by its height: sand below, grass above, rock on top."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.cache import content_key
from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import write_whole
from outrider.core.frames import Array
from outrider.formats.textures import load_texture
from outrider.world.shapes import HeightField

MOST_PIXELS = 2048  # along a side
_PIXEL = 0.02  # m, on grounds that are small enough
_VERSION = 1

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PaintLayer:
    """A picture of so many metres, over and over, from a height on; below ``fade`` it mixes in."""

    texture: str
    size: float = 1.0
    from_height: float = 0.0  # of no meaning for the lowest
    fade: float = 0.0


def painted(field: HeightField, layers: Sequence[PaintLayer]) -> str:
    """Return the path of one picture for the whole ground, painted once for each content."""
    stamps = [(layer, Path(layer.texture).stat().st_mtime_ns) for layer in layers]
    key = content_key(_VERSION, field.heights, field.size, stamps)
    path = cache_dir() / "textures" / f"{key}.png"
    if not path.is_file():
        write_png(path, _mixed(field, layers))
    return str(path)


def write_png(path: Path, pixels: Pixels) -> None:
    """Write an image in one move."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, out.getvalue())


def _mixed(field: HeightField, layers: Sequence[PaintLayer]) -> Pixels:
    """Return the pixels, the top row north."""
    x, y = (_places(length) for length in field.size)
    heights = _heights(field, x, y)
    colour = _tiled(layers[0], x, y)
    for layer in layers[1:]:
        above = heights - layer.from_height
        share = np.clip(above / layer.fade, 0.0, 1.0) if layer.fade > 0 else above >= 0.0
        weight = np.asarray(share, np.float32)[..., None]
        colour += weight * (_tiled(layer, x, y) - colour)
    return np.rint(colour).astype(np.uint8).transpose(1, 0, 2)[::-1]


def _places(length: float) -> Array:
    """Return the middles of pixels from one edge to the other, in metres from the first."""
    count = int(np.clip(round(length / _PIXEL), 2, MOST_PIXELS))
    return np.asarray((np.arange(count) + 0.5) * (length / count), np.float64)


def _heights(field: HeightField, x: Array, y: Array) -> Array:
    """Return the ground's heights (x, y), straight between those of the field."""
    rows, columns = field.heights.shape
    i = x / field.size[0] * (rows - 1)
    j = y / field.size[1] * (columns - 1)
    along = np.minimum(i.astype(int), rows - 2)
    across = np.minimum(j.astype(int), columns - 2)
    u, v = (i - along)[:, None], j - across
    lower = field.heights[along] * (1 - u) + field.heights[along + 1] * u
    mixed: Array = lower[:, across] * (1 - v) + lower[:, across + 1] * v
    return mixed


def _tiled(layer: PaintLayer, x: Array, y: Array) -> NDArray[np.float32]:
    """Return the layer's colours (x, y, 3) at places of the ground."""
    pixels = load_texture(layer.texture)[::-1, :, :3]  # from the south up
    down, along = pixels.shape[:2]
    column = (x / layer.size * along).astype(int) % along
    row = (y / layer.size * down).astype(int) % down
    return np.asarray(pixels[row][:, column].transpose(1, 0, 2), np.float32)
