"""Rays into a height field on disk: whole blocks below a ray are skipped."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.scene.surface import Floats32

Ints = NDArray[np.int32]
_BLOCK = 3  # the smallest blocks are 2 ** 3 cells wide
_NUDGE = 1e-7  # cells: how far behind a border the next block is looked for


@compiled_nogil
def cast_grid(
    heights: Floats32,
    tops: Floats32,
    starts: NDArray[np.int64],
    widths: NDArray[np.int64],
    cell_x: float,
    cell_y: float,
    low_x: float,
    low_y: float,
    origins: Floats32,
    directions: Floats32,
    number: int,
    far: Floats32,
    shapes: Ints,
    normals: Floats32,
) -> None:  # pragma: no cover - compiled
    """Shorten rays that meet the ground; ``tops`` are all levels of blocks, one after the other."""
    ray = np.empty(6)
    normal = np.empty(2)
    for r in range(far.shape[0]):
        ray[0] = (float(origins[r, 0]) - low_x) / cell_x
        ray[1] = (float(origins[r, 1]) - low_y) / cell_y
        ray[2] = float(origins[r, 2])
        ray[3] = float(directions[r, 0]) / cell_x
        ray[4] = float(directions[r, 1]) / cell_y
        ray[5] = float(directions[r, 2])
        way = _trace(heights, tops, starts, widths, ray, float(far[r]), normal)
        if way >= 0.0:
            far[r] = way
            shapes[r] = number
            normals[r, 0], normals[r, 1] = -normal[0] / cell_x, -normal[1] / cell_y
            normals[r, 2] = 1.0


@compiled_nogil
def _trace(
    heights: Floats32,
    tops: Floats32,
    starts: NDArray[np.int64],
    widths: NDArray[np.int64],
    ray: Array,
    far: float,
    normal: Array,
) -> float:  # pragma: no cover - compiled
    """Return how far a ray goes, or -1; it is given in cells along x and y."""
    n_x, n_y = heights.shape[0] - 1, heights.shape[1] - 1
    t, end = _clipped(ray, far, n_x, n_y)
    top_level = starts.shape[0]
    level = 1  # 0: single cells; 1: the smallest blocks
    block_i, block_j = -1, -1  # whose cells are looked at one by one
    while t <= end:
        i = _index(ray[0] + ray[3] * t, ray[3], n_x)
        j = _index(ray[1] + ray[4] * t, ray[4], n_y)
        if level == 0 and (i >> _BLOCK != block_i or j >> _BLOCK != block_j):
            level = 1
        shift = 0 if level == 0 else level + _BLOCK - 1
        leave = min(_exit(ray, i >> shift, j >> shift, shift), end)
        if level == 0:
            way = _in_cell(heights, i, j, ray, t, leave, normal)
            if way >= 0.0:
                return way if way <= far else -1.0
            t = _onward(ray, leave, t)
            continue
        lowest = ray[2] + ray[5] * (leave if ray[5] < 0 else t)
        row = starts[level - 1] + (i >> shift) * widths[level - 1]
        if lowest > tops[row + (j >> shift)]:
            t = _onward(ray, leave, t)
            level = min(level + 1, top_level)
        else:
            level -= 1
            block_i, block_j = i >> _BLOCK, j >> _BLOCK
    return -1.0


@compiled_nogil
def _clipped(
    ray: Array, far: float, n_x: int, n_y: int
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return between which lengths a ray is above the field; end before start if it never is."""
    t, end = 0.0, far
    for k in range(2):
        size = float(n_x if k == 0 else n_y)
        if abs(ray[3 + k]) < 1e-15:
            if ray[k] < 0.0 or ray[k] > size:
                return 1.0, 0.0
            continue
        a, b = -ray[k] / ray[3 + k], (size - ray[k]) / ray[3 + k]
        t, end = max(t, min(a, b)), min(end, max(a, b))
    return t, end


@compiled_nogil
def _index(place: float, along: float, count: int) -> int:  # pragma: no cover - compiled
    """Return the cell a ray is in or about to enter."""
    nudged = place + (_NUDGE if along > 0 else -_NUDGE if along < 0 else 0.0)
    return min(max(math.floor(nudged), 0), count - 1)


@compiled_nogil
def _exit(ray: Array, i: int, j: int, shift: int) -> float:  # pragma: no cover - compiled
    """Return at which length a ray leaves a block."""
    width = float(1 << shift)
    leave = np.inf
    for k in range(2):
        block = i if k == 0 else j
        if ray[3 + k] > 0:
            leave = min(leave, ((block + 1) * width - ray[k]) / ray[3 + k])
        elif ray[3 + k] < 0:
            leave = min(leave, (block * width - ray[k]) / ray[3 + k])
    return leave


@compiled_nogil
def _onward(ray: Array, leave: float, t: float) -> float:  # pragma: no cover - compiled
    """Return a length behind ``leave``, and behind where the ray was in any case."""
    speed = max(abs(ray[3]), abs(ray[4]))
    return max(leave, t) + (_NUDGE / speed if speed > 0 else np.inf)


@compiled_nogil
def _above(
    heights: Floats32, i: int, j: int, ray: Array, t: float
) -> float:  # pragma: no cover - compiled
    """Return how high a ray is above the two triangles of a cell at some length."""
    u = ray[0] + ray[3] * t - i
    v = ray[1] + ray[4] * t - j
    h10, h01 = float(heights[i + 1, j]), float(heights[i, j + 1])
    if u + v <= 1.0:
        h00 = float(heights[i, j])
        ground = h00 + u * (h10 - h00) + v * (h01 - h00)
    else:
        h11 = float(heights[i + 1, j + 1])
        ground = h11 + (1.0 - u) * (h01 - h11) + (1.0 - v) * (h10 - h11)
    above: float = ray[2] + ray[5] * t - ground
    return above


@compiled_nogil
def _in_cell(
    heights: Floats32, i: int, j: int, ray: Array, enter: float, leave: float, normal: Array
) -> float:  # pragma: no cover - compiled
    """Return where a ray crosses the ground in a cell, or -1: above its triangles it is straight.

    The ends of the cell reach a little into its neighbours, so that nothing slips through.
    """
    speed = max(abs(ray[3]), abs(ray[4]))
    slack = 2.0 * _NUDGE / speed if speed > 0 else 0.0
    a, b = max(enter - slack, 0.0), leave + slack
    slant = ray[3] + ray[4]
    middle = b
    if abs(slant) > 1e-15:
        middle = min(max((1.0 - (ray[0] - i) - (ray[1] - j)) / slant, a), b)
    for part in range(2):
        start, stop = (a, middle) if part == 0 else (middle, b)
        if stop <= start:
            continue
        over, under = _above(heights, i, j, ray, start), _above(heights, i, j, ray, stop)
        if (over >= 0.0) != (under >= 0.0) or over == 0.0:
            t = start + (stop - start) * over / (over - under) if over != under else start
            _slope(heights, i, j, ray, 0.5 * (start + stop), normal)
            return t
    return -1.0


@compiled_nogil
def _slope(
    heights: Floats32, i: int, j: int, ray: Array, t: float, normal: Array
) -> None:  # pragma: no cover - compiled
    """Write how much the triangle under a ray rises per cell."""
    h10, h01 = float(heights[i + 1, j]), float(heights[i, j + 1])
    if ray[0] + ray[3] * t - i + ray[1] + ray[4] * t - j <= 1.0:
        normal[0], normal[1] = h10 - float(heights[i, j]), h01 - float(heights[i, j])
    else:
        h11 = float(heights[i + 1, j + 1])
        normal[0], normal[1] = h11 - h01, h11 - h10
