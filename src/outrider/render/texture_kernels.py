"""Looking a texture up: mip levels between two, several taps along the longer side of a pixel.

Arrays are passed one by one: a whole table would be copied, and its arrays counted, at every call.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_free as compiled
from outrider.render.tables import Ints
from outrider.scene.surface import Floats32

Texels = NDArray[np.uint8]
Starts = NDArray[np.int64]
MOST_TAPS = 4


@compiled
def _corners(
    starts: Starts, sizes: Ints, level: int, u: float, v: float
) -> tuple[int, int, int, int, float, float]:  # pragma: no cover - compiled
    """Return the four texels around a place (0..1), whose centres are in their cells' middles."""
    h, w = sizes[level, 0], sizes[level, 1]
    x, y = u * w - 0.5, (1.0 - v) * h - 0.5
    fx, fy = math.floor(x), math.floor(y)
    x0, y0 = int(fx), int(fy)
    x0 = x0 + w if x0 < 0 else (x0 - w if x0 >= w else x0)
    y0 = y0 + h if y0 < 0 else (y0 - h if y0 >= h else y0)
    x1 = x0 + 1 if x0 + 1 < w else 0
    y1 = y0 + 1 if y0 + 1 < h else 0
    top, low = starts[level] + y0 * w, starts[level] + y1 * w
    return top + x0, top + x1, low + x0, low + x1, x - fx, y - fy


@compiled
def _tap(
    texels: Texels, linear: Floats32, starts: Starts, sizes: Ints, level: int, u: float, v: float
) -> tuple[Any, Any, Any, Any]:  # pragma: no cover - compiled
    """Return the colour at a place, between the four texels around it."""
    a, b, c, d, ax, ay = _corners(starts, sizes, level, u, v)
    one = np.float32(1.0)
    right, down = np.float32(ax), np.float32(ay)
    wa, wb = (one - right) * (one - down), right * (one - down)
    wc, wd = (one - right) * down, right * down
    red = (
        wa * linear[texels[a, 0]] + wb * linear[texels[b, 0]]
        + wc * linear[texels[c, 0]] + wd * linear[texels[d, 0]]
    )  # fmt: skip
    green = (
        wa * linear[texels[a, 1]] + wb * linear[texels[b, 1]]
        + wc * linear[texels[c, 1]] + wd * linear[texels[d, 1]]
    )  # fmt: skip
    blue = (
        wa * linear[texels[a, 2]] + wb * linear[texels[b, 2]]
        + wc * linear[texels[c, 2]] + wd * linear[texels[d, 2]]
    )  # fmt: skip
    opacity = (
        wa * np.float32(texels[a, 3]) + wb * np.float32(texels[b, 3])
        + wc * np.float32(texels[c, 3]) + wd * np.float32(texels[d, 3])
    )  # fmt: skip
    return red, green, blue, opacity


@compiled
def look_up(
    texels: Texels,
    linear: Floats32,
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
) -> tuple[Any, Any, Any, Any]:  # pragma: no cover - compiled
    """Return linear red, green, blue and opacity (0..1) under a pixel that spans two vectors.

    The texture's levels are numbered from ``first`` to ``last``; at most ``most`` places are read.
    """
    h, w = sizes[first, 0], sizes[first, 1]
    across = math.sqrt((ux * w) ** 2 + (vx * h) ** 2)
    along = math.sqrt((uy * w) ** 2 + (vy * h) ** 2)
    if across > along:
        along, across, uy, vy = across, along, ux, vx
    taps = 1
    if along > 1.0:
        taps = int(min(along / max(across, 1.0) + 0.5, most))
    lod = math.log2(max(along / taps, across, 1.0))
    level = min(first + int(lod), last)
    part = min(lod - int(lod), 1.0) if level < last else 0.0
    if part > 0.8:  # as good as the next one
        level, part = level + 1, 0.0
    red, green, blue, opacity = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for i in range(taps):
        s = (i + 0.5) / taps - 0.5
        pu, pv = u + s * uy, v + s * vy
        pu, pv = pu - math.floor(pu), pv - math.floor(pv)
        r, g, b, a = _tap(texels, linear, starts, sizes, level, pu, pv)
        if part > 0.2:
            more = np.float32(part)
            less = np.float32(1.0) - more
            r2, g2, b2, a2 = _tap(texels, linear, starts, sizes, level + 1, pu, pv)
            r, g, b, a = (
                less * r + more * r2, less * g + more * g2, less * b + more * b2,
                less * a + more * a2,
            )  # fmt: skip
        red, green, blue, opacity = red + r, green + g, blue + b, opacity + a
    share = np.float32(1.0 / taps)
    opacity *= share * np.float32(1.0 / 255.0)
    return red * share, green * share, blue * share, opacity
