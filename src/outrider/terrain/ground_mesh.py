"""Terrain as meshes: one per material, with texture coordinates over the whole terrain."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.terrain.terrain import TerrainSurface
from outrider.world.shapes import Mesh


def material_meshes(
    land: TerrainSurface, left_out: NDArray[np.bool_] | None = None
) -> dict[str, Mesh]:
    """Return the triangles of the cells of each material; they meet at shared borders.

    Cells that are ``left_out`` become holes, as the mouth of a tunnel needs them.
    """
    vertices, uv = _corners(land)
    meshes = {}
    for number, name in enumerate(land.materials):
        chosen = land.cells == number
        if left_out is not None:
            chosen &= ~left_out
        if chosen.any():
            meshes[name] = _mesh_of(chosen, vertices, uv, land.grid.shape[1])
    return meshes


def whole_mesh(land: TerrainSurface, left_out: NDArray[np.bool_]) -> Mesh:
    """Return the triangles of all cells but those left out, whatever they are made of."""
    return _mesh_of(~left_out, *_corners(land), land.grid.shape[1])


def _corners(land: TerrainSurface) -> tuple[Array, Array]:
    n_x, n_y = land.grid.shape
    vertices = np.empty((n_x, n_y, 3))
    vertices[:, :, 0], vertices[:, :, 1] = land.grid.x[:, None], land.grid.y[None, :]
    vertices[:, :, 2] = land.heights
    uv = np.empty((n_x, n_y, 2))
    uv[:, :, 0] = np.linspace(0.0, 1.0, n_x)[:, None]
    uv[:, :, 1] = np.linspace(0.0, 1.0, n_y)[None, :]
    return vertices.reshape(-1, 3), uv.reshape(-1, 2)


def _mesh_of(chosen: NDArray[np.bool_], vertices: Array, uv: Array, n_y: int) -> Mesh:
    """Return two triangles per cell, split as height fields are, with only the corners in use."""
    rows, columns = np.nonzero(chosen)
    corner = (rows * n_y + columns).astype(np.int32)[:, None]
    pair = np.array([0, n_y, 1, n_y, n_y + 1, 1], np.int32)
    faces = (corner + pair).reshape(-1, 3)
    if chosen.all():
        return Mesh(vertices, faces, uv=uv)
    used = np.zeros(len(vertices), bool)
    used[faces] = True
    renumbered = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return Mesh(vertices[used], renumbered[faces], uv=uv[used])
