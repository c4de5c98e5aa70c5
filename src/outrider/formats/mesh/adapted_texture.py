"""Textures as a material wants them: tinted, or with their opacity decided, kept in the cache."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.formats.mesh.raw import RawMaterial
from outrider.formats.mesh.srgb import linear_from_srgb, srgb_from_linear
from outrider.formats.mesh.textures import keep_pixels
from outrider.formats.textures import WITH_OPACITY, is_translucent, load_texture, texture_info
from outrider.world.materials import HALF

_WHITE = (1.0, 1.0, 1.0)


def adapted_texture(texture: str, look: RawMaterial) -> str:
    """Return the file of a texture with a look's tint and cut; the same file if they say nothing.

    A picture that cannot be read is left as it is: whoever draws it says so.
    """
    if look.tint == _WHITE and look.cut is None:
        return texture
    try:
        return _adapted(texture, Path(texture).stat().st_mtime_ns, look.tint, look.cut)
    except (OSError, FormatError):
        return texture


@lru_cache(maxsize=256)
def _adapted(
    texture: str, mtime_ns: int, tint: tuple[float, float, float], cut: float | None
) -> str:
    del mtime_ns  # part of the key only: a changed picture is adapted anew
    if tint == _WHITE and texture_info(texture).mode not in WITH_OPACITY:
        return texture
    before = load_texture(texture)
    after = before.copy()
    if tint != _WHITE:
        for channel, factor in enumerate(tint):
            after[..., channel] = _times(factor)[before[..., channel]]
    # at one half renderers cut pictures anyway, with edges that are finer than its pixels
    if cut is not None and (cut != HALF or is_translucent(before)):
        after[..., 3] = np.where(before[..., 3] >= 255.0 * cut, 255, 0)
    if np.array_equal(before, after):
        return texture
    return keep_pixels(after)


def _times(factor: float) -> NDArray[np.uint8]:
    """Return what each value of a channel, in sRGB, is after its light was multiplied."""
    stored = [srgb_from_linear(factor * linear_from_srgb(k / 255.0)) for k in range(256)]
    return np.rint(255.0 * np.array(stored)).astype(np.uint8)
