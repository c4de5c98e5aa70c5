"""Meshes for collider construction: welded, split into parts, with their edges and planes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.world.shapes import Faces, Mesh

Labels = NDArray[np.int64]
_WELD = 1e-7  # of the size: corners closer than that are one


@dataclass(frozen=True, eq=False)
class Piece:
    """Triangles with an area, whose corners have one number each."""

    vertices: Array
    faces: Faces

    @cached_property
    def corners(self) -> Array:
        """The corners of every triangle, (m, 3, 3)."""
        return self.vertices[self.faces]

    @cached_property
    def crosses(self) -> Array:
        """Normals as long as twice the area."""
        a, b, c = self.corners.transpose(1, 0, 2)
        return np.cross(b - a, c - a)

    @cached_property
    def areas(self) -> Array:
        """The area of every triangle."""
        half: Array = np.linalg.norm(self.crosses, axis=1) / 2
        return half

    @cached_property
    def normals(self) -> Array:
        """Unit normals."""
        out: Array = self.crosses / (2 * self.areas[:, None])
        return out

    @cached_property
    def size(self) -> float:
        """The longest edge of the box around it."""
        return float(np.ptp(self.vertices, axis=0).max())

    @cached_property
    def volume(self) -> float:
        """The volume inside, if it is closed; negative if it is inside out."""
        a, b, c = (self.corners - self.vertices[0]).transpose(1, 0, 2)
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    @cached_property
    def closed(self) -> bool:
        """Whether every edge has one triangle on either side, so that there is an inside."""
        edges = np.concatenate(
            [self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]]
        )
        count = len(self.vertices)
        there = edges[:, 0].astype(np.int64) * count + edges[:, 1]
        back = edges[:, 1].astype(np.int64) * count + edges[:, 0]
        return len(np.unique(there)) == len(there) and bool(
            np.array_equal(np.sort(there), np.sort(back))
        )

    @cached_property
    def convex(self) -> bool:
        """Whether it is closed, and no corner lies before the plane of any triangle."""
        if not self.closed or self.volume <= 0:
            return False
        step = 1 + len(self.faces) * len(self.vertices) // 20_000_000
        return _all_behind(
            self.vertices, self.normals[::step], self.corners[::step, 0], 1e-5 * self.size
        )

    def mesh(self) -> Mesh:
        """Return it as a shape."""
        return Mesh(self.vertices, self.faces)

    def outward(self) -> "Piece":
        """Return it with its triangles facing outward, if it has an inside."""
        if self.closed and self.volume < 0:
            return Piece(self.vertices, np.ascontiguousarray(self.faces[:, ::-1]))
        return self


def weld(vertices: Array, faces: Faces) -> Piece:
    """Give corners at one place one number, and leave out triangles without an area."""
    size = float(np.ptp(vertices, axis=0).max()) if len(vertices) else 0.0
    grid = np.round((vertices - vertices.min(axis=0)) / max(_WELD * size, 1e-12)).astype(np.int64)
    order = np.lexsort(grid.T)
    fresh = np.ones(len(order), bool)
    fresh[1:] = (grid[order[1:]] != grid[order[:-1]]).any(axis=1)
    number = np.empty(len(order), np.int32)
    number[order] = np.cumsum(fresh) - 1
    piece = Piece(vertices[order[fresh]], number[faces])
    return subset(piece, piece.areas > 1e-12 * size * size)


def subset(piece: Piece, chosen: NDArray[np.bool_]) -> Piece:
    """Return some of the triangles, with the corners they need."""
    used, renumbered = np.unique(piece.faces[chosen], return_inverse=True)
    return Piece(piece.vertices[used], renumbered.reshape(-1, 3).astype(np.int32))


def taken_apart(piece: Piece) -> list[Piece]:
    """Return the groups of triangles that share corners, the largest first."""
    label = _labels(piece)
    names, sizes = np.unique(label, return_counts=True)
    if len(names) == 1:
        return [piece.outward()]
    order = np.argsort(label, kind="stable")
    starts = np.cumsum(sizes) - sizes
    groups = [order[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    pieces = [_chosen(piece, group) for group in groups]
    return [part.outward() for part in sorted(pieces, key=lambda p: -p.size)]


def _chosen(piece: Piece, group: Labels) -> Piece:
    used, renumbered = np.unique(piece.faces[group], return_inverse=True)
    return Piece(piece.vertices[used], renumbered.reshape(-1, 3).astype(np.int32))


def _labels(piece: Piece) -> Labels:
    """Return one number per triangle, the same for all that hang together."""
    faces = piece.faces
    label: Labels = np.arange(len(piece.vertices), dtype=np.int64)
    while True:
        lowest = label[faces].min(axis=1)
        new = label.copy()
        for k in range(3):
            np.minimum.at(new, faces[:, k], lowest)
        new = new[new]  # jump ahead: labels are corners themselves
        if (new == label).all():
            return label[faces[:, 0]]
        label = new


def _all_behind(points: Array, normals: Array, on_plane: Array, tolerance: float) -> bool:
    """Tell whether all points lie behind all planes, a block of planes at a time."""
    offsets = np.einsum("ij,ij->i", normals, on_plane) + tolerance
    step = max(1, 4_000_000 // len(points))
    for i in range(0, len(normals), step):
        farthest = (normals[i : i + step] @ points.T).max(axis=1)
        if (farthest > offsets[i : i + step]).any():
            return False
    return True
