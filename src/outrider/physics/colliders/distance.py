"""Distances from points to the nearest of many triangles."""

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.frames import Array


def nearest(points: Array, corners: Array) -> Array:
    """Return the distance of each point (n, 3) to the nearest triangle of corners (m, 3, 3)."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    squares = _nearest(np.ascontiguousarray(points), np.ascontiguousarray(corners), low, high)
    distance: Array = np.sqrt(squares)
    return distance


@compiled
def _nearest(points: Array, corners: Array, low: Array, high: Array) -> Array:
    out = np.empty(len(points))
    start = 0  # the last answer is a good first guess for many points
    for i in range(len(points)):
        p = points[i]
        best = _to_triangle(p, corners[start])
        for j in range(len(corners)):
            bound = 0.0
            for k in range(3):
                outside = max(low[j, k] - p[k], p[k] - high[j, k])
                if outside > 0.0:
                    bound += outside * outside
            if bound < best:
                found = _to_triangle(p, corners[j])
                if found < best:
                    best, start = found, j
        out[i] = best
    return out


@compiled
def _to_triangle(p: Array, t: Array) -> float:
    """Return the squared distance to a triangle: to its plane from above it, else to its edges."""
    ux, uy, uz = t[1, 0] - t[0, 0], t[1, 1] - t[0, 1], t[1, 2] - t[0, 2]
    vx, vy, vz = t[2, 0] - t[0, 0], t[2, 1] - t[0, 1], t[2, 2] - t[0, 2]
    wx, wy, wz = p[0] - t[0, 0], p[1] - t[0, 1], p[2] - t[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    area = nx * nx + ny * ny + nz * nz
    if area > 0.0:
        # the share of each corner at the foot of the point (barycentric coordinates)
        c = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz
        b = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz
        if b >= 0.0 and c >= 0.0 and b + c <= area:
            off = wx * nx + wy * ny + wz * nz
            return off * off / area  # type: ignore[no-any-return]
    return min(_to_edge(p, t[0], t[1]), _to_edge(p, t[1], t[2]), _to_edge(p, t[2], t[0]))


@compiled
def _to_edge(p: Array, a: Array, b: Array) -> float:
    length, along = 0.0, 0.0
    for k in range(3):
        length += (b[k] - a[k]) ** 2
        along += (b[k] - a[k]) * (p[k] - a[k])
    t = 0.0 if length == 0.0 else min(max(along / length, 0.0), 1.0)
    square = 0.0
    for k in range(3):
        square += (p[k] - a[k] - t * (b[k] - a[k])) ** 2
    return square
