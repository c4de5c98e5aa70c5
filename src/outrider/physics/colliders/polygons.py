"""Triangles joined into flat convex polygons: a wall of many triangles is one, around its door."""

from collections.abc import Iterator

import numpy as np

from outrider.core.frames import Array
from outrider.physics.colliders.mesh import Piece

FLAT = 1e-5  # of the size: how far a polygon's corners may lie off its plane

Loop = list[int]


def polygons(piece: Piece) -> list[tuple[Loop, Array]]:
    """Return convex polygons as corner numbers, counter-clockwise, each with its normal."""
    return _Joining(piece).finish()


class _Joining:
    """Begins with the triangles and takes away edges between them, the longest first."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.points = piece.vertices
        self.loops: dict[int, Loop] = dict(enumerate(piece.faces.tolist()))
        self.owner: dict[tuple[int, int], int] = {}
        self.parent = list(range(len(self.loops)))

    def finish(self) -> list[tuple[Loop, Array]]:
        for a, b in list(self._inner_edges()):
            self._try(a, b)
        normals = self.piece.normals
        made = [
            (self._straightened(loop, normals[i]), normals[i]) for i, loop in self.loops.items()
        ]
        return [(loop, normal) for loop, normal in made if len(loop) >= 3]

    def _inner_edges(self) -> Iterator[tuple[int, int]]:
        """Return edges between two triangles in one plane."""
        twice: set[tuple[int, int]] = set()
        for number, (a, b, c) in enumerate(self.piece.faces.tolist()):
            for edge in ((a, b), (b, c), (c, a)):
                if edge in self.owner:
                    twice.add(edge)  # three triangles meet here: leave them alone
                self.owner[edge] = number
        pairs = [e for e in self.owner if e[0] < e[1] and e[::-1] in self.owner]
        pairs = [e for e in pairs if e not in twice and e[::-1] not in twice]
        if not pairs:
            return iter(())
        sides = np.array([[self.owner[e], self.owner[e[::-1]]] for e in pairs])
        flat = self._coplanar(sides)
        ends = np.array(pairs)
        length = np.linalg.norm(self.points[ends[:, 0]] - self.points[ends[:, 1]], axis=1)
        return iter([pairs[i] for i in np.argsort(-length, kind="stable") if flat[i]])

    def _coplanar(self, sides: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Array:
        """Tell which pairs of triangles lie in one plane, as far as their corners go."""
        one, other = sides.T
        normals, corners = self.piece.normals, self.piece.corners
        apart = np.einsum("ij,ikj->ik", normals[one], corners[other] - corners[one, :1])
        back = np.einsum("ij,ikj->ik", normals[other], corners[one] - corners[other, :1])
        farthest = np.maximum(np.abs(apart).max(axis=1), np.abs(back).max(axis=1))
        same = np.einsum("ij,ij->i", normals[one], normals[other]) > 0
        flat: Array = (farthest < FLAT * self.piece.size) & same
        return flat

    def _root(self, number: int) -> int:
        while self.parent[number] != number:
            self.parent[number] = self.parent[self.parent[number]]
            number = self.parent[number]
        return number

    def _try(self, a: int, b: int) -> None:
        """Join the polygons on both sides of an edge, if the whole is convex and still flat."""
        one, other = self._root(self.owner[a, b]), self._root(self.owner[b, a])
        if one == other:
            return
        first, second = _from(self.loops[one], b), _from(self.loops[other], a)
        if first[-1] != a or second[-1] != b:
            return  # the edge went when polygons with a longer common border were joined
        joined = _without_spikes(first[:-1] + second[:-1])
        if len(joined) < 3 or len(set(joined)) != len(joined):
            return
        if self._convex(joined, one) and self._flat(joined, one):
            self.loops[one] = joined
            del self.loops[other]
            self.parent[other] = one

    def _turns(self, loop: Loop, normal: Array) -> Array:
        """Return the sine of the turn at each corner, counter-clockwise positive."""
        corners = self.points[loop]
        ahead = np.roll(corners, -1, axis=0) - corners
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        turns: Array = np.cross(np.roll(ahead, 1, axis=0), ahead) @ normal
        return turns

    def _convex(self, loop: Loop, face: int) -> bool:
        return bool((self._turns(loop, self.piece.normals[face]) > -1e-6).all())

    def _flat(self, loop: Loop, face: int) -> bool:
        off = (self.points[loop] - self.piece.corners[face, 0]) @ self.piece.normals[face]
        return bool(np.abs(off).max() < FLAT * self.piece.size)

    def _straightened(self, loop: Loop, normal: Array) -> Loop:
        turns = self._turns(loop, normal)
        return [corner for corner, turn in zip(loop, turns, strict=True) if turn > 1e-6]


def _from(loop: Loop, corner: int) -> Loop:
    i = loop.index(corner)
    return loop[i:] + loop[:i]


def _without_spikes(loop: Loop) -> Loop:
    """Take away ways there and back, which are left of borders of several edges."""
    out: Loop = []
    for corner in loop:
        if len(out) >= 2 and out[-2] == corner:
            out.pop()
        else:
            out.append(corner)
    while len(out) >= 3 and out[-1] == out[1]:
        out = out[1:-1]
    while len(out) >= 3 and out[0] == out[-2]:
        out = out[:-2]
    return out
