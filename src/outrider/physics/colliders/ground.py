"""Ground meshes as height fields: taken from the mesh's own grid, or looked at from above."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.colliders.mesh import Piece
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Faces, HeightField, Mesh
from outrider.world.tessellate import heightfield_height

MOST_HEIGHTS = 4_000_000
PIT = 100.0  # m below the lowest ground: what falls into a hole does not land on anything
CLOSE = 0.02  # m: a field that is this true needs no finer cells
_STEEP = 0.02  # how far a ground's triangle may overhang: sine of the angle
_LEAST_CELLS = 8
_PROBES = 20_000


def is_ground(piece: Piece, pose: Pose) -> bool:
    """Tell whether every triangle can be seen from above, in the world.

    The sides of a sheet do not count if there is nothing else above or below it: many programs
    write grounds inside out.
    """
    upward = piece.crosses @ matrix_from_quaternion(pose.rotation)[2]
    flat = np.abs(upward) > 2 * _STEEP * piece.areas
    if not flat.any():
        return False
    if not (upward[flat] < 0).any():
        return True
    return not piece.closed and bool(flat.all()) and _single(piece, pose)


def _single(piece: Piece, pose: Pose) -> bool:
    """Tell whether the same surface is met from above and from below, at random points."""
    surface = Surface([Geometry(piece.mesh(), pose)])
    points = pose.apply(_on_triangles(piece.vertices, piece.faces, 2000))
    seen = heights_below(surface, points[:, :2])
    apart = np.abs(seen - points[:, 2])
    return bool(np.nanmax(apart) < 1e-3 * max(piece.size, 1.0))


def _on_triangles(vertices: Array, faces: Faces, count: int) -> Array:
    """Return random points on triangles, as many on small ones as on large ones."""
    random = np.random.default_rng(0)
    chosen = random.integers(0, len(faces), count)
    weights = random.dirichlet(np.ones(3), count)
    points: Array = np.einsum("ij,ijk->ik", weights, vertices[faces[chosen]])
    return points


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A height field, its pose in the upright frame, and how true it is to the mesh."""

    field: HeightField
    pose: Pose
    gap: float  # m, the largest difference of height seen, rims of holes aside
    holes: bool = False  # whether it has pits, whose rims are true to a cell only


def height_field(piece: Piece, pose: Pose) -> Ground:
    """Return a field like the ground that stands at a pose."""
    world = Mesh(pose.apply(piece.vertices), piece.faces)
    own = _own_grid(world)
    if own is not None:
        return Ground(*own, _difference(world, *own))
    return _looked_at(world)


def _own_grid(mesh: Mesh) -> tuple[HeightField, Pose] | None:
    """Return the field of a mesh whose corners are a full, even grid; no digit changes."""
    x, y = (np.unique(np.round(mesh.vertices[:, k], 6)) for k in (0, 1))
    count = len(mesh.vertices)
    if len(x) * len(y) != count or len(mesh.faces) != 2 * (len(x) - 1) * (len(y) - 1):
        return None
    if not (_even(x) and _even(y)):
        return None
    order = np.lexsort((np.round(mesh.vertices[:, 1], 6), np.round(mesh.vertices[:, 0], 6)))
    placed = mesh.vertices[order].reshape(len(x), len(y), 3)
    if np.ptp(placed[:, :, 0], axis=1).max() > 1e-5 or np.ptp(placed[:, :, 1], axis=0).max() > 1e-5:
        return None
    size = float(x[-1] - x[0]), float(y[-1] - y[0])
    centre = np.array([(x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2, 0.0])
    return HeightField(placed[:, :, 2], size), Pose(centre)


def _even(line: Array) -> bool:
    steps = np.diff(line)
    return len(steps) > 0 and bool(np.ptp(steps) < 1e-3 * steps.mean() + 2e-6)


def _looked_at(mesh: Mesh) -> Ground:
    """Sample a ground at its own resolution, and finer as long as that brings it closer."""
    surface = Surface([Geometry(mesh)])
    extent = np.maximum(surface.high - surface.low, 1e-9)
    cell = math.sqrt(2 * extent[0] * extent[1] / surface.triangles)
    best: Ground | None = None
    for _ in range(4):
        counts = np.clip(np.round(extent[:2] / cell), _LEAST_CELLS, None).astype(int)
        if best is not None and (best.gap < CLOSE or counts.prod() > MOST_HEIGHTS):
            break
        made = _sampled(mesh, surface, _bounded(counts))
        if best is None or made.gap < 0.9 * best.gap:
            best = made
        cell /= 2
    assert best is not None
    return best


def _bounded(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Array:
    """Return fewer cells of the same form if there are too many."""
    excess = math.sqrt(max(1.0, float(counts.prod()) / MOST_HEIGHTS))
    return np.maximum(counts / excess, 2).astype(int)


def _sampled(mesh: Mesh, surface: Surface, counts: Array) -> Ground:
    extent = surface.high - surface.low
    inset = 1e-6 * extent[:2]  # rays along the very edge may miss
    x, y = (
        np.linspace(surface.low[k] + inset[k], surface.high[k] - inset[k], int(counts[k]) + 1)
        for k in (0, 1)
    )
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = _border_filled(heights_below(surface, grid).reshape(len(x), len(y)))
    missing = np.isnan(heights)
    heights[missing] = surface.low[2] - PIT
    centre = Pose(np.array([(x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2, 0.0]))
    size = float(max(extent[0], 1e-6)), float(max(extent[1], 1e-6))
    field = HeightField(heights, size)
    return Ground(field, centre, _difference(mesh, field, centre), bool(missing.any()))


def _border_filled(heights: Array) -> Array:
    """Let the outermost row follow the next one where a jagged edge was missed."""
    for turned in (heights, heights[::-1], heights.T, heights.T[::-1]):
        edge = np.isnan(turned[0])
        turned[0, edge] = turned[1, edge]
    return heights


def heights_below(surface: Surface, points: Array) -> Array:
    """Return the heights that are seen from above at points (n, 2); NaN where there are none."""
    top = float(surface.high[2]) + 1.0
    origins = np.column_stack([points, np.full(len(points), top)]).astype(np.float32)
    down = np.tile(np.array([0, 0, -1], np.float32), (len(points), 1))
    hits = surface.cast(origins, down, np.full(len(points), 1e6, np.float32))
    heights: Array = np.where(hits.shape >= 0, top - hits.distance.astype(np.float64), np.nan)
    return heights


def _difference(mesh: Mesh, field: HeightField, pose: Pose) -> float:
    """Return the largest difference of height at random points of the mesh's triangles.

    Cells that lead down into a hole are left out.
    """
    points = _on_triangles(mesh.vertices, mesh.faces, _PROBES)
    local = points[:, :2] - pose.position[:2]
    made = heightfield_height(field, local[:, 0], local[:, 1]) + pose.position[2]
    gap = np.abs(made - points[:, 2])
    gap = gap[(made > float(mesh.vertices[:, 2].min()) - CLOSE) & np.isfinite(gap)]
    return float(gap.max()) if len(gap) else 0.0
