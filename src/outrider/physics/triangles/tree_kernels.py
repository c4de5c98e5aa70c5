"""Compiled parts of making a mesh ready for collisions: corners welded, neighbours found."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled

NOBODY = -1  # across an edge: the rim of a sheet, or an edge that three triangles share
_FREE, _SHARED = -1, -2

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def weld(vertices: Floats, share: float, near: float) -> Ints:  # pragma: no cover - compiled
    """Return for each corner the first one at its place (in a grid of cells).

    Cells are a share of what counts as near, and twice as large at twice that distance from the
    origin: single precision has as much.
    """
    count = len(vertices)
    size = 16
    while size < 2 * count:
        size *= 2
    table = np.full(size, _FREE, np.int32)
    keys = np.empty((count, 4), np.int64)
    first = np.empty(count, np.int32)
    for i in range(count):
        slot, far, span = np.uint64(0), 0.0, near
        for k in range(3):
            far = max(far, abs(vertices[i, k]))
        keys[i, 3] = 0
        while far > span:
            span *= 2.0
            keys[i, 3] += 1
        cell = share * span
        for k in range(3):
            keys[i, k] = np.int64(np.floor(vertices[i, k] / cell + 0.5))
            slot = (slot ^ np.uint64(keys[i, k])) * np.uint64(0x9E3779B97F4A7C15)
            slot ^= slot >> np.uint64(29)
        at = np.int64(slot & np.uint64(size - 1))
        while True:
            other = table[at]
            if other == _FREE:
                table[at] = i
                first[i] = i
                break
            if (
                keys[other, 0] == keys[i, 0]
                and keys[other, 1] == keys[i, 1]
                and keys[other, 2] == keys[i, 2]
                and keys[other, 3] == keys[i, 3]
            ):
                first[i] = other
                break
            at = (at + 1) & (size - 1)
    return first


@compiled
def joined(faces: Ints) -> tuple[Ints, Ints]:  # pragma: no cover - compiled
    """Return what lies beyond each edge, and to which sheet each triangle belongs.

    Beyond the edge from corner k to k + 1: the far corner of the triangle there. A sheet is what
    hangs together by edges; its number is twice a triangle's, and one more where the triangle is
    wound the other way round.
    """
    count = len(faces)
    size = 16
    while size < 3 * count:  # an edge has two triangles, mostly
        size *= 2
    table = np.full(size, _FREE, np.int32)  # the number of an edge, 3 * face + k
    far = np.full((count, 3), NOBODY, np.int32)
    parent, turned = np.arange(count).astype(np.int32), np.zeros(count, np.int8)
    for f in range(count):
        for k in range(3):
            a, b = faces[f, k], faces[f, (k + 1) % 3]
            low, high = min(a, b), max(a, b)
            slot = (np.uint64(low) << np.uint64(32)) | np.uint64(high)
            slot *= np.uint64(0x9E3779B97F4A7C15)
            slot ^= slot >> np.uint64(31)
            at = np.int64(slot & np.uint64(size - 1))
            while True:
                edge = table[at]
                if edge == _FREE:
                    table[at] = 3 * f + k
                    break
                g, j = edge // 3, edge % 3
                c, d = faces[g, j], faces[g, (j + 1) % 3]
                if min(c, d) == low and max(c, d) == high:
                    if far[g, j] == NOBODY:
                        far[g, j] = faces[f, (k + 2) % 3]
                        far[f, k] = faces[g, (j + 2) % 3]
                        _unite(parent, turned, f, g, 1 if a == c else 0)
                    else:  # three triangles: not one surface
                        far[g, j] = far[f, k] = _SHARED
                    break
                at = (at + 1) & (size - 1)
    sheets = np.empty(count, np.int32)
    for f in range(count):
        for k in range(3):
            far[f, k] = max(far[f, k], NOBODY)
        root, turn = _root(parent, turned, f)
        sheets[f] = 2 * root + turn
    return far, sheets


@compiled
def _root(
    parent: Ints, turned: NDArray[np.int8], f: int
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return the first triangle of a sheet, and whether this one is wound against it."""
    turn = 0
    while parent[f] != f:
        above = parent[f]
        if parent[above] != above:  # shorten the way for the next time
            turned[f] ^= turned[above]
            parent[f] = parent[above]
        turn ^= turned[f]
        f = parent[f]
    return f, turn


@compiled
def _unite(
    parent: Ints, turned: NDArray[np.int8], f: int, g: int, against: int
) -> None:  # pragma: no cover
    """Make one sheet of two, that of the lower number."""
    one, turn_one = _root(parent, turned, f)
    other, turn_other = _root(parent, turned, g)
    if one == other:
        return
    if one > other:
        one, other = other, one
    parent[other] = one
    turned[other] = turn_one ^ turn_other ^ against
