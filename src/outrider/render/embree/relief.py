"""The ground's relief: normals lean as the slopes below the mesh do; where depth has it."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.render.embree.surface import row, span
from outrider.render.relief import ALL_OF_IT, LEVEL, NOTHING_OF_IT
from outrider.render.tables import Ints
from outrider.scene.roughness import CELLS, SIDE
from outrider.scene.surface import Floats32

_PER_M, _MASK = np.float32(CELLS / SIDE), CELLS - 1
_HALF, _ONE = np.float32(0.5), np.float32(1.0)
_END, _FALL = np.float32(NOTHING_OF_IT), np.float32(1.0 / (NOTHING_OF_IT - ALL_OF_IT))
_LEVEL = np.float32(LEVEL)
_X = np.float32(1.0), np.float32(0.0), np.float32(0.0)
_Y = np.float32(0.0), np.float32(1.0), np.float32(0.0)


@compiled_inline
def _slope(
    slopes: NDArray[np.uint8], which: int, axis: int, x: float, y: float
) -> float:  # pragma: no cover - compiled
    """Return the slope along an axis, in bytes, linear between the middles of cells."""
    low_x, low_y = np.floor(x), np.floor(y)
    u, v = x - low_x, y - low_y
    i, j = np.int64(low_x) & _MASK, np.int64(low_y) & _MASK
    i1, j1 = (i + 1) & _MASK, (j + 1) & _MASK
    below = np.float32(slopes[which, j, i, axis]) * (_ONE - u) + slopes[which, j, i1, axis] * u
    above = np.float32(slopes[which, j1, i, axis]) * (_ONE - u) + slopes[which, j1, i1, axis] * u
    return below * (_ONE - v) + above * v - _LEVEL  # type: ignore[no-any-return]


@compiled_nogil
def lean(
    steepness: Floats32,
    tile: Ints,
    slopes: NDArray[np.uint8],
    origins: Floats32,
    directions: Floats32,
    way: Floats32,
    depth: Floats32,
    right: Floats32,
    down: Floats32,
    shapes: Ints,
    ng: Floats32,
    normals: Floats32,
) -> None:  # pragma: no cover - compiled
    """Let normals lean by the relief, as far as a pixel is smaller than its cells.

    ``depth`` is along the optical axis, from the eye; ``right`` and ``down`` a pixel's steps there.
    """
    pixel_right, pixel_down = (right[0], right[1], right[2]), (down[0], down[1], down[2])
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        if shape < 0 or steepness[shape] == 0.0:
            continue
        direction = row(directions, i)
        steps = span(direction, row(ng, i), depth[i], pixel_right, pixel_down, _X, _Y)
        cells = max(abs(steps[0]), abs(steps[1]), abs(steps[2]), abs(steps[3])) * _PER_M
        share = min((_END - cells) * _FALL, _ONE) * steepness[shape]
        if not share > 0.0:
            continue
        x = (origins[i, 0] + direction[0] * way[i]) * _PER_M - _HALF
        y = (origins[i, 1] + direction[1] * way[i]) * _PER_M - _HALF
        nx = normals[i, 0] - share * _slope(slopes, tile[shape], 0, x, y)
        ny = normals[i, 1] - share * _slope(slopes, tile[shape], 1, x, y)
        nz = normals[i, 2]
        per = _ONE / np.float32(math.sqrt(nx * nx + ny * ny + nz * nz))
        normals[i, 0], normals[i, 1], normals[i, 2] = nx * per, ny * per, nz * per


@compiled_nogil
def mark_ground(
    row_of: Floats32, directions: Floats32, shapes: Ints, ng: Floats32, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write where the relief is, and how it is met, as ``Relief.apply_to_image`` has it."""
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        if shape < 0 or row_of[shape] == 0.0:
            out[i] = 0.0
            continue
        cosine = np.float32(0.0)
        for k in range(3):
            cosine += directions[i, k] * ng[i, k]
        out[i] = row_of[shape] + min(abs(cosine), np.float32(0.9999))
