"""Very large meshes as tiles: coarse everywhere, full detail near the camera."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.texture.coordinates import texture_coordinates
from outrider.scene.surface import Floats32
from outrider.ui.stage.mesh import Indices, WebMesh
from outrider.world.model import Geometry
from outrider.world.shapes import Faces

LARGE = 120_000  # triangles from which on a shape is cut into tiles
_PER_TILE = 12_000  # triangles
_BUDGET = 150_000  # triangles of all tiles at their coarsest, about

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TileCut:
    """Triangles sorted by tile; tile i has those from ``starts[i]`` to ``starts[i + 1]``."""

    faces: Faces
    starts: Numbers

    def of(self, tile: int) -> Faces:
        """Return the triangles of a tile."""
        part: Faces = self.faces[self.starts[tile] : self.starts[tile + 1]]
        return part


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """A large shape. Border vertices are kept, so that fine and coarse tiles meet without gaps."""

    positions: Floats32
    normals: Floats32
    smooth: Floats32  # the normals of what is coarse: the mean of all that a cell holds
    uv: Floats32 | None
    label: int
    fine: TileCut
    coarse: TileCut

    def __len__(self) -> int:
        return len(self.fine.starts) - 1

    def box(self, tile: int) -> tuple[Array, Array]:
        """Return the corners of a tile's bounding box."""
        corners = self.positions[self.fine.of(tile)].reshape(-1, 3).astype(np.float64)
        return corners.min(axis=0), corners.max(axis=0)

    def mesh(self, tile: int, *, fine: bool) -> WebMesh:
        """Return a tile."""
        cut = self.fine if fine else self.coarse
        used, local = np.unique(cut.of(tile), return_inverse=True)
        indices: Indices = local.reshape(-1).astype(np.uint32)
        uv = None if self.uv is None else self.uv[used]
        owners = ((0, self.label),)
        normals = self.normals if fine else self.smooth
        return WebMesh(self.positions[used], normals[used], uv, indices, owners)


def tiles_of(geometry: Geometry, vertices: Floats32, faces: Faces, label: int) -> Tiles | None:
    """Return a shape in tiles; None if vertices have several texture coordinates."""
    places = texture_coordinates(geometry, vertices, faces)
    if places is not None and not np.array_equal(places[1], faces):
        return None
    number, count = _tile_numbers(vertices, faces)
    cells = _cells(vertices)
    normals = _vertex_normals(vertices, faces)
    return Tiles(
        vertices,
        normals,
        _smoothed(normals, cells),
        None if places is None else places[0],
        label,
        fine=_sorted(faces, number, count),
        coarse=_coarser(cells, faces, number, count),
    )


def _tile_numbers(vertices: Floats32, faces: Faces) -> tuple[Numbers, int]:
    """Return the tile of each triangle: a square of the ground, by its first vertex."""
    first = vertices[faces[:, 0], :2]
    low, high = first.min(axis=0), first.max(axis=0)
    side = math.sqrt(float(np.prod(high - low)) * _PER_TILE / len(faces)) or 1.0
    cells = np.floor((first - low) / side).astype(np.int64)
    flat = cells[:, 0] * (int(cells[:, 1].max()) + 1) + cells[:, 1]
    used, number = np.unique(flat, return_inverse=True)
    return number.reshape(-1).astype(np.int64), len(used)


def _sorted(faces: Faces, number: Numbers, count: int) -> TileCut:
    order = np.argsort(number, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(number, minlength=count))])
    return TileCut(faces[order], starts.astype(np.int64))


def _cells(vertices: Floats32) -> Numbers:
    """Return the coarse grid cell of each vertex."""
    low = vertices.min(axis=0)
    size = vertices.max(axis=0) - low
    cell = math.sqrt(2.0 * float(size[0] * size[1]) / _BUDGET)
    grid = np.floor((vertices - low) / cell).astype(np.int64)
    key: Numbers = (grid[:, 0] * (1 << 42)) + (grid[:, 1] * (1 << 21)) + grid[:, 2]
    return key


def _smoothed(normals: Floats32, cells: Numbers) -> Floats32:
    """Return the mean normal of each cell: no single vertex shades a whole face."""
    _, inverse = np.unique(cells, return_inverse=True)
    flat = inverse.reshape(-1)
    total = np.stack([np.bincount(flat, normals[:, axis]) for axis in range(3)], axis=1)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    mean: Floats32 = (total / np.maximum(length, 1e-12)).astype(np.float32)[flat]
    return mean


def _coarser(cells: Numbers, faces: Faces, number: Numbers, count: int) -> TileCut:
    """Merge the vertices inside each cell of a grid; those on borders are kept."""
    key = cells.copy()
    border = _on_borders(faces, number, len(cells))
    key[border] = -1 - np.flatnonzero(border)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    drawn = first[inverse.reshape(-1)].astype(np.int32)[faces]
    whole = (drawn[:, 0] != drawn[:, 1]) & (drawn[:, 1] != drawn[:, 2])
    whole &= drawn[:, 2] != drawn[:, 0]
    return _sorted(drawn[whole], number[whole], count)


def _on_borders(faces: Faces, number: Numbers, count: int) -> NDArray[np.bool_]:
    """Return the vertices that triangles of several tiles share."""
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1, np.int64)
    for corner in range(3):
        np.minimum.at(low, faces[:, corner], number)
        np.maximum.at(high, faces[:, corner], number)
    shared: NDArray[np.bool_] = (low != high) & (high >= 0)
    return shared


def _vertex_normals(vertices: Floats32, faces: Faces) -> Floats32:
    """Return the mean of the normals of the faces around each vertex, weighted by area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    out = np.stack([_around(faces, flat[:, axis], len(vertices)) for axis in range(3)], axis=1)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    unit: Floats32 = (out / np.maximum(length, 1e-12)).astype(np.float32)
    return unit


def _around(faces: Faces, values: Floats32, count: int) -> NDArray[np.float64]:
    total = np.zeros(count)
    for corner in range(3):
        total += np.bincount(faces[:, corner], values, count)
    return total
