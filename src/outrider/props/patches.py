"""Pieces of textured surface: created, moved, joined; uv counts copies of the image."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from outrider.core.frames import Array
from outrider.world.shapes import Faces, Mesh


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Textured triangles: ``vertices`` (n, 3) m, ``faces`` (m, 3), ``uv`` (n, 2)."""

    vertices: Array
    faces: Faces
    uv: Array

    @property
    def triangles(self) -> int:
        """How many triangles there are."""
        return len(self.faces)

    def moved(self, by: ArrayLike = (0.0, 0.0, 0.0), yaw: float = 0.0) -> Patch:
        """Return the patch rotated about z by so many radians, then shifted."""
        return Patch(self.vertices @ rotation_z(yaw).T + np.asarray(by, float), self.faces, self.uv)

    def rotated(self, matrix: Array) -> Patch:
        """Return the patch with its vertices multiplied by a (3, 3) matrix."""
        return Patch(self.vertices @ matrix.T, self.faces, self.uv)

    def mesh(self, source: str = "") -> Mesh:
        """Return the patch as a mesh of the world."""
        return Mesh(self.vertices, self.faces, source, self.uv)


def joined(patches: Iterable[Patch]) -> Patch:
    """Return several patches as one."""
    parts = list(patches)
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    faces = [part.faces + first[i] for i, part in enumerate(parts)]
    return Patch(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate(faces).astype(np.int32),
        np.concatenate([part.uv for part in parts]),
    )


def rotation_z(yaw: float) -> Array:
    """Return the rotation about z by so many radians."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_x(roll: float) -> Array:
    """Return the rotation about x by so many radians."""
    c, s = math.cos(roll), math.sin(roll)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(pitch: float) -> Array:
    """Return the rotation about y by so many radians."""
    c, s = math.cos(pitch), math.sin(pitch)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def quads(corners: ArrayLike, uv: ArrayLike) -> Patch:
    """Return quads of corners (n, 4, 3), counter-clockwise from outside, with places (n, 4, 2)."""
    return polygons(np.asarray(corners, float).reshape(-1, 4, 3), uv)


def polygons(corners: Array, uv: ArrayLike) -> Patch:
    """Return convex shapes of corners (n, k, 3) as fans, with texture coordinates (n, k, 2)."""
    n, k, _ = corners.shape
    places = np.broadcast_to(np.asarray(uv, float), (n, k, 2))
    fan = np.stack([np.zeros(k - 2), np.arange(1, k - 1), np.arange(2, k)], axis=1)
    faces = (np.arange(n)[:, None, None] * k + fan).astype(np.int32)
    return Patch(corners.reshape(-1, 3), faces.reshape(-1, 3), places.reshape(-1, 2).copy())


def wall(corners: ArrayLike, metres: float | tuple[float, float]) -> Patch:
    """Return a quad whose image measures so many metres: u along its first edge, v up the next."""
    points = np.asarray(corners, float).reshape(4, 3)
    across, up = (metres, metres) if isinstance(metres, float) else metres
    width = np.linalg.norm(points[1] - points[0]) / across
    height = np.linalg.norm(points[3] - points[0]) / up
    places = np.array([[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]])
    return quads(points[None], places)


def triangle(corners: ArrayLike, metres: float | tuple[float, float]) -> Patch:
    """Return one triangle, its image upright in the plane of its first edge and its tip."""
    points = np.asarray(corners, float).reshape(3, 3)
    across, up = (metres, metres) if isinstance(metres, float) else metres
    edge = points[1] - points[0]
    length = float(np.linalg.norm(edge))
    side = points[2] - points[0]
    along = float(side @ edge) / length
    rise = float(np.linalg.norm(side - edge * along / length))
    uv = np.array([[0, 0], [length / across, 0], [along / across, rise / up]])
    return Patch(points, np.array([[0, 1, 2]], np.int32), uv)


_SIDES = {
    "-x": (0, 4, 6, 2),
    "+x": (1, 5, 7, 3),
    "-y": (0, 1, 3, 2),
    "+y": (4, 5, 7, 6),
    "-z": (0, 1, 5, 4),
    "+z": (2, 3, 7, 6),
}  # corner k: bit 0 of k says the side in x, bit 1 in z, bit 2 in y


def box(
    size: ArrayLike,
    centre: ArrayLike = (0.0, 0.0, 0.0),
    metres: float | tuple[float, float] = 1.0,
    leave_out: Sequence[str] = (),
) -> Patch:
    """Return a box without the sides left out; the image measures so many metres on each side."""
    k = np.arange(8)
    signs = np.stack([k & 1, k >> 2 & 1, k >> 1 & 1], axis=1) - 0.5
    corners = signs * np.asarray(size, float) + np.asarray(centre, float)
    kept = [corners[list(ids)] for side, ids in _SIDES.items() if side not in leave_out]
    return joined(wall(_outward(side, np.asarray(centre, float)), metres) for side in kept)


def _outward(corners: Array, centre: Array) -> Array:
    """Return a quad so that it faces away from a point inside."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    away = corners.mean(axis=0) - centre
    return corners if normal @ away >= 0 else corners[[1, 0, 3, 2]]


