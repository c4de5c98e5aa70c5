"""Fewer triangles on the same vertices: edges collapsed in the order of the error they make.

The error of a collapse is that of Garland and Heckbert: the mean squared distance of the vertex
that stays from the planes of all triangles that were merged into it. Vertices keep their positions
and a border keeps its vertices, so that the neighbours of a piece still fit.
"""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil

Indices = NDArray[np.uint32]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_UPRIGHT = 0.25  # cosine: how far a triangle may tilt by one collapse
_SLIVER = 0.03  # of the longest edge squared: triangles thinner than this are not made
_ENOUGH = 0.005  # share of the triangles: a pass that takes fewer is the last


def collapsed(points: NDArray[np.float32], indices: Indices, error: float) -> Indices:
    """Return triangles that are off by no more than the error, as indices of the same points."""
    triangles = indices.astype(np.int64).reshape(-1, 3)
    positions = points.astype(np.float64)
    quadrics = np.zeros((len(positions), 11))
    _add_planes(positions, triangles, quadrics)
    while len(triangles):
        offsets, members = _adjacency(triangles, len(positions))
        fixed = _border(triangles, offsets, members)
        around = (offsets, members)
        wish, cost = _best_neighbours(positions, triangles, around, fixed, quadrics, error * error)
        order = np.flatnonzero(wish >= 0)
        order = order[np.argsort(cost[order], kind="stable")]
        gone = _collapse(triangles, around, order, wish, quadrics)
        if gone == 0:
            break
        a, b, c = triangles.T
        triangles = triangles[(a != b) & (b != c) & (c != a)]
        if gone < _ENOUGH * len(triangles):
            break
    return triangles.astype(np.uint32).reshape(-1)


@compiled_nogil
def _add_planes(positions: Floats, triangles: Integers, quadrics: Floats) -> None:
    """Give every vertex the planes of its triangles, each weighted by its area."""
    plane = np.empty(4)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        plane[0], plane[1], plane[2], area = _normal(positions, a, b, c)
        plane[3] = -(
            plane[0] * positions[a, 0] + plane[1] * positions[a, 1] + plane[2] * positions[a, 2]
        )
        for corner in range(3):
            quadric = quadrics[triangles[t, corner]]
            entry = 0
            for i in range(4):
                for j in range(i, 4):
                    quadric[entry] += area * plane[i] * plane[j]
                    entry += 1
            quadric[10] += area


