"""Balls and capsules against a triangle.

A ball on flat ground has one contact, wherever the edges of triangles are: it rolls as on a plane.
"""

import math

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.facet import allowed, crossed, height, load, nearest
from outrider.physics.triangles.manifold import (
    DEPTH,
    NORMAL,
    POSITION,
    WAY,
    WIDTH,
    add,
    keep_unmarked,
)
from outrider.physics.triangles.records import Ground, Ints, Triangle
from outrider.physics.triangles.sight import blocked

_TILT = 1e-6  # sine: how far a neighbour may rise above a contact's plane
_ON = 1e-6  # of the body's size: so near a triangle, a point lies on it
_FACE = WAY  # of a row, as long as it leads out of no wedge: the triangle of the contact
_PIERCED = -1.0


@compiled
def ball(
    mesh: Ground,
    triangle: Triangle,
    centre: Array,
    radius: float,
    work: Array,
    rows: Array,
    count: int,
) -> int:  # pragma: no cover - compiled
    """Add the contact of a ball, if there is one."""
    (record, size), (f, corners) = mesh, triangle
    foot, normal, share = work[0], work[1], work[2]
    bits = nearest(corners, centre, share, foot)
    square = 0.0
    for k in range(3):
        normal[k] = centre[k] - foot[k]
        square += normal[k] ** 2
    if square >= radius * radius:
        return count
    distance = math.sqrt(square)
    if distance < 1e-9 * radius:
        for k in range(3):
            normal[k] = corners[3, k]
    else:
        for k in range(3):
            normal[k] /= distance
    if bits and not allowed(record, f, bits, foot, normal, _TILT, share):
        return count
    depth = radius - distance
    count = add(rows, count, depth, foot, -0.5 * depth, normal, size)
    rows[count - 1, _FACE] = f
    return count


@compiled
def capsule(
    mesh: Ground,
    triangle: Triangle,
    ends: Array,
    radius: float,
    work: Array,
    rows: Array,
    count: int,
    stack: Ints,
) -> int:  # pragma: no cover - compiled
    """Add the contacts of both ends of a capsule, and of what lies between them."""
    corners = triangle[1]
    if crossed(corners, ends[0], ends[1], work[2], work[3]) <= 1.0:
        return _pierced(mesh, corners, ends, radius, work, rows, count)
    for end in range(2):
        made = ball(mesh, triangle, ends[end], radius, work, rows, count)
        if made != count and _held_elsewhere(mesh, corners, ends, end, work, stack):
            made -= 1
        count = made
    best, at = np.inf, 0.0
    for c in range(3):
        t, square = _nearest_on_line(ends, corners[c], corners[(c + 1) % 3])
        if square < best:
            best, at = square, t
    if 1e-3 < at < 1.0 - 1e-3 and best < radius * radius:
        for k in range(3):
            work[3, k] = ends[0, k] + at * (ends[1, k] - ends[0, k])
        count = ball(mesh, triangle, work[3], radius, work, rows, count)
    return count


@compiled
def _held_elsewhere(
    mesh: Ground, corners: Array, ends: Array, end: int, work: Array, stack: Ints
) -> bool:  # pragma: no cover - compiled
    """Tell whether an end of a capsule is beyond a triangle's plane, and past another triangle."""
    own = height(corners, ends[end, 0], ends[end, 1], ends[end, 2])
    other = height(corners, ends[1 - end, 0], ends[1 - end, 1], ends[1 - end, 2])
    if own * (own + other) >= 0.0:
        return False
    if mesh[0][records.HEIGHTS]:
        return True  # there is only one side
    middle = work[22]
    for k in range(3):
        middle[k] = 0.5 * (ends[0, k] + ends[1, k])
    return bool(blocked(mesh[0], middle, ends[end], work[24:28], work[16:22], stack) >= 0)


@compiled
def _pierced(
    mesh: Ground,
    corners: Array,
    ends: Array,
    radius: float,
    work: Array,
    rows: Array,
    count: int,
) -> int:  # pragma: no cover - compiled
    """Push a capsule whose middle line passes the triangle back to where most of it is."""
    first = height(corners, ends[0, 0], ends[0, 1], ends[0, 2])
    last = height(corners, ends[1, 0], ends[1, 1], ends[1, 2])
    side = 1.0 if first + last >= 0.0 else -1.0
    end = 0 if side * first < side * last else 1
    deep = -min(side * first, side * last)
    for k in range(3):
        work[1, k] = side * corners[3, k]
    depth = radius + deep
    # from the end of the middle line to halfway between the surfaces
    count = add(rows, count, depth, ends[end], depth / 2 - radius, work[1], mesh[1])
    rows[count - 1, _FACE] = _PIERCED
    return count


@compiled
def _nearest_on_line(
    ends: Array, c: Array, d: Array
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return where on the line between the ends it is nearest to c-d, and the squared distance."""
    a, e, f, b, g = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        u, v, w = ends[1, k] - ends[0, k], d[k] - c[k], ends[0, k] - c[k]
        a += u * u
        e += v * v
        f += v * w
        b += u * v
        g += u * w
    if a <= 0.0:
        return 0.0, np.inf
    bend = a * e - b * b
    s = min(max((b * f - g * e) / bend, 0.0), 1.0) if bend > 1e-12 * a * e else 0.5
    t = (b * s + f) / e
    if t < 0.0 or t > 1.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((b * t - g) / a, 0.0), 1.0)
    square = 0.0
    for k in range(3):
        way = ends[0, k] + s * (ends[1, k] - ends[0, k]) - c[k] - t * (d[k] - c[k])
        square += way * way
    return s, square


@compiled
def smooth(
    mesh: Ground, corners: Array, work: Array, rows: Array, count: int
) -> int:  # pragma: no cover - compiled
    """Drop contacts at corners of triangles above whose plane the surface goes on.

    A triangle knows its neighbours across edges, and not the others around a corner.
    """
    for i in range(count):
        rows[i, WIDTH - 1] = 0.0
        for j in range(count):
            if _rises(rows[i], rows[j], mesh, corners, work):
                rows[i, WIDTH - 1] = 1.0
    return keep_unmarked(rows, count)


@compiled
def _rises(
    one: Array, other: Array, mesh: Ground, corners: Array, work: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a contact's triangle holds the foot of another one and rises above its plane."""
    if one[_FACE] == other[_FACE] or one[_FACE] == _PIERCED or other[_FACE] == _PIERCED:
        return False
    foot, rise, square = work[0], 0.0, 0.0
    for k in range(3):
        foot[k] = one[POSITION + k] + 0.5 * one[DEPTH] * one[NORMAL + k]
        way = other[POSITION + k] + 0.5 * other[DEPTH] * other[NORMAL + k] - foot[k]
        rise += way * one[NORMAL + k]
        square += way * way
    if rise <= 0.0 or rise * rise <= _TILT * _TILT * square:
        return False
    load(mesh[0], int(other[_FACE]), corners)
    nearest(corners, foot, work[2], work[3])
    off = 0.0
    for k in range(3):
        off += (work[3, k] - foot[k]) ** 2
    return off < (_ON * mesh[1]) ** 2
