"""Triangles over shared points, and how they are put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Faces = NDArray[np.int64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
TAU = 2.0 * np.pi


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles over shared points."""

    points: Array
    faces: Faces


def join(parts: Iterable[Mesh]) -> Mesh:
    """Put all parts in one mesh."""
    parts = list(parts)
    starts = np.cumsum([0] + [len(p.points) for p in parts])
    faces = [p.faces + start for p, start in zip(parts, starts, strict=False)]
    return Mesh(np.concatenate([p.points for p in parts]), np.concatenate(faces))


def moved(mesh: Mesh, by: Point3) -> Mesh:
    """Shift the mesh."""
    return Mesh(mesh.points + np.asarray(by), mesh.faces)


def mirrored(mesh: Mesh, axis: int = 1) -> Mesh:
    """Negate one coordinate and keep the mesh facing outwards."""
    points = mesh.points.copy()
    points[:, axis] *= -1.0
    return Mesh(points, mesh.faces[:, ::-1])


def both_sides(mesh: Mesh, axis: int = 1) -> Mesh:
    """Add the mirror image of the mesh to it."""
    return join([mesh, mirrored(mesh, axis)])


def y_to_z(mesh: Mesh) -> Mesh:
    """Turn a mesh made around y so that it stands around z."""
    return Mesh(mesh.points[:, [2, 0, 1]], mesh.faces)


def y_to_x(mesh: Mesh) -> Mesh:
    """Turn a mesh made around y so that it lies around x."""
    return Mesh(mesh.points[:, [1, 2, 0]], mesh.faces)


def rolled(mesh: Mesh, angle: float) -> Mesh:
    """Turn the mesh about the y axis."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return Mesh(mesh.points @ turn.T, mesh.faces)


def around(mesh: Mesh, count: int) -> Mesh:
    """Spread `count` copies evenly about the y axis."""
    return join(rolled(mesh, TAU * i / count) for i in range(count))


def outward(mesh: Mesh) -> Mesh:
    """Make the triangles face out (positive volume) and drop empty ones."""
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    faces = mesh.faces[np.linalg.norm(normals, axis=1) > 1e-12]
    return Mesh(mesh.points, faces if np.sum(a * normals) > 0.0 else faces[:, ::-1])
