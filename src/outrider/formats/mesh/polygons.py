"""Polygons cut into triangles, also concave ones and ones with holes; equal points made one."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.raw import Indices
from outrider.world.shapes import Faces

MAX_CORNERS = 4096  # of a concave polygon: clipping ears takes the square of it
_AT_ONCE = 100_000  # polygons, to bound working memory
_FLAT = 1e-9  # relative: turns smaller than this are straight


def triangulate(points: Array, corners: NDArray[np.integer], counts: Indices) -> Indices:
    """Return triangles (m, 3) as places in ``corners``, which lists all polygons in a row.

    Convex polygons become fans about their first corner, the few others lose ear after ear.
    """
    if not counts.size or int(counts.max()) <= 3:
        return np.arange(len(corners), dtype=np.int64).reshape(-1, 3)
    starts = np.cumsum(counts) - counts
    pieces: list[Indices] = []
    for k in range(0, len(counts), _AT_ONCE):
        some = slice(k, k + _AT_ONCE)
        pieces += _cut(points, corners, starts[some], counts[some])
    return np.concatenate(pieces)


def _cut(
    points: Array, corners: NDArray[np.integer], starts: Indices, counts: Indices
) -> list[Indices]:
    """Return the triangles of some polygons, which follow each other in ``corners``."""
    first, last = int(starts[0]), int(starts[-1] + counts[-1])
    with np.errstate(all="ignore"):  # points that are not finite are refused later
        convex, inward = _turns(points[corners[first:last]], starts - first, counts)
    if convex.all():
        return [_fans(starts, counts)]
    dented = ~convex & (counts == 4)
    pieces = [
        _fans(starts[convex], counts[convex]),
        _dented_quads(starts[dented], inward[dented]),
    ]
    for k in np.flatnonzero(~convex & ~dented):
        loop = np.arange(starts[k], starts[k] + counts[k])
        pieces.append(loop[clip_ears([points[corners[loop]]])])
    return pieces


def _fans(starts: Indices, counts: Indices) -> Indices:
    """Cut polygons into triangles that share their first corner."""
    triangles = counts - 2
    first = np.repeat(starts, triangles)
    begin = np.repeat(np.cumsum(triangles) - triangles, triangles)
    step = np.arange(int(triangles.sum())) - begin
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


def _dented_quads(starts: Indices, inward: Indices) -> Indices:
    """Cut quads from the corner that turns inward to the one across."""
    steps = np.array([[0, 1, 2], [0, 2, 3]])
    cut: Indices = starts[:, None, None] + (inward[:, None, None] + steps) % 4
    return cut.reshape(-1, 3)


def _turns(corners: Array, starts: Indices, counts: Indices) -> tuple[NDArray[np.bool_], Indices]:
    """Tell for each polygon whether it turns one way only, and which corner turns most inward."""
    owner = np.repeat(np.arange(len(counts)), counts)
    index = np.arange(len(corners)) - starts[owner]
    following = corners[starts[owner] + (index + 1) % counts[owner]]
    edge = following - corners
    before = corners - corners[starts[owner] + (index - 1) % counts[owner]]
    turn = np.cross(before, edge)
    origin = corners[starts][owner]  # about a corner of its own: far polygons keep their digits
    normal = np.add.reduceat(np.cross(corners - origin, following - origin), starts)
    along = np.einsum("ij,ij->i", turn, normal[owner])
    size = np.einsum("ij,ij->i", normal, normal)
    worst = np.minimum.reduceat(along, starts)
    convex: NDArray[np.bool_] = (counts == 3) | ~(worst < -_FLAT * size)
    inward = np.zeros(len(counts), np.int64)
    found = np.flatnonzero(along == worst[owner])[::-1]  # the first of equals is written last
    inward[owner[found]] = index[found]
    return convex, inward


def clip_ears(loops: list[Array]) -> Indices:
    """Return triangles (m, 3) of a flat polygon; loops after the first are holes in it.

    Numbers count the corners of all loops in a row.
    """
    with np.errstate(all="ignore"):
        return _without_ears(*_flattened(loops), loops)


def _without_ears(flat: Array, starts: list[int], loops: list[Array]) -> Indices:
    if len(flat) > MAX_CORNERS:
        raise FormatError(f"a concave polygon has {len(flat)} corners; cut it into triangles first")
    ring = list(range(len(loops[0])))
    holes = [
        list(range(start, start + len(loop)))
        for start, loop in zip(starts[1:], loops[1:], strict=True)
    ]
    for hole in sorted(holes, key=lambda hole: -float(flat[hole, 0].max())):
        ring = _bridged(flat, ring, hole)
    return _clipped(flat, ring)


def _flattened(loops: list[Array]) -> tuple[Array, list[int]]:
    """Return corners in the polygon's own plane, outer loop counter-clockwise, holes clockwise."""
    outer = loops[0] - loops[0].mean(axis=0)
    normal = np.cross(outer, np.roll(outer, -1, axis=0)).sum(axis=0)
    keep = np.argsort(np.abs(normal), kind="stable")[:2]
    keep.sort()
    sign = float(normal[3 - int(keep.sum())]) * (-1.0 if list(keep) == [0, 2] else 1.0)
    flat = np.concatenate(loops)[:, keep]
    if sign < 0:
        flat = flat * np.array([-1.0, 1.0])  # mirrored: turns keep their sense on the way back
    starts = np.cumsum([0, *(len(loop) for loop in loops[:-1])])
    return flat, starts.tolist()


