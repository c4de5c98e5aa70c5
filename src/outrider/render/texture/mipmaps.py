"""Textures with their smaller copies (mip levels), averaged in linear light."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.bounded_cache import bounded_cache
from outrider.core.errors import FormatError
from outrider.formats.textures import is_translucent, load_texture
from outrider.render.light import CUT, linear_of
from outrider.render.texture.downsampling import halved, share_above

MOST_SIDE = 8192  # larger images are drawn smaller
_KEPT_BYTES = 512 * 1024 * 1024  # of textures, whichever worlds they belong to
MAGENTA = (255, 0, 255, 255)
Bytes = NDArray[np.uint8]
# linear light of a stored byte
LINEAR: NDArray[np.float32] = linear_of(np.arange(256) / 255.0).astype(np.float32)
_CUT_BYTE = round(CUT * 255)


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """An image as it is drawn; row 0 is its top, texture coordinates have v upward, edges repeat.

    ``levels`` (h, w, 4) are sRGB with opacity, each half the size of the one before. The opacity of
    smaller copies is scaled so that as much stays above ``light.CUT`` as in the first: leaves keep
    their mass in the distance.
    """

    levels: tuple[Bytes, ...]
    cut_out: bool  # whether some of it is not there
    translucent: bool = False  # whether one sees through most of it, a little
    opacity: float = 1.0  # its mean


def texture_of(path: str) -> Texture:
    """Return the texture of a file; one that cannot be read is magenta, and said once."""
    return _read(path)


@bounded_cache(_KEPT_BYTES)
def _read(path: str) -> Texture:
    try:
        pixels = load_texture(path)
    except FormatError as error:
        sys.stderr.write(f"outrider: {error}; magenta is drawn in its place\n")
        pixels = np.tile(np.array(MAGENTA, np.uint8), (2, 2, 1))
    if max(pixels.shape[:2]) > MOST_SIDE:
        share = MOST_SIDE / max(pixels.shape[:2])
        size = tuple(max(1, round(side * share)) for side in pixels.shape[1::-1])
        pixels = np.asarray(
            Image.fromarray(pixels).resize((size[0], size[1]), Image.Resampling.BOX)
        )
    return make_texture(pixels)


def make_texture(pixels: Bytes) -> Texture:
    """Return an image (h, w, 4) with all its smaller copies."""
    opacity = pixels[..., 3]
    translucent = is_translucent(pixels)
    cut_out = not translucent and bool((opacity < _CUT_BYTE).any())
    levels = [np.ascontiguousarray(pixels)]
    plain = levels[0]
    share = share_above(plain, _CUT_BYTE)
    while max(plain.shape[:2]) > 1:
        plain = halved(plain, LINEAR)
        levels.append(_with_mass(plain, share) if cut_out else plain)
    return Texture(tuple(levels), cut_out, translucent, float(opacity.mean()) / 255.0)


def _with_mass(level: Bytes, share: float) -> Bytes:
    """Scale opacity so that a share of the pixels is solid."""
    opacity = level[..., 3].astype(np.float32)
    edge = float(np.quantile(opacity, min(1.0, max(0.0, 1.0 - share))))
    scaled = level.copy()
    factor = _CUT_BYTE / max(edge, 1.0)
    scaled[..., 3] = np.clip(np.rint(opacity * factor), 0, 255).astype(np.uint8)
    return scaled
