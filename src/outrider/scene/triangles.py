"""Shapes as triangles for rays: fine enough for ranges accurate to a tenth of a millimetre."""

import math
from dataclasses import replace

import numpy as np

from outrider.world.shapes import Capsule, Cone, Cylinder, Mesh, Plane, Shape, Sphere
from outrider.world.tessellate import SEGMENTS, tessellate

TOLERANCE = 1e-4  # m between a round shape and its triangles
BUDGET = 2_000_000  # triangles of all round shapes of a surface; beyond, the tolerance is doubled
_MOST_SEGMENTS = 512


def tolerance_for(shapes: list[Shape]) -> float:
    """Return the finest tolerance that keeps all round shapes together within the budget."""
    tolerance = TOLERANCE
    while sum(_count(shape, tolerance) for shape in shapes) > BUDGET and tolerance < 0.1:
        tolerance *= 2
    return tolerance


def triangles(shape: Shape, tolerance: float = TOLERANCE) -> Mesh:
    """Return the surface; round shapes lie half inside and half outside of their triangles."""
    match shape:
        case Plane():
            return _graded_plane(shape)
        case Sphere(radius=r) | Capsule(radius=r) | Cylinder(radius=r) | Cone(radius=r):
            n = segments(shape, tolerance)
            grown = r * (1 + _sagitta(shape, n) / 2)
            return tessellate(replace(shape, radius=grown), n)
    return tessellate(shape)


def segments(shape: Shape, tolerance: float) -> int:
    """Return how many segments a turn of a round shape needs, a multiple of four."""
    radius = getattr(shape, "radius", 0.0)
    needed = math.sqrt(radius * _sagitta(shape, 1) / (2 * tolerance))
    return 4 * math.ceil(min(max(needed, SEGMENTS), _MOST_SEGMENTS) / 4)


def _sagitta(shape: Shape, n: int) -> float:
    """Return how far the middle of a facet lies inside, per radius; balls bend both ways."""
    bends = 2 if isinstance(shape, Sphere | Capsule) else 1
    return bends * math.pi**2 / (2 * n * n)


def _count(shape: Shape, tolerance: float) -> int:
    match shape:
        case Sphere() | Capsule():
            return segments(shape, tolerance) ** 2
        case Cylinder() | Cone():
            return 4 * segments(shape, tolerance)
    return 0


def _graded_plane(plane: Plane) -> Mesh:
    """Cut a plane into cells of 10 m near its centre, growing outward: large ones lose digits."""
    half = plane.size / 2
    near = np.arange(0.0, min(half, 100.0), 10.0)
    outer = np.geomspace(100.0, half, 8) if half > 100.0 else np.array([half])
    line = np.concatenate([near, outer])
    line = np.concatenate([-line[:0:-1], line])
    n = len(line)
    x, y = np.meshgrid(line, line, indexing="ij")
    vertices = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    return Mesh(vertices, faces.astype(np.int32))
