"""A mesh made ready for collisions: welded, sorted along a curve, with a tree of boxes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import Arrays, cached, content_key
from outrider.core.frames import Array
from outrider.physics.triangles.tree_kernels import joined, weld
from outrider.scene.box_tree import boxes, have_area, places
from outrider.world.shapes import Faces, Mesh

VERSION = 2  # of the way trees are made: part of the key
_WELD = 1e-7  # of how far they are from the middle: corners closer than that are one
_NEAR = 250.0  # m, or the size: no corner counts as nearer; in a large mesh, what is small stays
_THIN = 1e-12  # of the size: triangles of less height are none
_MANY = 200_000  # triangles: from here on a tree is kept on disk


@dataclass(frozen=True, slots=True, eq=False)
class TriangleTree:
    """Triangles about the middle of the box around them."""

    middle: Array
    half: Array  # of the box
    vertices: Array
    faces: Faces
    across: Faces  # the far corner of the triangle beyond each edge, or -1
    sheets: NDArray[np.int32]  # which triangles hang together, and how they are wound
    boxes: NDArray[np.float32]


def tree_of(mesh: Mesh) -> TriangleTree | None:
    """Return the tree of a mesh; None if none of its triangles has an area."""
    if len(mesh.faces) < _MANY:
        arrays: Arrays = _made(mesh)
    else:
        key = content_key(VERSION, mesh.vertices, mesh.faces)
        arrays = cached("trees", key, lambda: _made(mesh))
    return _unpacked(arrays) if len(arrays["faces"]) else None


def _made(mesh: Mesh) -> dict[str, NDArray[np.generic]]:
    used = np.zeros(max(1, len(mesh.vertices)), bool)
    used[mesh.faces.ravel()] = True
    corners = mesh.vertices[used] if len(mesh.faces) else np.zeros((1, 3))
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    vertices = mesh.vertices - middle
    faces = _sorted(vertices, mesh.faces, half)
    across, sheets = joined(faces)
    return {
        "middle": middle,
        "half": half,
        "vertices": vertices,
        "faces": faces,
        "across": across,
        "sheets": sheets,
        "boxes": boxes(vertices, faces) if len(faces) else np.zeros((0, 6), np.float32),
    }


def _sorted(vertices: Array, faces: Faces, half: Array) -> Faces:
    """Return the triangles that have an area, with welded corners, neighbours near each other."""
    if not len(faces):
        return faces
    size = max(float(half.max()) * 2, 1e-9)
    welded = weld(vertices, _WELD, min(size, _NEAR))[faces]
    welded = welded[have_area(vertices, welded, _THIN * size)]
    order = np.argsort(places(vertices, welded, -half, size), kind="stable")
    return np.ascontiguousarray(welded[order])


def _unpacked(store: Arrays) -> TriangleTree:
    vertices, middle, half = (
        np.ascontiguousarray(store[name], np.float64) for name in ("vertices", "middle", "half")
    )
    return TriangleTree(
        middle,
        half,
        vertices,
        np.ascontiguousarray(store["faces"], np.int32),
        np.ascontiguousarray(store["across"], np.int32),
        np.ascontiguousarray(store["sheets"], np.int32),
        np.ascontiguousarray(store["boxes"], np.float32),
    )
