"""Solids of flat faces (boxes, hulls, cylinders of many sides) against a triangle.

The part of the triangle inside the solid is cut out by the solid's faces. Then the way out is
chosen that is shortest, among those the surface allows: along the triangle's normal, along one of
the solid's faces, or across two edges. Contacts are as deep as their own way out is: the corners of
the cut-out part, the deepest point of each edge of the triangle, and the corners of the solid that
have passed it. The second and third are needed: along a way out the depth of a solid's points is
a concave function, so that corners of a part that lie on the solid's surface say nothing about it.
"""

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles.cutting import before, passes
from outrider.physics.triangles.facet import shares
from outrider.physics.triangles.manifold import CAPACITY, add
from outrider.physics.triangles.records import Ground, Solid, Triangle
from outrider.physics.triangles.ways_out import shorter

_PREFERRED = 0.9  # a way out other than the triangle's normal must be so much shorter
_SLACK = 1e-6  # m: and at least by this
_LEAST = 1e-6  # m: what is less deep is no contact
_ASIDE = 0.1  # cosine between the triangle's normal and a way out that leads corners back past it
_LEANING = 2.0  # sine: so far the faces at a corner that has passed the triangle may lean over it
_TURNS = 12  # of the search for the deepest point of an edge: each takes one face of the solid
_GRAZED, _FAR = 1e-3, 4.0  # m and times: the longest way that what only grazes a solid pushes it
_RIM = -0.7  # cosine: how far behind a sheet the way out around its rim may lead
_ANY = -2.0  # wherever


@compiled
def _way_out(
    planes: Array, point: Array, normal: Array
) -> tuple[float, int]:  # pragma: no cover - compiled
    """Return how far a solid must move along a normal until a point inside has left it.

    And through which of its faces.
    """
    best, face = np.inf, -1
    for f in range(len(planes)):
        plane = planes[f]
        rate = -(plane[0] * normal[0] + plane[1] * normal[1] + plane[2] * normal[2])
        if rate > 1e-9:
            way = max(0.0, -before(plane, point)) / rate
            if way < best:
                best, face = way, f
    return best, face


@compiled
def _deepest_on_edge(
    a: Array, b: Array, planes: Array, normal: Array, out: Array
) -> float:  # pragma: no cover - compiled
    """Write the point between two corners whose way out is longest; 0 if that is one of the ends.

    The way out is the least of linear functions: where two of them cross is a point that is farther
    out than any, and the one that is least there takes the place of one of the two.
    """
    start, end, _, _ = passes(a, b, planes)
    if start >= end:
        return 0.0
    low, rising = _line_at(a, b, start, planes, normal, out)
    high, falling = _line_at(a, b, end, planes, normal, out)
    found = 0.0
    for _ in range(_TURNS):
        if rising <= 0.0 or falling >= 0.0:
            return found
        middle = (high - falling * end - low + rising * start) / (rising - falling)
        bound = low + rising * (middle - start)
        found, slope = _line_at(a, b, middle, planes, normal, out)
        if found > bound - _SLACK:
            return found
        if slope > 0.0:
            start, low, rising = middle, found, slope
        else:
            end, high, falling = middle, found, slope
    return found


