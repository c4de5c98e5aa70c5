"""Fixed surfaces of any form as thin convex solids, one behind each flat part of the surface.

In front they are the surface itself, with all its holes; behind they reach only as deep as the
solid does. A rectangle becomes a box, any other polygon a flat pyramid.
"""

from __future__ import annotations

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.colliders.mesh import Piece
from outrider.physics.colliders.polygons import polygons
from outrider.physics.colliders.primitives import frame
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Mesh, Shape

DEEPEST = 0.5  # m, in a solid
UNDER_GROUND = 0.25  # m, below a sheet that is looked at from above: nobody is there
BEHIND = 0.01  # m, behind any other sheet
_SHALLOWEST = 1e-3
_INSET = 0.002  # how far inside of a polygon's corners its depth is measured
_PROBES = 24  # points of each polygon where its depth is measured


def slabs(piece: Piece, pose: Pose) -> list[tuple[Shape, Pose]]:
    """Return solids behind every flat part of a piece that stands at a pose in the world."""
    loops = [(piece.vertices[loop], normal) for loop, normal in polygons(piece)]
    up = matrix_from_quaternion(pose.rotation)[2]
    depths = _Gauge(piece, up).depths(loops)
    made = [
        _slab(corners, normal, *depth)
        for (corners, normal), depth in zip(loops, depths, strict=True)
    ]
    return [item for item in made if item is not None]


class _Gauge:
    """Measures how deep a piece is behind its surface, by rays."""

    def __init__(self, piece: Piece, up: Array) -> None:
        self.surface = Surface([Geometry(piece.mesh())])
        self.vertices = piece.vertices
        self.skip = 1e-4 * piece.size
        self.up = up

    def depths(self, loops: list[tuple[Array, Array]]) -> list[tuple[float, float]]:
        """Return for each polygon how deep a pyramid and how deep a box may be behind it."""
        probes = [_probes(corners) for corners, _ in loops]
        ways = np.repeat([-normal for _, normal in loops], _PROBES, axis=0)
        starts = np.concatenate(probes) + self.skip * ways
        spans = np.repeat([np.ptp(c, axis=0).max() for c, _ in loops], _PROBES)
        room = self._room(starts, ways, spans).reshape(-1, _PROBES)
        free = np.full(len(loops), DEEPEST)
        if len(loops) * len(self.vertices) < 50_000_000:
            free = np.array([self._nearest_corner(*loop) for loop in loops])
        pyramid = 0.5 * np.minimum(room[:, 0], free)
        box = np.minimum(room.min(axis=1), free)
        return list(zip(pyramid.tolist(), box.tolist(), strict=True))

    def _nearest_corner(self, corners: Array, normal: Array) -> float:
        """Return how far behind a polygon the first corner of the mesh lies."""
        depth = (corners[0] - self.vertices) @ normal
        behind = self.vertices[(depth > 2 * self.skip) & (depth < DEEPEST)]
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            inward = np.cross(normal, end - start)
            inward /= np.linalg.norm(inward)
            behind = behind[(behind - start) @ inward > self.skip]
        return float(((corners[0] - behind) @ normal).min()) if len(behind) else DEEPEST

    def _room(self, starts: Array, ways: Array, spans: Array) -> Array:
        """Return how far behind the surface one may go: to the back of the solid, or hardly."""
        far = np.full(len(starts), 2 * DEEPEST, np.float32)
        hits = self.surface.cast(starts.astype(np.float32), ways.astype(np.float32), far)
        met = hits.shape >= 0
        solid = met & (np.einsum("ij,ij->i", hits.normal, ways) > 0)
        below = np.clip(0.1 * spans, BEHIND, UNDER_GROUND)  # little under a leaf
        sheet = np.where(-(ways @ self.up) > 0.5, below, BEHIND)
        distance = hits.distance.astype(np.float64) + self.skip
        room: Array = np.where(
            solid, np.minimum(distance, DEEPEST), np.where(met, np.minimum(distance, sheet), sheet)
        )
        return room


def _probes(corners: Array) -> Array:
    """Return the middle of a polygon, points near its corners, and points between."""
    middle = corners.mean(axis=0)
    random = np.random.default_rng(0)
    near = (corners + _INSET * (middle - corners))[: _PROBES - 1]
    weights = random.dirichlet(np.full(len(corners), 0.7), _PROBES - 1 - len(near))
    return np.vstack([middle, near, weights @ (corners + _INSET * (middle - corners))])


def _slab(corners: Array, normal: Array, pyramid: float, box: float) -> tuple[Shape, Pose] | None:
    square = _rectangle(corners, normal)
    if square is not None and box > 0.5 * pyramid:
        return _box(corners, *square, max(box, _SHALLOWEST))
    area = np.cross(corners[1:-1] - corners[0], corners[2:] - corners[0]) @ normal
    if area.sum() < 1e-9:
        return None
    return _pyramid(corners, normal, max(pyramid, _SHALLOWEST)), Pose()


def _rectangle(corners: Array, normal: Array) -> tuple[Array, Array] | None:
    """Return the axes (rows) and edge lengths of a polygon that is a rectangle."""
    if len(corners) != 4:
        return None
    one, other = corners[1] - corners[0], corners[3] - corners[0]
    off = np.linalg.norm(corners[0] + one + other - corners[2])
    lengths = np.array([np.linalg.norm(one), np.linalg.norm(other)])
    if off > 1e-4 * lengths.min() or abs(float(one @ other)) > 1e-4 * float(np.prod(lengths)):
        return None
    first = one / lengths[0]
    return np.stack([first, np.cross(normal, first), normal]), lengths


def _box(corners: Array, axes: Array, lengths: Array, depth: float) -> tuple[Shape, Pose]:
    centre = (corners[0] + corners[2]) / 2 - depth / 2 * axes[2]
    return Box((float(lengths[0]), float(lengths[1]), depth)), frame(axes, centre)


def _pyramid(corners: Array, normal: Array, depth: float) -> Mesh:
    """Return the solid between a polygon and a point behind its middle."""
    count = len(corners)
    apex = corners.mean(axis=0) - depth * normal
    base = [[0, i, i + 1] for i in range(1, count - 1)]
    sides = [[(i + 1) % count, i, count] for i in range(count)]
    return Mesh(np.vstack([corners, apex]), np.array(base + sides, np.int32))
