"""Shapes for engines that collide only convex things and height fields.

A mesh that is looked at from above only (ground) becomes a height field sampled from itself. Any
other mesh is taken apart into its connected pieces, each of which collides as its convex hull.
"""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Faces, HeightField, Mesh

_MOST_CELLS = 1200  # a side
_STEEP = 0.02  # how far a ground's triangle may overhang: sine of the angle


def solid(geometry: Geometry, *, static: bool) -> list[Geometry]:
    """Return what a mesh collides as; other shapes stay as they are."""
    mesh = geometry.shape
    if not isinstance(mesh, Mesh):
        return [geometry]
    if static and _is_ground(mesh, geometry.pose):
        return [_height_field(geometry)]
    pieces = [_piece(mesh, faces) for faces in _connected(mesh)]
    return [Geometry(p, geometry.pose, geometry.material, geometry.name) for p in pieces]


def _is_ground(mesh: Mesh, pose: Pose) -> bool:
    """Tell whether every triangle can be seen from above, in the world."""
    a, b, c = (pose.apply(mesh.vertices[mesh.faces[:, k]]) for k in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1)
    return bool((normals[:, 2] >= -_STEEP * length).all() and (normals[:, 2] > 0).any())


def _height_field(geometry: Geometry) -> Geometry:
    """Sample a ground at about its own resolution; where it has holes the field drops away."""
    surface = Surface([geometry])
    extent = surface.high - surface.low
    wanted = np.sqrt(surface.triangles / 2)
    cells = [int(np.clip(round(wanted * extent[i] / max(extent[:2].max(), 1e-9)), 8, _MOST_CELLS))
             for i in (0, 1)]  # fmt: skip
    inset = 1e-6 * extent[:2]  # rays along the very edge may miss
    x = np.linspace(surface.low[0] + inset[0], surface.high[0] - inset[0], cells[0] + 1)
    y = np.linspace(surface.low[1] + inset[1], surface.high[1] - inset[1], cells[1] + 1)
    heights = _look_down(surface, x, y)
    centre = Pose(np.array([(x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2, 0.0]))
    field = HeightField(heights, (float(extent[0]), float(extent[1])))
    return Geometry(field, centre, geometry.material, geometry.name)


def _look_down(surface: Surface, x: Array, y: Array) -> Array:
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    top = float(surface.high[2]) + 1.0
    origins = np.column_stack([grid, np.full(len(grid), top)]).astype(np.float32)
    down = np.tile(np.array([0, 0, -1], np.float32), (len(grid), 1))
    hits = surface.cast(origins, down, np.full(len(grid), 1e6, np.float32))
    bottom = float(surface.low[2]) - 1.0
    heights = np.where(hits.shape >= 0, top - hits.distance.astype(np.float64), bottom)
    return heights.reshape(len(x), len(y))


def _connected(mesh: Mesh) -> list[Faces]:
    """Split triangles into groups that share vertices (by place, not by number)."""
    _, same = np.unique(np.round(mesh.vertices, 9), axis=0, return_inverse=True)
    faces = same.reshape(-1)[mesh.faces]
    label: NDArray[np.int64] = np.arange(int(same.max()) + 1, dtype=np.int64)
    while True:
        lowest = label[faces].min(axis=1)
        new = label.copy()
        for k in range(3):
            np.minimum.at(new, faces[:, k], lowest)
        new = new[new]  # jump ahead: labels are vertices themselves
        if (new == label).all():
            break
        label = new
    groups = label[faces[:, 0]]
    return [mesh.faces[groups == group] for group in np.unique(groups)]


def _piece(mesh: Mesh, faces: Faces) -> Mesh:
    used, renumbered = np.unique(faces, return_inverse=True)
    return Mesh(mesh.vertices[used], renumbered.reshape(-1, 3).astype(np.int32), mesh.source)
