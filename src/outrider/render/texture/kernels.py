"""Texture look-up: trilinear between mip levels, several taps along the longer pixel side.

Arrays are passed one by one: a whole table would be copied at every call.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline
from outrider.render.simd import SHARE, added, between, bits_of, colour_of, mixed, none, scaled
from outrider.render.tables import Ints

Texels = NDArray[np.uint16]
Starts = NDArray[np.int64]
MOST_TAPS = 4
_ONE: Any = np.float32(1.0)
_HALF: Any = np.float32(0.5)
_BITS_OF_ONE, _BIT = np.int32(0x3F800000), np.float32(2.0**-23)
_LOW, _HIGH = np.float32(0.2), np.float32(0.8)  # shares of the next level that count as 0 and 1


@compiled_inline
def _tap(
    texels: Texels, starts: Starts, sizes: Ints, level: int, u: float, v: float
) -> Any:  # pragma: no cover - compiled
    """Return the colour of a level at texture coordinates; its texels have a border."""
    h, w = sizes[level, 0], sizes[level, 1]
    x, y = u * np.float32(w) + _HALF, (_ONE - v) * np.float32(h) + _HALF
    column, row = min(np.int64(x), np.int64(w)), min(np.int64(y), np.int64(h))
    right, down = x - np.float32(column), y - np.float32(row)
    top = starts[level] + row * (w + 2) + column
    return between(texels, top, top + w + 2, right, down)


@compiled_inline
def _log2(value: float) -> Any:  # pragma: no cover - compiled
    """Return the logarithm, straight between powers of two as graphics processors have it."""
    return np.float32(bits_of(value) - _BITS_OF_ONE) * _BIT


@compiled_inline
def look_up(
    texels: Texels,
    starts: Starts,
    sizes: Ints,
    first: int,
    last: int,
    most: int,
    u: float,
    v: float,
    ux: float,
    vx: float,
    uy: float,
    vy: float,
) -> tuple[Any, Any, Any]:  # pragma: no cover - compiled
    """Return linear red, green and blue under a pixel that spans two vectors.

    The texture's levels are numbered from ``first`` to ``last``; at most ``most`` texels are read.
    """
    h, w = np.float32(sizes[first, 0]), np.float32(sizes[first, 1])
    across = (ux * w) * (ux * w) + (vx * h) * (vx * h)  # squares of texels
    along = (uy * w) * (uy * w) + (vy * h) * (vy * h)
    if across > along:
        along, across, uy, vy = across, along, ux, vx
    taps = 1
    if along > _ONE:
        taps = int(min(math.sqrt(along / max(across, _ONE)) + _HALF, np.float32(most)))
    share = _ONE / np.float32(taps)
    lod = _HALF * _log2(max(along * share * share, across, _ONE))
    level = min(first + int(lod), last)
    part = min(lod - np.float32(int(lod)), _ONE) if level < last else np.float32(0.0)
    if part > _HIGH:  # as good as the next one
        level, part = level + 1, np.float32(0.0)
    total = none()
    for i in range(taps):
        s = (np.float32(i) + _HALF) * share - _HALF
        pu, pv = u + s * uy, v + s * vy
        pu, pv = pu - np.floor(pu), pv - np.floor(pv)
        found = _tap(texels, starts, sizes, level, pu, pv)
        if part > _LOW:
            found = mixed(found, _tap(texels, starts, sizes, level + 1, pu, pv), part)
        total = added(total, found)
    return colour_of(scaled(total, share * SHARE))  # type: ignore[no-any-return]
