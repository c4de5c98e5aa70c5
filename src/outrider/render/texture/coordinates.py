"""Texture coordinates for shapes without any: tiled every so many metres."""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.render.alpha_test import has_holes
from outrider.scene.surface import Floats32
from outrider.world.model import Geometry
from outrider.world.shapes import (
    Capsule,
    Cone,
    Cylinder,
    Faces,
    HeightField,
    Mesh,
    Plane,
    Sphere,
)


def texture_coordinates(
    geometry: Geometry, vertices: Floats32, faces: Faces
) -> tuple[Floats32, Faces] | None:
    """Return texture coordinates and which of them each corner has; None without a texture.

    ``vertices`` are the shape's as they stand in its part. Flat shapes and unmarked meshes are
    covered from the side their triangles face most; round ones are wrapped. From outside, nothing
    is mirrored, unless the texture has holes: these go straight through.
    """
    if not geometry.material.texture:
        return None
    shape, size = geometry.shape, geometry.material.texture_size
    if isinstance(shape, Mesh) and shape.uv is not None and len(shape.uv) == len(vertices):
        return np.ascontiguousarray(shape.uv, np.float32), faces
    through = has_holes(geometry.material)
    own = geometry.pose.inverse().apply(vertices.astype(np.float64))
    match shape:
        case Plane() | HeightField():
            return _spread(own[:, :2], size), faces
        case Sphere(radius=r) | Capsule(radius=r) | Cylinder(radius=r) | Cone(radius=r):
            return _wrapped(own, faces, r, size, through=through)
    return _covered(own, faces, size, through=through)


def _spread(uv: Array, size: float) -> Floats32:
    """Scale metres to copies of the texture; size 0 stretches one copy over all."""
    if size > 0:
        return np.asarray(uv / size, np.float32)
    low, high = uv.min(axis=0), uv.max(axis=0)
    return np.asarray((uv - low) / np.maximum(high - low, 1e-9), np.float32)


def _covered(points: Array, faces: Faces, size: float, *, through: bool) -> tuple[Floats32, Faces]:
    """Look at every triangle from the side it faces most; ``through``: from that or opposite it."""
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    normal = np.cross(b - a, c - a)
    side = np.argmax(np.hstack([normal, -normal]), axis=1)
    corners = faces + (side * len(points))[:, None]
    x, y, z = points.T
    # what is to the right and what is up, seen from +x, +y, +z, -x, -y and -z
    views = ((y, z), (-x, z), (x, y), (-y, z), (x, z), (-x, y))
    if through:
        views = (views[0], views[4], views[2]) * 2
    used = np.zeros((len(views), len(points)), np.bool_)
    used.reshape(-1)[corners] = True
    uv = [_spread(np.column_stack(view), size)[u] for view, u in zip(views, used, strict=True)]
    number = np.cumsum(used.reshape(-1), dtype=np.int32) - 1
    return np.concatenate(uv), number[corners]


def _wrapped(
    points: Array, faces: Faces, radius: float, size: float, *, through: bool
) -> tuple[Floats32, Faces]:
    """Wrap a texture about z, a whole number of copies around; caps are covered from outside."""
    around = 1 if size <= 0 else max(1, round(2 * math.pi * radius / size))
    up = points[:, 2] / size if size > 0 else _spread(points[:, 2:], 0.0)[:, 0]
    angle = np.arctan2(points[:, 1], points[:, 0])[faces]
    centre = np.arctan2(*np.flip(points[faces].mean(axis=1)[:, :2], axis=1).T)
    laps = np.round((angle - centre[:, None]) / (2 * math.pi))  # the seam: no way round the back
    angle = angle - 2 * math.pi * laps
    on_axis = np.hypot(points[:, 0], points[:, 1])[faces] < 1e-9
    angle = np.where(on_axis, centre[:, None], angle)
    wrapped = np.stack([angle / (2 * math.pi) * around, up[faces]], axis=2)
    corner = points[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    cap = np.abs(normal[:, 2]) > 0.999 * np.linalg.norm(normal, axis=1)
    above = _spread(points[:, :2], size)[faces]
    below = _spread(points[:, :2] * [-1.0, 1.0], size)[faces]
    covered = np.where((through | (normal[:, 2] > 0))[:, None, None], above, below)
    uv = np.where(cap[:, None, None], covered, wrapped).reshape(-1, 2)
    unique, number = np.unique(uv.round(7), axis=0, return_inverse=True)
    return unique.astype(np.float32), number.reshape(-1, 3).astype(np.int32)
