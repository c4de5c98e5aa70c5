"""Rays without Embree: a tree of our own, for machines that Embree's package has no wheel for."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from outrider.core.structure import Data
from outrider.scene.box_tree import LEAF, boxes, places
from outrider.scene.embree import Floats32, HitFilter, Ints, Triangles
from outrider.scene.packets import Packets
from outrider.scene.tree_kernels import Tree, intersect, occlude

_NO_SIEVES: Mapping[int, HitFilter] = MappingProxyType({})


class TreeTracer:
    """Triangle meshes that rays are cast into: all that ``embree.Tracer`` does, slower."""

    def __init__(
        self, meshes: list[Triangles], hit_filters: Mapping[int, HitFilter] = _NO_SIEVES
    ) -> None:
        self._read = hit_filters  # their data, for as long as this lives
        self._tree = _tree(meshes, hit_filters)

    def nearest(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> Data:
        """Return where rays end, as arrays under Embree's names; ``far`` becomes the distances."""
        del alike
        n = len(far)
        found: Data = {
            "tfar": far,
            "geomID": np.full(n, -1, np.int32),
            "primID": np.full(n, -1, np.int32),
            "u": np.zeros(n, np.float32),
            "v": np.zeros(n, np.float32),
            "Ng": np.zeros((n, 3), np.float32),
        }
        if len(self._tree.shape):
            intersect(self._tree, origins, directions, *found.values())
        return found

    def packets(self, runs: Sequence[Ints]) -> Packets | None:
        """Return nothing: only Embree is called out of other compiled code."""
        del runs
        return None

    def blocked(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on its way."""
        del alike
        out = np.zeros(len(far), np.bool_)
        if len(self._tree.shape):
            occlude(self._tree, origins, directions, far, out)
        return out


def _tree(meshes: list[Triangles], hit_filters: Mapping[int, HitFilter]) -> Tree:
    """Sort the triangles of all meshes along a curve, and put boxes around them."""
    firsts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    vertices = np.concatenate([np.zeros((0, 3)), *(corners for corners, _ in meshes)])
    faces = np.concatenate(
        [
            np.zeros((0, 3), np.int32),
            *(mesh[1] + np.int32(first) for mesh, first in zip(meshes, firsts, strict=False)),
        ]
    ).astype(np.int32)
    counts = [len(mesh[1]) for mesh in meshes]
    shape = np.repeat(np.arange(len(meshes), dtype=np.int32), counts)
    face = np.concatenate([np.zeros(0, np.int32), *(np.arange(n, dtype=np.int32) for n in counts)])
    order = _order(vertices, faces)
    faces = np.ascontiguousarray(faces[order])
    addresses = np.zeros((len(meshes), 2), np.int64)
    for number, hit_filter in hit_filters.items():
        addresses[number] = hit_filter.function, hit_filter.data.ctypes.data
    return Tree(
        boxes(vertices, faces) if len(faces) else np.zeros((0, 6), np.float32),
        vertices[faces].reshape(-1, 9).astype(np.float32),
        shape[order],
        face[order],
        addresses,
        LEAF,
    )


def _order(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the triangles' numbers, neighbours near each other."""
    if not len(faces):
        return np.zeros(0, np.intp)
    low = vertices.min(axis=0)
    span = max(float((vertices.max(axis=0) - low).max()), 1e-9)
    return np.argsort(places(vertices, faces, low, span), kind="stable")