def _bridged(flat: Array, ring: list[int], hole: list[int]) -> list[int]:
    """Cut from the hole's rightmost corner to the nearest outer corner it can see."""
    if _area(flat[hole]) > 0:
        hole = hole[::-1]
    start = int(np.argmax(flat[hole, 0]))
    hole = hole[start:] + hole[:start]
    tip = flat[hole[0]]
    order = np.argsort(((flat[ring] - tip) ** 2).sum(axis=1), kind="stable")
    for index in order.tolist():
        if _sees(flat, ring, index, tip):
            break
    else:
        index = int(order[0])
    return ring[: index + 1] + hole + [hole[0]] + ring[index:]


def _sees(flat: Array, ring: list[int], index: int, tip: Array) -> bool:
    """Return whether a straight line from ``tip`` to a corner of the ring crosses no edge."""
    a, b = flat[ring], np.roll(flat[ring], -1, axis=0)
    goal = a[index]
    near = (a == goal).all(axis=1) | (b == goal).all(axis=1)
    sides = _turn(tip, goal, a) * _turn(tip, goal, b), _turn(a, b, tip) * _turn(a, b, goal)
    return not bool(((sides[0] < 0) & (sides[1] < 0) & ~near).any())


def _clipped(flat: Array, ring: list[int]) -> Indices:
    """Cut off one ear after the other; where none is left, the rest becomes a fan."""
    corners = flat[ring]
    count = len(ring)
    before, after = np.roll(np.arange(count), 1), np.roll(np.arange(count), -1)
    # only corners that turn inward can lie in an ear
    inward = _turn(corners[before], corners, corners[after]) <= 0
    left = np.ones(count, bool)
    triangles: list[tuple[int, int, int]] = []
    waiting, fresh = deque(range(count)), True
    while len(triangles) < count - 3:
        if not waiting:
            if not fresh:
                break
            waiting, fresh = deque(np.flatnonzero(left).tolist()), False
        k = waiting.popleft()
        a, c = int(before[k]), int(after[k])
        if not left[k] or not _is_ear(corners, inward & left, a, k, c):
            continue
        triangles.append((a, k, c))
        left[k], fresh = False, True
        after[a], before[c] = c, a
        for near in (a, c):  # nothing else changes by the cut
            inward[near] = _turn(corners[before[near]], corners[near], corners[after[near]]) <= 0
            waiting.append(near)
    rest = _walked(after, int(np.argmax(left)))
    triangles += [(rest[0], rest[k], rest[k + 1]) for k in range(1, len(rest) - 1)]
    return np.array(ring, np.int64)[np.array(triangles, np.int64).reshape(-1, 3)]


def _walked(after: Indices, start: int) -> list[int]:
    found = [start]
    while int(after[found[-1]]) != start:
        found.append(int(after[found[-1]]))
    return found


def _is_ear(corners: Array, blocking: NDArray[np.bool_], a: int, b: int, c: int) -> bool:
    pa, pb, pc = corners[a], corners[b], corners[c]
    area = float(_turn(pa, pb, pc))
    if area <= 0:
        return area == 0  # straight: nothing is lost
    others = corners[blocking]
    inside = (
        (_turn(pa, pb, others) >= 0) & (_turn(pb, pc, others) >= 0) & (_turn(pc, pa, others) >= 0)
    )
    own = (others == pa).all(axis=1) | (others == pb).all(axis=1) | (others == pc).all(axis=1)
    return not bool((inside & ~own).any())


def _turn(a: Array, b: Array, c: Array) -> Array:
    """Return twice the area of triangles; above zero where they turn left."""
    turn: Array = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )
    return turn


def _area(loop: Array) -> float:
    x, y = loop.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def weld(corners: NDArray[np.floating]) -> tuple[Array, NDArray[np.int32]]:
    """Return the different points among (n, 3), and for each the number of its point."""
    with np.errstate(invalid="ignore"):  # a damaged file may hold signalling NaN
        corners = corners + 0.0  # minus zero is zero
    order = np.lexsort(corners.T)
    ordered = corners[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.empty(len(order), np.int32)
    number[order] = np.cumsum(fresh) - 1
    return ordered[fresh].astype(np.float64), number


def as_faces(values: NDArray[np.integer]) -> Faces:
    """Return triangles as 32-bit numbers; what does not fit becomes -1, which is refused later."""
    if values.dtype == np.int32:
        return values.astype(np.int32, copy=False)
    fits = (values >= 0) & (values < 2**31)
    faces: Faces = np.where(fits, values, -1).astype(np.int32)
    return faces
