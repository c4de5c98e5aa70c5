"""Normals: smooth where a surface is smooth, sharp along its creases."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.scene.surface import Floats32
from outrider.world.shapes import Faces

CREASE_DEG = 35.0
_COSINE = math.cos(math.radians(CREASE_DEG))
_SAME = 0.99999


def smooth_normals(
    vertices: Floats32, faces: Faces, uv_faces: Faces
) -> tuple[Floats32, Faces, Faces, Faces]:
    """Return normals, each new vertex's old number and texture coordinate, and the new triangles.

    Faces that meet at a point within the crease angle share the mean of their normals, weighted by
    area, even if the mesh numbers the point twice (as along a texture's seam).
    """
    point = _welded(vertices)
    corners = point[faces.reshape(-1)]
    order = np.argsort(corners, kind="stable").astype(np.int64)
    starts = np.searchsorted(corners[order], np.arange(point.max() + 2)).astype(np.int64)
    flat = _face_normals(vertices, faces)
    count = len(corners)
    normals = np.empty((count, 3), np.float32)
    source, uv_source = np.empty(count, np.int32), np.empty(count, np.int32)
    new_faces = np.empty((len(faces), 3), np.int32)
    made = _split(
        flat,
        order,
        starts,
        faces=faces,
        uv_faces=uv_faces,
        normals=normals,
        source=source,
        uv_source=uv_source,
        new_faces=new_faces,
    )
    return normals[:made].copy(), source[:made].copy(), uv_source[:made].copy(), new_faces


def _welded(vertices: Floats32) -> NDArray[np.int64]:
    """Return the same number for vertices at the same place."""
    keys = np.ascontiguousarray(vertices + np.float32(0.0)).view(np.dtype((np.void, 12))).ravel()
    _, number = np.unique(keys, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


@compiled_nogil
def _face_normals(vertices: Floats32, faces: Faces) -> Floats32:  # pragma: no cover - compiled
    """Return normals as long as twice the area."""
    out = np.empty((faces.shape[0], 3), np.float32)
    for f in range(faces.shape[0]):
        a, b, c = vertices[faces[f, 0]], vertices[faces[f, 1]], vertices[faces[f, 2]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        wx, wy, wz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        out[f, 0] = uy * wz - uz * wy
        out[f, 1] = uz * wx - ux * wz
        out[f, 2] = ux * wy - uy * wx
    return out


@compiled_nogil
def _mean(
    flat: Floats32, order: NDArray[np.int64], first: int, last: int, face: int
) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return the unit normal of a face's corner: the mean of those around it within the crease."""
    nx, ny, nz = float(flat[face, 0]), float(flat[face, 1]), float(flat[face, 2])
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-30:
        return 0.0, 0.0, 1.0
    x, y, z = 0.0, 0.0, 0.0
    for k in range(first, last):
        other = order[k] // 3
        ox, oy, oz = float(flat[other, 0]), float(flat[other, 1]), float(flat[other, 2])
        size = math.sqrt(ox * ox + oy * oy + oz * oz)
        if nx * ox + ny * oy + nz * oz >= _COSINE * size * length:
            x, y, z = x + ox, y + oy, z + oz
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-30:
        return nx / length, ny / length, nz / length
    return x / size, y / size, z / size


@compiled_nogil
def _split(
    flat: Floats32,
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    faces: Faces,
    uv_faces: Faces,
    normals: Floats32,
    source: Faces,
    uv_source: Faces,
    new_faces: Faces,
) -> int:  # pragma: no cover - compiled
    """Give every different (normal, texture coordinate) of a point a number; return how many."""
    made = 0
    for p in range(starts.shape[0] - 1):
        first, last = starts[p], starts[p + 1]
        begin = made
        for k in range(first, last):
            corner = order[k]
            face, c = corner // 3, corner % 3
            x, y, z = _mean(flat, order, first, last, face)
            coordinate = uv_faces[face, c]
            number = -1
            for m in range(begin, made):
                along = normals[m, 0] * x + normals[m, 1] * y + normals[m, 2] * z
                if uv_source[m] == coordinate and along > _SAME:
                    number = m
                    break
            if number < 0:
                number = made
                made += 1
                normals[number, 0], normals[number, 1], normals[number, 2] = x, y, z
                source[number], uv_source[number] = faces[face, c], coordinate
            new_faces[face, c] = number
    return made
