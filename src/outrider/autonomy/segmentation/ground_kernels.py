"""Compiled: ground points of a range image, and clusters of the rest."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

Ints: TypeAlias = NDArray[np.integer]

NOTHING, GROUND, OBSTACLE = 0, 1, 2
_WITNESSES = 6  # points above that tell whether one below the ground is a false match
_GAP = 2.0  # m that are believed to go on as they began


@compiled
def _wall_above(
    image: Ints, xyz: Array, r: int, c: int, slope: float, allowed: float
) -> bool:  # pragma: no cover
    """Return whether the next point up the column rises steeply from this one."""
    i = image[r, c]
    for up in range(r + 1, image.shape[0]):
        k = image[up, c]
        if k < 0:
            continue
        here = np.sqrt(xyz[i, 0] ** 2 + xyz[i, 1] ** 2)
        there = np.sqrt(xyz[k, 0] ** 2 + xyz[k, 1] ** 2)
        return bool(xyz[k, 2] - xyz[i, 2] > slope * max(there - here, 0.0) + allowed)
    return False


@compiled
def _contradicted(
    image: Ints, xyz: Array, r: int, c: int, last: tuple[float, float], slope: float, allowed: float
) -> bool:  # pragma: no cover
    """Return whether the next points up the column go on from the ``last`` ground, not from here.

    That is what a false match looks like: it lies below the ground that all others are on.
    """
    i = image[r, c]
    here = np.sqrt(xyz[i, 0] ** 2 + xyz[i, 1] ** 2)
    asked, against = 0, 0
    for up in range(r + 1, image.shape[0]):
        k = image[up, c]
        if k < 0:
            continue
        there = np.sqrt(xyz[k, 0] ** 2 + xyz[k, 1] ** 2)
        above_here = xyz[k, 2] - xyz[i, 2] > slope * max(there - here, 0.0) + 0.5 * allowed
        above_last = xyz[k, 2] - last[1] > slope * max(there - last[0], 0.0) + allowed
        asked += 1
        against += above_here and not above_last
        if asked == _WITNESSES:
            break
    return 2 * against > asked


@compiled
def walk(
    image: Ints, xyz: Array, labels: NDArray[np.uint8], ground_z: float, slope: float, step: float
) -> None:  # pragma: no cover
    """Walk up every column from the robot outward: what rises steeper than ``slope`` is no ground.

    ``xyz`` is level, seen from the sensor; ``step`` is the roughness that is always allowed.
    """
    rows, columns = image.shape
    for c in range(columns):
        last_r, last_z = 0.0, ground_z  # the newest ground
        wall_r, wall_z = -1.0, 0.0  # the newest obstacle
        for r in range(rows):
            i = image[r, c]
            if i < 0:
                continue
            z = xyz[i, 2]
            far = np.sqrt(xyz[i, 0] ** 2 + xyz[i, 1] ** 2)
            rise, run = z - last_z, far - last_r
            allowed = step + 0.004 * far
            # behind a long gap a surface may be anything: it is no ground if it is much higher
            if rise < -slope * max(run, 0.0) - allowed:
                continue  # below the ground: a hole, or a false match; it says nothing
            steep = rise > slope * min(abs(run), _GAP) + allowed
            on_wall = wall_r >= 0.0 and z - wall_z > slope * max(far - wall_r, 0.0)
            high = rise > allowed
            foot = high and _wall_above(image, xyz, r, c, slope, allowed)
            if steep or (on_wall and high) or foot:
                labels[i] = OBSTACLE
                wall_r, wall_z = far, z
                continue
            if rise < -0.5 * allowed and _contradicted(
                image, xyz, r, c, (last_r, last_z), slope, allowed
            ):
                continue
            labels[i] = GROUND
            # what is steep but low is not stood on: many small rises are a large one
            if rise <= slope * max(run, 0.0) + 0.01:
                last_r, last_z = far, z


@compiled
def _find(parent: Ints, i: int) -> int:  # pragma: no cover
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@compiled
def cluster_sizes(cells: Ints, counts: Ints, width: int) -> Ints:  # pragma: no cover
    """Join neighbouring cells (sorted keys) and return how many points each one's cluster has.

    A key is ``(x * width + y) * width + z``.
    """
    n = cells.shape[0]
    parent = np.arange(n)
    for i in range(n):
        for dx in range(2):
            for dy in range(-1, 2):
                for dz in range(-1, 2):
                    shift = (dx * width + dy) * width + dz
                    if shift <= 0:
                        continue
                    j = np.searchsorted(cells, cells[i] + shift)
                    if j < n and cells[j] == cells[i] + shift:
                        a, b = _find(parent, i), _find(parent, j)
                        if a != b:
                            parent[max(a, b)] = min(a, b)
    total = np.zeros(n, np.int64)
    for i in range(n):
        total[_find(parent, i)] += counts[i]
    out = np.empty(n, np.int64)
    for i in range(n):
        out[i] = total[_find(parent, i)]
    return out
