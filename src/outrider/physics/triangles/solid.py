"""Solids of flat faces (boxes, hulls, cylinders of many sides) against a triangle.

The part of the triangle inside the solid is cut out by the solid's faces. Then the way out is
chosen that is shortest, among those the surface allows: along the triangle's normal, along one of
the solid's faces, or across two edges. Every corner of the cut-out part is a contact, as deep as
its own way out is, and so is every corner of the solid that has passed the triangle.
"""

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles.facet import allowed, edges_at, shares
from outrider.physics.triangles.manifold import add, unit
from outrider.physics.triangles.records import MeshArrays, Solid, Triangle

CORNERS = 64  # of the cut-out part, at most
_PREFERRED = 0.9  # a way out other than the triangle's normal must be so much shorter
_SLACK = 1e-6  # m: and at least by this
_TILT = 0.02  # sine of an angle: how far the triangle itself may rise above a contact's plane
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
def _way_out(planes: Array, point: Array, normal: Array) -> float:  # pragma: no cover - compiled
    """Return how far a solid must move along a normal until a point inside has left it."""
    best = np.inf
    for f in range(len(planes)):
        plane = planes[f]
        rate = -(plane[0] * normal[0] + plane[1] * normal[1] + plane[2] * normal[2])
        if rate > 1e-9:
            best = min(best, max(0.0, -_before(plane, point)) / rate)
    return best


@compiled
def _deepest(
    planes: Array, part: Array, count: int, normal: Array
) -> tuple[float, int]:  # pragma: no cover
    """Return the longest way out of the corners of a part along a normal, and whose it is."""
    most, which = -1.0, 0
    for i in range(count):
        depth = _way_out(planes, part[i], normal)
        if depth > most:
            most, which = depth, i
    return most, which


@compiled
def _rests(
    mesh: MeshArrays, f: int, corners: Array, point: Array, normals: Array
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
        if (bits >> c) & 1 and mesh[2][3 * f + c] < 0:
            least = _RIM
    towards = facing[0] * normal[0] + facing[1] * normal[1] + facing[2] * normal[2]
    return towards > least and allowed(mesh[0], mesh[2], f, bits, point, normal)


@compiled
def solid(
    mesh: MeshArrays,
    triangle: Triangle,
    body: Solid,
    cut_out: tuple[Array, int, float],
    work: Array,
    rows: Array,
    count: int,
) -> int:  # pragma: no cover - compiled
    """Add the contacts of a solid with a triangle; cut out: a part of it, its corners, its side.

    Rows of ``work``: the triangle's normal towards the body, a way out, scratch, and the best way.
    """
    planes, points = body[0], body[1]
    (f, corners), (part, inside, side) = triangle, cut_out
    share, normal = work[2], work[3]
    for k in range(3):
        work[0, k] = normal[k] = side * corners[3, k]
    flat = _depth_along_face(corners, body, part, inside, normal, share)
    limit = _PREFERRED * flat - _SLACK
    best = _through_faces(mesh, f, corners, planes, part[:inside], work, limit)
    best = _across_edges(mesh, f, corners, planes, part[:inside], work, best)
    for i in range(inside):
        depth = _way_out(planes, part[i], normal)
        if depth > 0.0:
            count = add(rows, count, depth, part[i], -0.5 * depth, normal, mesh[3])
    if best == limit:
        count = _passed(mesh, corners, points, normal, share, rows, count)
    return count


@compiled
def _through_faces(
    mesh: MeshArrays, f: int, corners: Array, planes: Array, part: Array, work: Array, best: float
) -> float:  # pragma: no cover - compiled
    """Look for a shorter way out through one of the solid's faces."""
    for p in range(len(planes)):
        plane = planes[p]
        most, which = -1.0, 0
        for i in range(len(part)):
            depth = -_before(plane, part[i])
            if depth > most:
                most, which = depth, i
        if most < best:
            for k in range(3):
                work[1, k] = -plane[k]
            if _rests(mesh, f, corners, part[which], work):
                best = most
                for k in range(3):
                    work[3, k] = work[1, k]
    return best


@compiled
def _across_edges(
    mesh: MeshArrays, f: int, corners: Array, planes: Array, part: Array, work: Array, best: float
) -> float:  # pragma: no cover - compiled
    """Look for a shorter way out across an edge of the triangle and one of the solid."""
    for c in range(3):
        if _edge_normal(corners, c, planes, work[1], work[2]):
            most, which = _deepest(planes, part, len(part), work[1])
            if most < best and _rests(mesh, f, corners, part[which], work):
                best = most
                for k in range(3):
                    work[3, k] = work[1, k]
    return best


@compiled
def _depth_along_face(
    corners: Array, body: Solid, part: Array, inside: int, normal: Array, share: Array
) -> float:  # pragma: no cover - compiled
    """Return how far the solid must move along the triangle's normal to be off the triangle."""
    points = body[1]
    most, _ = _deepest(body[0], part, inside, normal)
    for i in range(len(points)):
        depth = _below(corners, points[i], normal)
        if depth > most and _over(corners, points[i], share):
            most = depth
    return float(most)


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
    mesh: MeshArrays,
    corners: Array,
    points: Array,
    normal: Array,
    share: Array,
    rows: Array,
    count: int,
) -> int:  # pragma: no cover - compiled
    """Add a contact for every corner of the solid that is behind the triangle."""
    for i in range(len(points)):
        depth = _below(corners, points[i], normal)
        if depth > 0.0 and _over(corners, points[i], share):
            count = add(rows, count, depth, points[i], 0.5 * depth, normal, mesh[3])
    return count


@compiled
def _edge_normal(
    corners: Array, c: int, planes: Array, normal: Array, edge: Array
) -> bool:  # pragma: no cover - compiled
    """Write the normal across an edge of the triangle and the solid's edge that it cuts off."""
    a, b = corners[c], corners[(c + 1) % 3]
    first, last = _passes(a, b, planes)
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
def _passes(a: Array, b: Array, planes: Array) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return through which faces a line enters a solid and leaves it; -1 where it does not."""
    enter, leave, first, last = 0.0, 1.0, -1, -1
    for p in range(len(planes)):
        start, end = _before(planes[p], a), _before(planes[p], b)
        if start > 0.0 and end > 0.0:
            return -1, -1
        if start <= 0.0 and end <= 0.0:
            continue
        t = start / (start - end)
        if start > 0.0 and t > enter:
            enter, first = t, p
        if end > 0.0 and t < leave:
            leave, last = t, p
    if enter >= leave:
        return -1, -1
    return first, last
