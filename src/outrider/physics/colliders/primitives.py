"""Recognises meshes that are a box, a sphere or a cylinder to a millimetre."""

from __future__ import annotations

import math

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.mesh import Piece
from outrider.world.shapes import Box, Cylinder, Shape, Sphere

TOLERANCE = 1e-3  # m between the mesh and the primitive, and of its size


def primitive(piece: Piece) -> tuple[Shape, Pose] | None:
    """Return the shape a convex piece is, and where it lies in the piece's frame."""
    if not piece.convex:
        return None
    return _box(piece) or _sphere(piece) or _cylinder(piece)


def axes_of(piece: Piece) -> Array | None:
    """Return three directions at right angles (rows) along which all triangles face, or None."""
    first = piece.normals[int(np.argmax(piece.areas))]
    across = np.abs(piece.normals @ first) < 1e-4
    if not across.any():
        return None
    second = piece.normals[int(np.argmax(np.where(across, piece.areas, -1.0)))]
    second = second - first * (first @ second)
    second /= np.linalg.norm(second)
    axes = _tidy(np.stack([first, second, np.cross(first, second)]))
    along = np.abs(piece.normals @ axes.T).max(axis=1)
    return axes if (along > 1 - 1e-6).all() else None


def frame(axes: Array, centre: Array) -> Pose:
    """Return the pose whose x, y and z are the rows of ``axes``."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = axes.T, centre
    return Pose.from_matrix(matrix)


def _tidy(axes: Array) -> Array:
    """Order axes so that a box that stands straight keeps its x, y and z."""
    order = [int(np.argmax(np.abs(axes[:, k]))) for k in range(3)]
    if sorted(order) != [0, 1, 2]:
        return axes
    turned = axes[order] * np.sign(axes[order].diagonal())[:, None]
    return turned if np.linalg.det(turned) > 0 else axes


def _limit(piece: Piece) -> float:
    return min(TOLERANCE, TOLERANCE * 10 * piece.size)


def _box(piece: Piece) -> tuple[Shape, Pose] | None:
    axes = axes_of(piece)
    if axes is None:
        return None
    local = piece.vertices @ axes.T
    low, high = local.min(axis=0), local.max(axis=0)
    edges = high - low
    if abs(float(np.prod(edges)) - piece.volume) > 1e-6 * float(np.prod(edges)):
        return None
    x, y, z = (float(edge) for edge in edges)
    return Box((x, y, z)), frame(axes, (low + high) / 2 @ axes)


def _sphere(piece: Piece) -> tuple[Shape, Pose] | None:
    low, high = piece.vertices.min(axis=0), piece.vertices.max(axis=0)
    centre, limit = (low + high) / 2, _limit(piece)
    radius = np.linalg.norm(piece.vertices - centre, axis=1)
    depth = np.einsum("ij,ij->i", piece.normals, piece.corners[:, 0] - centre)
    if radius.max() - min(radius.min(), depth.min()) > limit:
        return None
    return Sphere(float(radius.max())), Pose(centre)


def _cylinder(piece: Piece) -> tuple[Shape, Pose] | None:
    for axis in _candidates(piece):
        found = _about(piece, axis)
        if found:
            return found
    return None


def _candidates(piece: Piece) -> list[Array]:
    """Return directions that the flat ends of a cylinder may face."""
    largest = piece.normals[int(np.argmax(piece.areas))]
    return [*np.eye(3), largest, _common(piece)]


def _common(piece: Piece) -> Array:
    """Return the direction that most of the surface faces or is at right angles to."""
    weighted = (piece.normals * piece.areas[:, None]).T @ piece.normals
    values, vectors = np.linalg.eigh(weighted)
    apart = np.abs(values - np.median(values))
    axis: Array = vectors[:, int(np.argmax(apart))]
    return axis


def _about(piece: Piece, axis: Array) -> tuple[Shape, Pose] | None:
    along = np.abs(piece.normals @ axis)
    side = along < 1e-3
    if not (side | (along > 1 - 1e-6)).all() or not side.any():
        return None
    other = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    other /= np.linalg.norm(other)
    axes = np.stack([other, np.cross(axis, other), axis])
    local = piece.vertices @ axes.T
    low, high = local.min(axis=0), local.max(axis=0)
    rim = np.unique(piece.faces[side])
    middle = _circle_centre(local[rim, :2])
    radius = np.linalg.norm(local[rim, :2] - middle, axis=1)
    start = (piece.corners[side, 0] @ axes.T)[:, :2] - middle
    depth = np.einsum("ij,ij->i", (piece.normals[side] @ axes.T)[:, :2], start)
    if radius.max() - min(radius.min(), depth.min()) > _limit(piece):
        return None
    centre = np.array([*middle, (low[2] + high[2]) / 2]) @ axes
    pose = Pose(centre) if axis[2] > 1 - 1e-12 else frame(axes, centre)
    return Cylinder(float(radius.max()), float(high[2] - low[2])), pose


def _circle_centre(points: Array) -> Array:
    """Return the centre of the circle that fits points best."""
    system = np.column_stack([2 * points, np.ones(len(points))])
    found, *_ = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)
    centre: Array = found[:2]
    return centre if math.isfinite(float(centre.sum())) else points.mean(axis=0)
