"""A glow around the sun and water on the ground, for rays; ``wet.py`` says it in words."""

from __future__ import annotations

import math

import numpy as np

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.frames import Array
from outrider.render.embree.rays import RayHits
from outrider.render.hash_noise import pixel_key
from outrider.render.light import Lighting
from outrider.render.tables import Ints
from outrider.render.wet_ground import DARKER, FILM, MOST, POOL_FROM, POOL_FULL, POOL_M, SNOW_COLOUR
from outrider.scene.surface import Floats32


def glow_and_mirror(
    light: Lighting,
    rays: tuple[Floats32, Floats32],
    hits: RayHits,
    way: Floats32,
    normals: Floats32,
    out: Floats32,
) -> None:
    """Add the glow to rays that end in the sky, and the sky to those that end in water."""
    _add(
        np.stack([light.glow, light.glow_towards, light.sky, light.horizon]),
        light.wet * (1.0 - light.snow),
        light.haze,
        origins=rays[0],
        directions=rays[1],
        way=hits.way,
        from_eye=way,
        shapes=hits.shape,
        normals=normals,
        out=out,
    )


@compiled_nogil
def soak(
    albedo: Floats32, normals: Floats32, shapes: Ints, wet: float, snow: float
) -> None:  # pragma: no cover - compiled
    """Darken what faces up, or cover it with snow."""
    for i in range(shapes.shape[0]):
        if shapes[i] >= 0:
            share = _level(normals[i, 2])
            for k in range(3):
                wetted = albedo[i, k] * (1.0 - DARKER * wet * share)
                albedo[i, k] = wetted + snow * share * (SNOW_COLOUR[k] - wetted)


@compiled_inline
def _level(up: float) -> float:  # pragma: no cover - compiled
    return min(1.0, max(0.0, (up - 0.7) / 0.25))


@compiled_nogil
def _add(
    colours: Array,
    wet: float,
    haze: float,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    from_eye: Floats32,
    shapes: Ints,
    normals: Floats32,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    glow, towards, sky, horizon = colours[0], colours[1], colours[2], colours[3]
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            near = 0.0
            for k in range(3):
                near += directions[i, k] * towards[k]
            low = 1.0 - max(float(directions[i, 2]), 0.0)
            near = max(near, 0.0)
            share = (0.6 * near**4 + near**64) * low * low
            for k in range(3):
                out[i, k] += share * glow[k]
            continue
        level = _level(normals[i, 2]) * wet
        if level <= 0.0:
            continue
        x = (origins[i, 0] + directions[i, 0] * way[i]) / POOL_M
        y = (origins[i, 1] + directions[i, 1] * way[i]) / POOL_M
        share = level * (FILM + (1.0 - FILM) * pool(x, y))
        facing = 0.0
        for k in range(3):
            facing -= directions[i, k] * normals[i, k]
        facing = min(1.0, max(0.0, facing))
        share *= min(MOST, 0.02 + 0.98 * (1.0 - facing) ** 5)
        up = directions[i, 2] + 2.0 * facing * normals[i, 2]
        rise = (1.0 - min(1.0, max(0.0, up))) ** 4
        share *= math.exp(-haze * from_eye[i])
        for k in range(3):
            out[i, k] += share * (sky[k] + (horizon[k] - sky[k]) * rise)


@compiled_inline
def _cell(x: int, y: int) -> float:  # pragma: no cover - compiled
    return float(pixel_key(np.uint32(0), x, y) & np.uint32(65535)) / 65535.0


@compiled_nogil
def pool(x: float, y: float) -> float:  # pragma: no cover - compiled
    """Return how deep the water stands, 0 to 1."""
    i, j = math.floor(x), math.floor(y)
    a, b = x - i, y - j
    a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
    low = _cell(i, j) + a * (_cell(i + 1, j) - _cell(i, j))
    high = _cell(i, j + 1) + a * (_cell(i + 1, j + 1) - _cell(i, j + 1))
    depth = (low + b * (high - low) - POOL_FROM) / (POOL_FULL - POOL_FROM)
    depth = min(1.0, max(0.0, depth))
    return depth * depth * (3.0 - 2.0 * depth)
