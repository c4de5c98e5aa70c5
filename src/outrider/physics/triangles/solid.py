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
from outrider.physics.triangles.facet import allowed, beyond, edges_at, shares
from outrider.physics.triangles.manifold import CAPACITY, add, unit
from outrider.physics.triangles.records import Ground, Solid, Triangle

CORNERS = 64  # of the cut-out part, at most
_PREFERRED = 0.9  # a way out other than the triangle's normal must be so much shorter
_SLACK = 1e-6  # m: and at least by this
_TILT = 0.02  # sine: how far the triangle and its neighbours may rise above a contact's plane
_LEAST = 1e-6  # m: what is less deep is no contact
_ASIDE = 0.1  # cosine between the triangle's normal and a way out that leads corners back past it
_LEANING = 2.0  # sine: so far the faces at a corner that has passed the triangle may lean over it
_TURNS = 12  # of the search for the deepest point of an edge: each takes one face of the solid
_GRAZED, _FAR = 1e-3, 4.0  # m and times: the longest way that what only grazes a solid pushes it
_RIM = -0.7  # cosine: how far behind a sheet the way out around its rim may lead


@compiled
def cut(
    corners: Array, planes: Array, part: Array, spare: Array
) -> tuple[Array, int]:  # pragma: no cover - compiled
    """Return the triangle's part inside of all planes (normal, offset), and how many corners."""
    count = 3
    for c in range(3):
        for k in range(3):
            part[c, k] = corners[c, k]
    for f in range(len(planes)):
        inside = 0
        for i in range(count):
            part[i, 3] = _before(planes[f], part[i])
            if part[i, 3] <= 0.0:
                inside += 1
        if inside == 0:
            return part, 0
        if inside < count:
            count = _clip(part, spare, count)
            part, spare = spare, part
    return part, count


@compiled
def _before(plane: Array, p: Array) -> float:  # pragma: no cover - compiled
    found: float = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3]
    return found