@compiled_nogil
def _normal(positions: Floats, a: int, b: int, c: int) -> tuple[float, float, float, float]:
    """Return the unit normal of a triangle, and its area; numbers, as arrays would cost."""
    ux, uy = positions[b, 0] - positions[a, 0], positions[b, 1] - positions[a, 1]
    vx, vy = positions[c, 0] - positions[a, 0], positions[c, 1] - positions[a, 1]
    uz, vz = positions[b, 2] - positions[a, 2], positions[c, 2] - positions[a, 2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = np.sqrt(x * x + y * y + z * z)
    if length > 0.0:
        return x / length, y / length, z / length, length / 2
    return 0.0, 0.0, 0.0, 0.0


@compiled_nogil
def _longest(positions: Floats, a: int, b: int, c: int) -> float:
    """Return the square of a triangle's longest edge."""
    ab = bc = ca = 0.0
    for axis in range(3):
        ab += (positions[b, axis] - positions[a, axis]) ** 2
        bc += (positions[c, axis] - positions[b, axis]) ** 2
        ca += (positions[a, axis] - positions[c, axis]) ** 2
    longest: float = max(ab, bc, ca)
    return longest


@compiled_nogil
def _adjacency(triangles: Integers, count: int) -> tuple[Integers, Integers]:
    """Return the triangles of each vertex, one after the other, and where each one's begin."""
    offsets = np.zeros(count + 1, np.int64)
    for t in range(len(triangles)):
        for corner in range(3):
            offsets[triangles[t, corner] + 1] += 1
    offsets = np.cumsum(offsets)
    filled = offsets.copy()
    members = np.empty(3 * len(triangles), np.int64)
    for t in range(len(triangles)):
        for corner in range(3):
            vertex = triangles[t, corner]
            members[filled[vertex]] = t
            filled[vertex] += 1
    return offsets, members


@compiled_nogil
def _border(triangles: Integers, offsets: Integers, members: Integers) -> NDArray[np.bool_]:
    """Return which vertices lie on an edge that has not exactly two triangles."""
    fixed = np.zeros(len(offsets) - 1, np.bool_)
    for t in range(len(triangles)):
        for corner in range(3):
            a, b = triangles[t, corner], triangles[t, (corner + 1) % 3]
            sharing = 0
            for m in range(offsets[a], offsets[a + 1]):
                t2 = members[m]
                sharing += b in (triangles[t2, 0], triangles[t2, 1], triangles[t2, 2])
            if sharing != 2:
                fixed[a] = fixed[b] = True
    return fixed


@compiled_nogil
def _error(quadrics: Floats, a: int, b: int, positions: Floats) -> float:
    """Return the mean squared distance of vertex b from the planes of a and b."""
    weight = quadrics[a, 10] + quadrics[b, 10]
    if weight == 0.0:
        return 0.0
    total, entry = 0.0, 0
    for i in range(4):
        left = positions[b, i] if i < 3 else 1.0
        for j in range(i, 4):
            right = positions[b, j] if j < 3 else 1.0
            twice = 1.0 if i == j else 2.0
            total += twice * (quadrics[a, entry] + quadrics[b, entry]) * left * right
            entry += 1
    error: float = max(total, 0.0) / weight
    return error


@compiled_nogil
def _may(positions: Floats, triangles: Integers, ring: Integers, vertex: int, target: int) -> bool:
    """Return whether no triangle around a vertex would turn over if it moved to its target."""
    for t in ring:
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if target in (a, b, c):
            continue
        x, y, z, old = _normal(positions, a, b, c)
        if a == vertex:
            a = target
        elif b == vertex:
            b = target
        else:
            c = target
        p, q, r, area = _normal(positions, a, b, c)
        if area == 0.0 or x * p + y * q + z * r < _UPRIGHT:
            return False
        if area < min(old, _SLIVER * _longest(positions, a, b, c)):
            return False
    return True


@compiled_nogil
def _best_neighbours(
    positions: Floats,
    triangles: Integers,
    around: tuple[Integers, Integers],
    fixed: NDArray[np.bool_],
    quadrics: Floats,
    limit: float,
) -> tuple[Integers, Floats]:
    """Return for each vertex the neighbour that it is best merged into, and the error of that."""
    offsets, members = around
    count = len(positions)
    wish, cost = np.full(count, -1, np.int64), np.full(count, limit)
    for vertex in range(count):
        if fixed[vertex]:
            continue
        ring = members[offsets[vertex] : offsets[vertex + 1]]
        for t in ring:
            for corner in range(3):
                other = triangles[t, corner]
                if other in (vertex, wish[vertex]):
                    continue
                error = _error(quadrics, vertex, other, positions)
                if error < cost[vertex] and _may(positions, triangles, ring, vertex, other):
                    wish[vertex], cost[vertex] = other, error
    return wish, cost


@compiled_nogil
def _collapse(
    triangles: Integers,
    around: tuple[Integers, Integers],
    order: Integers,
    wish: Integers,
    quadrics: Floats,
) -> int:
    """Collapse edges whose surroundings no other collapse of this pass has touched."""
    offsets, members = around
    touched = np.zeros(len(wish), np.bool_)
    gone = 0
    for vertex in order:
        target = wish[vertex]
        ring = members[offsets[vertex] : offsets[vertex + 1]]
        if touched[vertex] or touched[target]:
            continue
        if _shared(triangles, offsets, members, vertex, target) != 2:
            continue
        for m in range(offsets[target], offsets[target + 1]):
            for corner in range(3):
                touched[triangles[members[m], corner]] = True
        for t in ring:
            for corner in range(3):
                touched[triangles[t, corner]] = True
                if triangles[t, corner] == vertex:
                    triangles[t, corner] = target
        quadrics[target] += quadrics[vertex]
        gone += 1
    return gone


@compiled_nogil
def _shared(
    triangles: Integers, offsets: Integers, members: Integers, vertex: int, target: int
) -> int:
    """Return how many neighbours two vertices share: two, if a collapse keeps the surface whole."""
    found = 0
    seen = np.empty(64, np.int64)
    for m in range(offsets[vertex], offsets[vertex + 1]):
        for corner in range(3):
            other = triangles[members[m], corner]
            if other in (vertex, target) or other in seen[:found]:
                continue
            for n in range(offsets[target], offsets[target + 1]):
                t = members[n]
                if other in (triangles[t, 0], triangles[t, 1], triangles[t, 2]):
                    if found == len(seen):
                        return found + 1
                    seen[found] = other
                    found += 1
                    break
    return found
