"""The light that reaches the eye along rays: from surfaces, through haze, out of the sky."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_free as compiled
from outrider.core.frames import Array
from outrider.render.light import DISC_COSINE, SPOT_COSINES, UNDER
from outrider.render.tables import Ints
from outrider.scene.surface import Floats32

Flags = NDArray[np.uint8]
_OUTER, _INNER = SPOT_COSINES


@compiled
def light(
    lights: NDArray[np.void],
    ambient: Array,
    sky: Array,
    horizon: Array,
    haze: float,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    scale: Floats32,
    near: float,
    shapes: Ints,
    albedo: Floats32,
    normals: Floats32,
    lit: Flags,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write the linear light that reaches the eye along each ray; ``lit`` is (lights, rays)."""
    total = np.empty(3)
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            _sky(lights, sky, horizon, directions[i], out[i])
            continue
        share = UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normals[i, 2])
        for k in range(3):
            total[k] = ambient[k] * share
        for m in range(lights.shape[0]):
            if lit[m, i]:
                _add_light(lights[m], origins[i], directions[i], way[i], normals[i], total)
        clear = 1.0
        if haze > 0.0:
            clear = math.exp(-haze * (way[i] + near * scale[i]))
        for k in range(3):
            out[i, k] = albedo[i, k] * total[k] * clear + horizon[k] * (1.0 - clear)


@compiled
def _add_light(
    source: Any,
    origin: Floats32,
    direction: Floats32,
    way: float,
    normal: Floats32,
    total: Array,
) -> None:  # pragma: no cover - compiled
    """Add what a light gives to a surface."""
    strength = 0.0
    if source.kind == 0:
        for k in range(3):
            strength += normal[k] * source.towards[k]
    else:
        square, facing, spot = 0.0, 0.0, 0.0
        for k in range(3):
            d = source.position[k] - (origin[k] + direction[k] * way)
            square += d * d
            facing += d * normal[k]
            spot += d * source.towards[k]
        far = math.sqrt(max(square, 1e-12))
        fade = max(0.0, 1.0 - (far / source.range) ** 4)
        strength = max(0.0, facing / far) * fade * fade / max(square, 1.0)
        if source.kind == 2:
            edge = (spot / far - _OUTER) / (_INNER - _OUTER)
            edge = min(1.0, max(0.0, edge))
            strength *= edge * edge * (3.0 - 2.0 * edge)
    strength = max(0.0, strength)
    for k in range(3):
        total[k] += strength * source.colour[k]


@compiled
def _sky(
    lights: NDArray[np.void], sky: Array, horizon: Array, direction: Floats32, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write the sky's light in a direction."""
    rise = 1.0 - max(0.0, float(direction[2]))
    share = rise * rise * rise * rise
    for k in range(3):
        out[k] = sky[k] + (horizon[k] - sky[k]) * share
    for m in range(lights.shape[0]):
        if lights[m].kind == 0:
            along = 0.0
            for k in range(3):
                along += direction[k] * lights[m].towards[k]
            if along > DISC_COSINE:
                out[:] = np.float32(1.0)