@compiled
def _line_at(
    a: Array, b: Array, t: float, planes: Array, normal: Array, out: Array
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Write a point between two others; return its way out, and how that grows from a to b."""
    for k in range(3):
        out[k] = a[k] + t * (b[k] - a[k])
    depth, face = _way_out(planes, out, normal)
    if face < 0:
        return 0.0, 0.0
    plane, along, rate = planes[face], 0.0, 0.0
    for k in range(3):
        along += plane[k] * (b[k] - a[k])
        rate += plane[k] * normal[k]
    return depth, along / rate


@compiled
def solid(
    mesh: Ground,
    triangle: Triangle,
    body: Solid,
    cut_out: tuple[Array, int, float],
    work: Array,
    rows: Array,
    count: int,
) -> int:  # pragma: no cover - compiled
    """Add the contacts of a solid with a triangle; cut out: a part of it, its corners, its side.

    If the solid has hardly passed the triangle, but would have a long way along its normal, then
    the ground goes on beyond an edge: what is there holds the solid, and this would throw it. If
    that edge is a rim, nothing goes on: the tip of a sliver holds the solid whatever way it faces.

    Rows of ``work``: the triangle's normal towards the body, a way out, scratch, and the best way.
    """
    (f, corners), (part, inside, side) = triangle, cut_out
    for k in range(3):
        work[0, k] = work[3, k] = side * corners[3, k]
    room = count + inside + 3 + len(body[1]) <= CAPACITY  # without thinning: they can be undone
    flat, added = _touch(mesh, corners, body, part[:inside], work, rows, count if room else -1)
    limit = _PREFERRED * flat - _SLACK
    best, least = shorter(mesh, f, corners, body, part[:inside], work, limit, _RIM)
    if best == limit and flat > _GRAZED + _FAR * least:
        best, least = shorter(mesh, f, corners, body, part[:inside], work, limit, _ANY)
        if best == limit:
            return count
    if best == limit and room:
        return added
    return _touch(mesh, corners, body, part[:inside], work, rows, count)[1]


@compiled
def _touch(
    mesh: Ground,
    corners: Array,
    body: Solid,
    part: Array,
    work: Array,
    rows: Array,
    count: int,
) -> tuple[float, int]:  # pragma: no cover - compiled
    """Return how deep the deepest contact along the way work[3] is; add all, unless count < 0."""
    planes, normal, most = body[0], work[3], 0.0
    for i in range(len(part)):
        depth, face = _way_out(planes, part[i], normal)
        if face >= 0 and depth > _LEAST:
            most = max(most, depth)
            if count >= 0:
                count = add(rows, count, depth, part[i], -0.5 * depth, normal, mesh[1])
    for c in range(3):
        depth = _deepest_on_edge(corners[c], corners[(c + 1) % 3], planes, normal, work[1])
        if depth > _LEAST:
            most = max(most, depth)
            if count >= 0:
                count = add(rows, count, depth, work[1], -0.5 * depth, normal, mesh[1])
    passed, count = _passed(mesh, corners, body, work, rows, count)
    return max(most, passed), count


@compiled
def _below(corners: Array, point: Array, normal: Array) -> float:  # pragma: no cover - compiled
    found = 0.0
    for k in range(3):
        found += normal[k] * (corners[0, k] - point[k])
    return found


@compiled
def _over(corners: Array, point: Array, share: Array) -> bool:  # pragma: no cover - compiled
    shares(corners, point, share)
    inside: bool = share[0] >= 0.0 and share[1] >= 0.0 and share[2] >= 0.0
    return inside


@compiled
def _passed(
    mesh: Ground, corners: Array, body: Solid, work: Array, rows: Array, count: int
) -> tuple[float, int]:  # pragma: no cover - compiled
    """Do the same for the corners of the solid that are behind the triangle."""
    planes, points = body[0], body[1]
    facing, foot, normal, most = work[0], work[1], work[3], 0.0
    rate = facing[0] * normal[0] + facing[1] * normal[1] + facing[2] * normal[2]
    if rate < _ASIDE:
        return 0.0, count
    for i in range(len(points)):
        depth = _below(corners, points[i], facing) / rate
        if depth <= _LEAST:
            continue
        for k in range(3):
            foot[k] = points[i, k] + depth * normal[k]
        if _over(corners, foot, work[2]) and _inside(planes, foot, _SLACK + _LEANING * depth):
            most = max(most, depth)
            if count >= 0:
                count = add(rows, count, depth, points[i], 0.5 * depth, normal, mesh[1])
    return most, count


@compiled
def _inside(planes: Array, point: Array, slack: float) -> bool:  # pragma: no cover - compiled
    for p in range(len(planes)):  # noqa: SIM110 - compiled
        if before(planes[p], point) > slack:
            return False
    return True
