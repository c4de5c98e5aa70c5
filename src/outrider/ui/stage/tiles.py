"""Very large meshes as tiles: coarse everywhere at once, each in full when somebody is near."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.gl.chunks import Cut, cut_up
from outrider.render.texture.coordinates import texture_places
from outrider.scene.surface import Floats32
from outrider.ui.stage.mesh import Indices, WebMesh
from outrider.world.model import Geometry
from outrider.world.shapes import Faces

LARGE = 120_000  # triangles from which on a shape is cut into tiles
_BUDGET = 160_000  # triangles of all tiles at their coarsest


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """A large shape; tiles share their borders, whatever version of them is shown."""

    cut: Cut
    positions: Floats32
    normals: Floats32
    uv: Floats32 | None
    label: int
    coarse: int  # the version that is shown from afar

    def __len__(self) -> int:
        return len(self.cut.low)

    def box(self, tile: int) -> tuple[Array, Array]:
        """Return the corners of a box around a tile."""
        return self.cut.low[tile], self.cut.high[tile]

    def mesh(self, tile: int, *, fine: bool) -> WebMesh:
        """Return a tile."""
        version = 0 if fine else self.coarse
        first, count = self.cut.first[tile, version], self.cut.count[tile, version]
        used, local = np.unique(self.cut.indices[first : first + count], return_inverse=True)
        indices: Indices = local.reshape(-1).astype(np.uint32)
        uv = None if self.uv is None else self.uv[used]
        owners = ((0, self.label),)
        return WebMesh(self.positions[used], self.normals[used], uv, indices, owners)


def tiles_of(geometry: Geometry, vertices: Floats32, faces: Faces, label: int) -> Tiles | None:
    """Return a shape in tiles; None where corners have several texture coordinates."""
    places = texture_places(geometry, vertices, faces)
    if places is not None and not np.array_equal(places[1], faces):
        return None
    cut = cut_up(vertices, faces)
    totals = cut.count.sum(axis=0) // 3
    coarse = int(np.argmax(totals <= _BUDGET)) if (totals <= _BUDGET).any() else len(totals) - 1
    uv = None if places is None else places[0]
    return Tiles(cut, vertices, _vertex_normals(vertices, faces), uv, label, coarse)


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