@compiled
def _clip(part: Array, out: Array, count: int) -> int:  # pragma: no cover - compiled
    """Leave out what lies before a plane; the heights over it stand in column 3."""
    made = 0
    for i in range(count):
        a, b = part[i], part[(i + 1) % count]
        if a[3] <= 0.0 and made < CORNERS:
            for k in range(3):
                out[made, k] = a[k]
            made += 1
        if (a[3] <= 0.0) != (b[3] <= 0.0) and made < CORNERS:
            t = a[3] / (a[3] - b[3])
            for k in range(3):
                out[made, k] = a[k] + t * (b[k] - a[k])
            made += 1
    return made


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
            way = max(0.0, -_before(plane, point)) / rate
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
    start, end, _, _ = _passes(a, b, planes)
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
def _rests(
    mesh: Ground, f: int, corners: Array, point: Array, normals: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a way out suits the surface: what is around the point lies below it.

    The rows of ``normals``: the triangle's towards the body, the way out, scratch.
    """
    facing, normal, share = normals[0], normals[1], normals[2]
    for c in range(3):
        rise, square = 0.0, 0.0
        for k in range(3):
            way = corners[c, k] - point[k]
            rise += way * normal[k]
            square += way * way
        if rise > 0.0 and rise * rise > _TILT * _TILT * square:
            return False
    shares(corners, point, share)
    bits = edges_at(share)
    least = -_TILT
    for c in range(3):
        if (bits >> c) & 1 and not beyond(mesh[0], f, c, share):
            least = _RIM
    towards = facing[0] * normal[0] + facing[1] * normal[1] + facing[2] * normal[2]
    return towards > least and allowed(mesh[0], f, bits, point, normal, _TILT, share)


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
    the ground goes on beyond an edge: what is there holds the solid, and this would throw it.

    Rows of ``work``: the triangle's normal towards the body, a way out, scratch, and the best way.
    """
    planes = body[0]
    (f, corners), (part, inside, side) = triangle, cut_out
    for k in range(3):
        work[0, k] = work[3, k] = side * corners[3, k]
    room = count + inside + 3 + len(body[1]) <= CAPACITY  # without thinning: they can be undone
    flat, added = _touch(mesh, corners, body, part[:inside], work, rows, count if room else -1)
    limit = _PREFERRED * flat - _SLACK
    best, least = _through_faces(mesh, f, corners, planes, part[:inside], work, limit)
    best = _across_edges(mesh, f, corners, body, part[:inside], work, best)
    if best == limit and flat > _GRAZED + _FAR * least:
        return count
    if best == limit and room:
        return added
    return _touch(mesh, corners, body, part[:inside], work, rows, count)[1]


@compiled
def _through_faces(
    mesh: Ground, f: int, corners: Array, planes: Array, part: Array, work: Array, best: float
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Look for a shorter way out through one of the solid's faces.

    Return it, and the shortest of all, whether the surface allows it or not.
    """
    least = np.inf
    for p in range(len(planes)):
        plane = planes[p]
        most, which = -1.0, 0
        for i in range(len(part)):
            depth = -_before(plane, part[i])
            if depth > most:
                most, which = depth, i
        least = min(least, most)
        if most < best:
            for k in range(3):
                work[1, k] = -plane[k]
            if _rests(mesh, f, corners, part[which], work):
                best = most
                for k in range(3):
                    work[3, k] = work[1, k]
    return best, least


@compiled
def _across_edges(
    mesh: Ground, f: int, corners: Array, body: Solid, part: Array, work: Array, best: float
) -> float:  # pragma: no cover - compiled
    """Look for a shorter way out across an edge of the triangle and one of the solid."""
    for c in range(3):
        if _edge_normal(corners, c, body[0], work[1], work[2]):
            most, which = _overlap(part, body[1], work[1])
            if most < best and _rests(mesh, f, corners, part[which], work):
                best = most
                for k in range(3):
                    work[3, k] = work[1, k]
    return best


@compiled
def _overlap(
    part: Array, points: Array, normal: Array
) -> tuple[float, int]:  # pragma: no cover - compiled
    """Return how far a part reaches above a solid's lowest point along a normal, and with what."""
    top, which, low = -np.inf, 0, np.inf
    for i in range(len(part)):
        at = part[i, 0] * normal[0] + part[i, 1] * normal[1] + part[i, 2] * normal[2]
        if at > top:
            top, which = at, i
    for i in range(len(points)):
        at = points[i, 0] * normal[0] + points[i, 1] * normal[1] + points[i, 2] * normal[2]
        low = min(low, at)
    return top - low, which


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
        if _before(planes[p], point) > slack:
            return False
    return True


@compiled
def _edge_normal(
    corners: Array, c: int, planes: Array, normal: Array, edge: Array
) -> bool:  # pragma: no cover - compiled
    """Write the normal across an edge of the triangle and the solid's edge that it cuts off."""
    a, b = corners[c], corners[(c + 1) % 3]
    _, _, first, last = _passes(a, b, planes)
    if first < 0 or last < 0:
        return False
    one, other = planes[first], planes[last]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        edge[k] = one[i] * other[j] - one[j] * other[i]
    outward = 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        normal[k] = (b[i] - a[i]) * edge[j] - (b[j] - a[j]) * edge[i]
        outward += normal[k] * (one[k] + other[k])
    if outward > 0.0:
        for k in range(3):
            normal[k] = -normal[k]
    return unit(normal) > 1e-9


@compiled
def _passes(
    a: Array, b: Array, planes: Array
) -> tuple[float, float, int, int]:  # pragma: no cover - compiled
    """Return where on the way from a to b a solid begins and ends, 0 to 1; none: 1 and 0.

    And through which faces the way enters and leaves; -1 where a or b is inside.
    """
    enter, leave, first, last = 0.0, 1.0, -1, -1
    for p in range(len(planes)):
        start, end = _before(planes[p], a), _before(planes[p], b)
        if start > 0.0 and end > 0.0:
            return 1.0, 0.0, -1, -1
        if start <= 0.0 and end <= 0.0:
            continue
        t = start / (start - end)
        if start > 0.0 and t > enter:
            enter, first = t, p
        if end > 0.0 and t < leave:
            leave, last = t, p
    if enter >= leave:
        return 1.0, 0.0, -1, -1
    return enter, leave, first, last
