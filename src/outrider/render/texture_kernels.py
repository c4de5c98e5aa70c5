"""Looking a texture up: mip levels between two, several taps along the longer side of a pixel."""

import math

import numpy as np

from outrider.render.compiled import compiled_free as compiled
from outrider.render.tables import Tables
from outrider.scene.surface import Floats32

MOST_TAPS = 8


@compiled
def _tap(
    t: Tables, level: int, u: float, v: float, weight: float, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Add the texel colours around a place, weighted; texels are at the centres of their cells."""
    h, w = t.level_size[level, 0], t.level_size[level, 1]
    x, y = u * w - 0.5, (1.0 - v) * h - 0.5
    fx, fy = math.floor(x), math.floor(y)
    ax, ay = np.float32(x - fx), np.float32(y - fy)
    x0, y0 = int(fx) % w, int(fy) % h
    x1 = x0 + 1 if x0 + 1 < w else 0
    y1 = y0 + 1 if y0 + 1 < h else 0
    start = t.level_start[level]
    bx, by = np.float32(1.0) - ax, np.float32(1.0) - ay
    whole = np.float32(weight)
    for k in range(4):
        column, row = (x1 if k & 1 else x0), (y1 if k & 2 else y0)
        share = whole * (ax if k & 1 else bx) * (ay if k & 2 else by)
        texel = t.texels[start + row * w + column]
        out[0] += share * t.linear[texel[0]]
        out[1] += share * t.linear[texel[1]]
        out[2] += share * t.linear[texel[2]]
        out[3] += share * np.float32(texel[3])


@compiled
def look_up(
    t: Tables,
    texture: int,
    u: float,
    v: float,
    ux: float,
    vx: float,
    uy: float,
    vy: float,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write linear red, green, blue and opacity (0..1) under a pixel that spans the two vectors."""
    first, last = t.first_level[texture], t.first_level[texture + 1] - 1
    h, w = t.level_size[first, 0], t.level_size[first, 1]
    across = math.sqrt((ux * w) ** 2 + (vx * h) ** 2)
    along = math.sqrt((uy * w) ** 2 + (vy * h) ** 2)
    if across > along:
        along, across, uy, vy = across, along, ux, vx
    out[:] = np.float32(0.0)
    taps = 1
    if along > 1.0:
        taps = int(min(along / max(across, 1.0) + 0.5, MOST_TAPS))
    lod = math.log2(max(along / taps, across, 1.0))
    level = min(first + int(lod), last)
    part = min(lod - int(lod), 1.0) if level < last else 0.0
    for i in range(taps):
        s = (i + 0.5) / taps - 0.5
        pu, pv = u + s * uy, v + s * vy
        pu, pv = pu - math.floor(pu), pv - math.floor(pv)
        if part < 0.95:
            _tap(t, level, pu, pv, (1.0 - part if part > 0.05 else 1.0) / taps, out)
        if part > 0.05:
            _tap(t, level + 1, pu, pv, (part if part < 0.95 else 1.0) / taps, out)
    out[3] *= np.float32(1.0 / 255.0)
