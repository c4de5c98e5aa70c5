"""Meshes whose vertices have one texture coordinate each: cut open along texture seams."""

import numpy as np

from outrider.core.frames import Array
from outrider.formats.mesh.raw import RawGroup, RawMesh
from outrider.world.shapes import Faces, Mesh


def single_numbered(mesh: RawMesh, group: RawGroup) -> tuple[Array, Faces, Array | None]:
    """Return a group's vertices, triangles and texture coordinates under one numbering."""
    if mesh.uv is None or group.uv_faces is None:
        return *_used(mesh, group.faces), None
    if len(mesh.uv) == len(mesh.points) and np.array_equal(group.faces, group.uv_faces):
        points, faces = _used(mesh, group.faces)
        if points is mesh.points:
            return points, faces, mesh.uv
    pairs = group.faces.reshape(-1).astype(np.int64) * len(mesh.uv) + group.uv_faces.reshape(-1)
    different, number = np.unique(pairs, return_inverse=True)
    point, coordinate = np.divmod(different, len(mesh.uv))
    return mesh.points[point], number.reshape(-1, 3).astype(np.int32), mesh.uv[coordinate]


def _used(mesh: RawMesh, faces: Faces) -> tuple[Array, Faces]:
    """Leave out the points that only other groups use."""
    if len(mesh.groups) == 1:
        return mesh.points, faces
    is_used = np.zeros(len(mesh.points), bool)
    is_used[faces] = True
    if is_used.all():
        return mesh.points, faces
    number = (np.cumsum(is_used) - 1).astype(np.int32)
    return mesh.points[is_used], number[faces]


def joined_parts(meshes: list[Mesh]) -> Mesh:
    """Return several meshes as one; all of them have texture coordinates, or none."""
    if len(meshes) == 1:
        return meshes[0]
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    faces = [mesh.faces + int(start) for mesh, start in zip(meshes, starts, strict=True)]
    coordinates = [mesh.uv for mesh in meshes if mesh.uv is not None]
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate(faces),
        meshes[0].source,
        np.concatenate(coordinates) if coordinates else None,
    )
