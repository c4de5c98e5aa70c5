"""Textures in the graphics memory, as square roots of linear light."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.errors import RenderError
from outrider.core.untyped import GlObject
from outrider.render.gl.context import GlContext
from outrider.render.texture.anisotropic import COPIES, directed
from outrider.render.texture.mipmaps import LINEAR, texture_of

_ANISOTROPY = 8.0
_MOST_COPIED = 2048 * 2048  # texels: larger ones would take too much memory
_HOLE_SIDE = 512  # texels: more would not stay in a core's cache
_NEAREST = 0x2600
_PLANE, _ARRAY, _RGBA, _BYTE = 0x0DE1, 0x8C1A, 0x1908, 0x1401
_RGBA_8, _MOST_LEVEL = 0x8058, 0x813D
_LEVEL_BIAS = 0x8501
_LEAF_BIAS = -0.5  # leaves face all ways: one tap is enough
_DIRECTED_BIAS = -1.0  # copies that are blurred along a pixel's longer side: half as coarse as it
_LINEAR, _LINEAR_NEAREST_LEVEL, _LINEAR_LEVELS = 0x2601, 0x2701, 0x2703
_ROOTS: NDArray[np.uint8] = np.rint(np.sqrt(LINEAR) * 255).astype(np.uint8)


def upload(context: GlContext, path: str) -> GlObject:
    """Return a texture with the levels that the other renderer uses."""
    levels = _levels(context, path)
    texture = context.gl.texture((1, 1), 4)
    _write_levels(context, texture, _PLANE, map(_stored, levels))
    if context.driver.on_processor:
        texture.filter = (_LINEAR_NEAREST_LEVEL, _LINEAR)
    else:
        texture.filter = (_LINEAR_LEVELS, _LINEAR)
        texture.anisotropy = min(_ANISOTROPY, context.gl.max_anisotropy)
    if texture_of(path).cut_out:
        _sharpen(context, texture, _PLANE, _LEAF_BIAS)
    return texture


def upload_filtered(context: GlContext, path: str) -> GlObject:
    """Return a texture that is looked at along it, too: on a processor, with copies for that."""
    if not context.driver.on_processor:
        return upload(context, path)
    levels = _levels(context, path)
    height, width = levels[0].shape[:2]
    copies = COPIES if width * height <= _MOST_COPIED else 1
    texture = context.gl.texture_array((1, 1, copies), 4)
    stored: Iterable[NDArray[np.uint8]] = map(_stored, levels)
    if copies > 1:
        stored = (directed(level, number == 0) for number, level in enumerate(stored))
    _write_levels(context, texture, _ARRAY, stored, copies)
    texture.filter = (_LINEAR_NEAREST_LEVEL, _LINEAR)
    _sharpen(context, texture, _ARRAY, _DIRECTED_BIAS)
    return texture


def upload_opacity(context: GlContext, path: str) -> GlObject:
    """Return how solid a texture is, without smaller copies.

    The nearest texel is looked up: a coarse picture is made finer first, so that its edges stay
    smooth.
    """
    opacity = Image.fromarray(np.ascontiguousarray(texture_of(path).levels[0][..., 3]))
    times = max(1, round(_HOLE_SIDE / max(opacity.size)))
    size = opacity.width * times, opacity.height * times
    opacity = opacity.resize(size, Image.Resampling.BILINEAR)
    texture = context.gl.texture(size, 1, opacity.tobytes())
    texture.filter = (_NEAREST, _NEAREST)
    return texture


def upload_slopes(context: GlContext, slopes: NDArray[np.uint8]) -> GlObject:
    """Return a tile of slopes as a texture of four channels: drivers read no others faster."""
    height, width = slopes.shape[:2]
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., :2] = slopes
    texture = context.gl.texture((width, height), 4, pixels.tobytes())
    texture.filter = (_LINEAR, _LINEAR)
    return texture


def _write_levels(
    context: GlContext,
    texture: GlObject,
    kind: int,
    levels: Iterable[NDArray[np.uint8]],
    copies: int = 1,
) -> None:
    """Give a texture its size and its levels.

    moderngl, which would keep the interpreter's lock, does not get to know of them.
    """
    texture.use(0)
    number = 0
    for number, level in enumerate(levels):
        data = np.ascontiguousarray(level)
        height, width = level.shape[-3:-1]
        size = (width, height, copies) if kind == _ARRAY else (width, height)
        call = context.calls[f"glTexImage{len(size)}D"]
        call(kind, number, _RGBA_8, *size, 0, _RGBA, _BYTE, data.ctypes.data)
    context.calls["glTexParameteri"](kind, _MOST_LEVEL, number)


def _sharpen(context: GlContext, texture: GlObject, kind: int, bias: float) -> None:
    """Bind a texture, to be read from finer levels: told by a shader, that takes twice as long."""
    texture.use(0)
    context.calls["glTexParameterf"](kind, _LEVEL_BIAS, bias)


def _levels(context: GlContext, path: str) -> tuple[NDArray[np.uint8], ...]:
    levels = texture_of(path).levels
    height, width = levels[0].shape[:2]
    if max(height, width) > context.most_side:
        raise RenderError(
            f"texture {path} is {width} x {height} pixels, the OpenGL driver takes up to "
            f"{context.most_side} a side"
        )
    return levels


def _stored(level: NDArray[np.uint8]) -> NDArray[np.uint8]:
    out = level.copy()
    out[..., :3] = _ROOTS[level[..., :3]]
    return out