def tube(
    path: ArrayLike,
    radii: ArrayLike,
    sides: int = 8,
    metres: tuple[float, float] = (1.0, 1.0),
    closed: tuple[bool, bool] = (False, False),
) -> Patch:
    """Return a round surface around a path (n, 3); the image goes round it in whole turns."""
    points, radius = np.asarray(path, float), np.broadcast_to(radii, len(np.asarray(path)))
    along, across, other = frames_along(points)
    angle = np.linspace(0.0, 2 * math.pi, sides + 1)
    ring = across[:, None] * np.cos(angle)[:, None] + other[:, None] * np.sin(angle)[:, None]
    vertices = points[:, None] + ring * np.asarray(radius)[:, None, None]
    uv = _wrapped(points, float(np.max(radius)), angle, metres)
    grid = Patch(vertices.reshape(-1, 3), _grid_faces(len(points), sides + 1), uv.reshape(-1, 2))
    ends = [i for i, shut in ((0, closed[0]), (-1, closed[1])) if shut]
    caps = [_cap(vertices[i, :-1], -1.0 if i == 0 else 1.0, along[i], metres[0]) for i in ends]
    return joined([grid, *caps])


def _wrapped(path: Array, radius: float, angle: Array, metres: tuple[float, float]) -> Array:
    """Return texture coordinates along a path and round it: whole turns at its widest."""
    turns = max(1, round(2 * math.pi * radius / metres[0]))
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    around, along = angle / (2 * math.pi) * turns, (length / metres[1])[:, None]
    return np.stack(np.broadcast_arrays(around, along), axis=-1)


def frames_along(points: Array) -> tuple[Array, Array, Array]:
    """Return unit vectors along a path and two across it, right-handed, at each point."""
    step = np.gradient(points, axis=0)
    along = step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    helper = np.eye(3)[np.argmin(np.abs(along).mean(axis=0))]
    across = np.cross(np.broadcast_to(helper, along.shape), along)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    return along, across, np.cross(along, across)


def _grid_faces(rows: int, columns: int) -> Faces:
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1, 1)
    pair = np.array([0, 1, columns + 1, 0, columns + 1, columns])
    faces: Faces = (corner + pair).reshape(-1, 3).astype(np.int32)
    return faces


def _cap(ring: Array, sign: float, along: Array, metres: float) -> Patch:
    """Return the flat end of a tube as a fan."""
    count = len(ring)
    order = np.arange(1, count - 1)
    fan = np.column_stack([np.zeros_like(order), order, order + 1])
    faces = (fan if sign > 0 else fan[:, ::-1]).astype(np.int32)
    centre = ring.mean(axis=0)
    _, across, other = frames_along(np.stack([centre, centre + along]))
    flat = np.stack([(ring - centre) @ across[0], (ring - centre) @ other[0]], axis=1)
    return Patch(ring, faces, flat / metres)


def lathe(profile: ArrayLike, sides: int = 16, metres: tuple[float, float] = (1.0, 1.0)) -> Patch:
    """Return what a profile (n, 2) of radius and height, from below, sweeps about z."""
    points = np.asarray(profile, float)
    angle = np.linspace(0.0, 2 * math.pi, sides + 1)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    xy = points[:, 0, None, None] * ring
    z = np.broadcast_to(points[:, 1, None, None], (*xy.shape[:2], 1))
    uv = _wrapped(points, float(points[:, 0].max()), angle, metres)
    patch = Patch(
        np.concatenate([xy, z], axis=-1).reshape(-1, 3),
        _grid_faces(len(points), sides + 1),
        uv.reshape(-1, 2),
    )
    return _without_slivers(patch)


def _without_slivers(patch: Patch) -> Patch:
    """Drop triangles that have no area, as at the tip of a cone."""
    a, b, c = (patch.vertices[patch.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return Patch(patch.vertices, patch.faces[area > 1e-10], patch.uv)
