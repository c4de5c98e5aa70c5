"""Compiled parts of the Embree renderer: camera rays, cutouts, shadow rays."""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.render.light import SPOT_COSINES
from outrider.render.tables import Ints, Tables
from outrider.scene.surface import Floats32

Flags = NDArray[np.uint8]
Vector: TypeAlias = tuple[float, float, float]
_OUTER, _INNER = SPOT_COSINES


@compiled_nogil
def aim(
    points: Floats32,
    rows: Ints,
    rotations: Floats32,
    eyes: Array,
    near: float,
    far: float,
    origins: Floats32,
    directions: Floats32,
    reach: Floats32,
    scale: Floats32,
) -> None:  # pragma: no cover - compiled
    """Make rays from the near plane to the far one; ``scale`` is their length per depth."""
    for i in range(points.shape[0]):
        x, y = points[i, 0], points[i, 1]
        length = math.sqrt(x * x + y * y + 1.0)
        rotation, eye = rotations[rows[i]], eyes[rows[i]]
        for k in range(3):
            d = (rotation[k, 0] * x + rotation[k, 1] * y + rotation[k, 2]) / length
            directions[i, k] = d
            origins[i, k] = eye[k] + d * near * length
        reach[i] = (far - near) * length
        scale[i] = length


@compiled_nogil
def depths(
    way: Floats32, scale: Floats32, near: float, shapes: Ints, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write how deep hits lie, along the optical axis; nothing is infinitely deep."""
    for i in range(shapes.shape[0]):
        depth = way[i] / scale[i] + np.float32(near)
        out[i] = depth if shapes[i] >= 0 else np.float32(np.inf)


@compiled_nogil
def world_normals(
    shapes: Ints, t: Tables, rotations: Floats32, ng: Floats32
) -> None:  # pragma: no cover - compiled
    """Turn the normals of hits from their group's frame to the world, to unit length."""
    out = np.empty(3, np.float32)
    for i in range(shapes.shape[0]):
        if shapes[i] < 0:
            continue
        rotation = rotations[t.group[shapes[i]]]
        size = np.float32(0.0)
        for k in range(3):
            out[k] = (
                rotation[k, 0] * ng[i, 0] + rotation[k, 1] * ng[i, 1] + rotation[k, 2] * ng[i, 2]
            )
            size += out[k] * out[k]
        size = np.float32(1.0) / np.float32(math.sqrt(max(size, np.float32(1e-30))))
        for k in range(3):
            ng[i, k] = out[k] * size


@compiled_nogil
def shadow_rays(
    towards: Floats32,
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    shapes: Ints,
    ng: Floats32,
    normals: Floats32,
    lit: Flags,
    rays: Ints,
    starts: Floats32,
) -> int:  # pragma: no cover - compiled
    """List the hits that may see a light, with points just above them; others are dark."""
    count = 0
    for i in range(shapes.shape[0]):
        lit[i] = 0
        if shapes[i] < 0:
            continue
        flat, smooth, size = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for k in range(3):
            flat += ng[i, k] * towards[k]
            smooth += normals[i, k] * towards[k]
        if flat <= 0 or smooth <= 0:
            continue
        lit[i] = 1
        for k in range(3):
            p = origins[i, k] + directions[i, k] * way[i]
            starts[count, k] = p
            size = max(size, abs(p))
        lift = np.float32(5e-4) + np.float32(1e-6) * (size + way[i])
        for k in range(3):
            starts[count, k] += lift * ng[i, k]
        rays[count] = i
        count += 1
    return count
