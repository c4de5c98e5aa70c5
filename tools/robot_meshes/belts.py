"""Tracks: belts with cleats laid round their wheels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robot_meshes.forms import sweep
from robot_meshes.mesh import TAU, Array, Mesh, Point2, Point3, join


def hull_path(circles: Sequence[Point3], links: int) -> tuple[Array, Array]:
    """Find points and outward normals, evenly along the line round circles (x, z, radius)."""
    angle = TAU * np.arange(180) / 180
    spots = [(x + r * np.cos(angle), z + r * np.sin(angle)) for x, z, r in circles]
    loop = _convex_hull(np.concatenate([np.stack(s, axis=-1) for s in spots]))
    loop = np.vstack([loop, loop[:1]])
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    at = np.linspace(0.0, run[-1], links, endpoint=False)
    points = np.stack([np.interp(at, run, loop[:, k]) for k in (0, 1)], axis=-1)
    along = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return points, np.stack([along[:, 1], -along[:, 0]], axis=-1)


def _convex_hull(points: Array) -> Array:
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    return np.array(_half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1])


def _half_hull(points: Array) -> list[Array]:
    chain: list[Array] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 1e-12:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def belt(
    circles: Sequence[Point3],
    width: float,
    band: float,
    cleat: float,
    links: int,
    fill: float = 0.45,
) -> Mesh:
    """Lay a belt round circles (x, z, inner radius): a band with a cleat on every link."""
    points, normals = hull_path(circles, links)
    half = width / 2
    rings = [_belt_ring(p, n, (0.0, band), half) for p, n in zip(points, normals, strict=True)]
    pitch = float(np.linalg.norm(points[1] - points[0]))
    cleats = [
        _cleat(p, n, (band * 0.5, band + cleat), half, pitch * fill / 2)
        for p, n in zip(points, normals, strict=True)
    ]
    return join([sweep(np.array(rings), closed=True), *cleats])


def _belt_ring(p: Array, n: Array, lift: Point2, half: float) -> list[Point3]:
    low, high = p + n * lift[0], p + n * lift[1]
    corners = [(low, -half), (high, -half), (high, half), (low, half)]
    return [(float(q[0]), y, float(q[1])) for q, y in corners]


def _cleat(p: Array, n: Array, lift: Point2, half: float, reach: float) -> Mesh:
    along = np.array([-n[1], n[0]])
    base = (
        _belt_ring(p - along * reach, n, lift, half),
        _belt_ring(p + along * reach, n, lift, half),
    )
    rings = np.array(base)
    middle = rings[:, [1, 2]].mean(axis=0)
    rings[:, [1, 2]] = middle + (rings[:, [1, 2]] - middle) * 0.7  # the top is narrower
    return sweep(rings)
