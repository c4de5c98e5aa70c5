"""Meshes as OBJ text."""

from __future__ import annotations

import numpy as np

from robot_meshes.mesh import Array, Faces, Mesh

CREASE_COS = np.cos(np.radians(38.0))  # edges sharper than this keep a hard shading line


def obj_text(mesh: Mesh, decimals: int = 4) -> str:
    """Write the mesh as OBJ text: points and normals shared, rounded, no materials."""
    points, index = np.unique(mesh.points.round(decimals), axis=0, return_inverse=True)
    faces = index.reshape(-1)[mesh.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    normals, corner = np.unique(
        _corner_normals(points, faces).round(2), axis=0, return_inverse=True
    )
    lines = [f"v {_numbers(p)}" for p in points] + [f"vn {_numbers(n)}" for n in normals]
    pairs = zip(faces + 1, corner.reshape(-1, 3) + 1, strict=True)
    lines += ["f " + " ".join(f"{v}//{n}" for v, n in zip(*pair, strict=True)) for pair in pairs]
    return "\n".join(lines) + "\n"


def _corner_normals(points: Array, faces: Faces) -> Array:
    """Per corner: the area-weighted mean of the faces there that are not across a crease."""
    a, b, c = points[faces].transpose(1, 0, 2)
    area = np.cross(b - a, c - a)
    unit = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-15)
    users: list[list[int]] = [[] for _ in points]
    for face, corners in enumerate(faces):
        for point in corners:
            users[point].append(face)
    sums = [
        area[near][unit[near] @ unit[f] > CREASE_COS].sum(axis=0)
        for f, corners in enumerate(faces)
        for near in (users[p] for p in corners)
    ]
    total: Array = np.array(sums)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-15)
    return total


def _numbers(values: Array) -> str:
    return " ".join(f"{v + 0.0:g}" for v in values)
