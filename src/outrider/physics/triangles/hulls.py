"""Convex meshes of a compiled model as the planes and corners of their hulls."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.physics.triangles import records


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """Planes (normal, offset) and corners in the frame of MuJoCo's geom."""

    planes: Array
    corners: Array
    record: NDArray[np.int64]


def hull_of(model: mujoco.MjModel, mesh: int) -> Hull:
    """Return the hull that MuJoCo has made of a mesh."""
    vertices = model.mesh_vert[model.mesh_vertadr[mesh] :][: model.mesh_vertnum[mesh]]
    triangles = hull_faces(model, mesh)
    used = vertices[np.unique(triangles)].astype(np.float64)
    planes = _planes(vertices.astype(np.float64)[triangles], float(np.ptp(used, axis=0).max()))
    # single precision may leave a corner a hair before a plane: no corner may be cut off
    planes[:, 3] = np.maximum(planes[:, 3], (planes[:, :3] @ used.T).max(axis=1))
    planes, used = np.ascontiguousarray(planes), np.ascontiguousarray(used)
    record = np.zeros(records.HULL, np.int64)
    record[records.HULL_POINTS], record[records.HULL_PLANES] = len(used), len(planes)
    record[records.HULL_CORNERS], record[records.HULL_SIDES] = used.ctypes.data, planes.ctypes.data
    return Hull(planes, used, record)


def hull_faces(model: mujoco.MjModel, mesh: int) -> NDArray[np.int32]:
    """Return the hull's triangles as numbers of the mesh's vertices."""
    graph = model.mesh_graph[model.mesh_graphadr[mesh] :]
    corners, faces = int(graph[0]), int(graph[1])
    start = 2 + 3 * corners + 3 * faces  # after the corners' addresses, numbers and edges
    found: NDArray[np.int32] = graph[start : start + 3 * faces].reshape(-1, 3)
    return found


def _planes(corners: Array, size: float) -> Array:
    """Return the planes of triangles, each once, facing outward."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > 1e-12 * size * size
    normals = normals[kept] / lengths[kept, None]
    middle = corners.reshape(-1, 3).mean(axis=0)
    offsets = np.einsum("ij,ij->i", normals, corners[kept, 0])
    inward = normals @ middle > offsets
    normals[inward] *= -1
    offsets[inward] *= -1
    order = np.argsort(-lengths[kept], kind="stable")
    chosen: list[int] = []
    for i in order:
        near = normals[chosen] @ normals[i] > 1 - 1e-8 if chosen else np.zeros(0, bool)
        close = np.abs(offsets[chosen] - offsets[i]) < 1e-5 * size if chosen else near
        if not (near & close).any():
            chosen.append(int(i))
    return np.column_stack([normals[chosen], offsets[chosen]])
