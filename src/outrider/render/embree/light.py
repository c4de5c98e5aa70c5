"""The light that reaches the camera along rays: from surfaces, haze and sky."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.frames import Array
from outrider.render.light import DISC_COSINE, SPOT_COSINES, UNDER
from outrider.render.tables import Ints
from outrider.scene.surface import Floats32

Flags = NDArray[np.uint8]
_OUTER, _INNER = SPOT_COSINES


@compiled_nogil
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
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            _sky(lights, sky, horizon, i, directions, out)
            continue
        share = UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normals[i, 2])
        red, green, blue = ambient[0] * share, ambient[1] * share, ambient[2] * share
        for m in range(lights.shape[0]):
            if lit[m, i]:
                source = lights[m]
                strength = _strength(source, i, origins, directions, way, normals)
                red += strength * source.colour[0]
                green += strength * source.colour[1]
                blue += strength * source.colour[2]
        clear = 1.0
        if haze > 0.0:
            clear = math.exp(-haze * (way[i] + near * scale[i]))
        out[i, 0] = albedo[i, 0] * red * clear + horizon[0] * (1.0 - clear)
        out[i, 1] = albedo[i, 1] * green * clear + horizon[1] * (1.0 - clear)
        out[i, 2] = albedo[i, 2] * blue * clear + horizon[2] * (1.0 - clear)


@compiled_inline
def _strength(
    source: Any,
    i: int,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    normals: Floats32,
) -> float:  # pragma: no cover - compiled
    """Return how much of a light falls on a surface."""
    strength = 0.0
    if source.kind == 0:
        for k in range(3):
            strength += normals[i, k] * source.towards[k]
    else:
        square, facing, spot = 0.0, 0.0, 0.0
        for k in range(3):
            d = source.position[k] - (origins[i, k] + directions[i, k] * way[i])
            square += d * d
            facing += d * normals[i, k]
            spot += d * source.towards[k]
        far = math.sqrt(max(square, 1e-12))
        fade = max(0.0, 1.0 - (far / source.range) ** 4)
        strength = max(0.0, facing / far) * fade * fade / max(square, 1.0)
        if source.kind == 2:
            edge = (spot / far - _OUTER) / (_INNER - _OUTER)
            edge = min(1.0, max(0.0, edge))
            strength *= edge * edge * (3.0 - 2.0 * edge)
    return max(0.0, strength)


@compiled_inline
def _sky(
    lights: NDArray[np.void],
    sky: Array,
    horizon: Array,
    i: int,
    directions: Floats32,
    out: Floats32,
) -> None:  # pragma: no cover - compiled
    """Write the sky's light in a direction."""
    rise = 1.0 - max(0.0, float(directions[i, 2]))
    share = rise * rise * rise * rise
    for k in range(3):
        out[i, k] = sky[k] + (horizon[k] - sky[k]) * share
    for m in range(lights.shape[0]):
        if lights[m].kind == 0:
            along = 0.0
            for k in range(3):
                along += directions[i, k] * lights[m].towards[k]
            if along > DISC_COSINE:
                out[i, 0] = out[i, 1] = out[i, 2] = np.float32(1.0)
