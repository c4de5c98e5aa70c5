"""Compiled: which points of a picture in rows and columns are ground, and which form clusters."""

import numpy as np
from numba import njit

NOTHING, GROUND, OBSTACLE = 0, 1, 2


@njit(cache=True)
def walk(image, xyz, labels, ground_z, slope, step):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Walk up every column from the robot outward: what rises steeper than ``slope`` is no ground.

    ``xyz`` is level, seen from the sensor; ``step`` is the roughness that is always allowed.
    """
    rows, columns = image.shape
    for c in range(columns):
        last_r, last_z = 0.0, ground_z
        for r in range(rows):
            i = image[r, c]
            if i < 0:
                continue
            x, y, z = xyz[i, 0], xyz[i, 1], xyz[i, 2]
            far = np.sqrt(x * x + y * y)
            rise, run = z - last_z, far - last_r
            if rise > slope * max(run, 0.0) + step + 0.004 * far:
                labels[i] = OBSTACLE
            else:
                labels[i] = GROUND
                if run > 0.0 or rise < 0.0:
                    last_r, last_z = far, z


@njit(cache=True)
def _find(parent, i):  # type: ignore[no-untyped-def]  # pragma: no cover
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(cache=True)
def cluster_sizes(cells, counts, width):  # type: ignore[no-untyped-def]  # pragma: no cover
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
