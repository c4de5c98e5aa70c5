"""Textures in the graphics memory, as square roots of linear light."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.errors import RenderError
from outrider.render.gl_context import Context
from outrider.render.textures import LINEAR, texture_of

_ANISOTROPY = 8.0
_HOLE_SIDE = 512  # texels: more would not stay in a core's cache
_NEAREST = 0x2600
_LINEAR, _LINEAR_NEAREST_LEVEL, _LINEAR_LEVELS = 0x2601, 0x2701, 0x2703
_ROOTS: NDArray[np.uint8] = np.rint(np.sqrt(LINEAR) * 255).astype(np.uint8)


def upload(context: Context, path: str) -> Any:
    """Return a texture with the levels that the other renderer uses."""
    levels = texture_of(path).levels
    height, width = levels[0].shape[:2]
    if max(height, width) > context.most_side:
        raise RenderError(
            f"texture {path} is {width} x {height} pixels, the OpenGL driver takes up to "
            f"{context.most_side} a side"
        )
    texture = context.gl.texture((width, height), 4, _stored(levels[0]))
    if len(levels) > 1:
        texture.build_mipmaps(0, len(levels) - 1)
        for number, level in enumerate(levels[1:], 1):
            texture.write(_stored(level), level=number)
    gl = context.gl
    if context.driver.on_processor:
        texture.filter = (_LINEAR_NEAREST_LEVEL, _LINEAR)  # several taps are taken
    else:
        texture.filter = (_LINEAR_LEVELS, _LINEAR)
        texture.anisotropy = min(_ANISOTROPY, gl.max_anisotropy)
    return texture


def upload_opacity(context: Context, path: str) -> Any:
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


def _stored(level: NDArray[np.uint8]) -> bytes:
    out = level.copy()
    out[..., :3] = _ROOTS[level[..., :3]]
    return out.tobytes()
