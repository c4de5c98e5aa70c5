"""Ways out of a triangle, other than along its normal, that the surface allows.

Through one of the solid's faces, or across an edge of each. Allowed is what has the surface around
below it: at an edge between two triangles, the normals between theirs.
"""

import math

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles.cutting import CORNERS, before, clip, passes
from outrider.physics.triangles.facet import allowed, beyond, edges_at, shares
from outrider.physics.triangles.manifold import unit
from outrider.physics.triangles.records import Ground, Solid

_SLACK = 1e-6  # m: what is so near a solid's far side reaches it
_TILT = 0.02  # sine: how far the triangle and its neighbours may rise above a contact's plane
_BACK = -0.3  # cosine between the normals of a solid's face and of those opposite


@compiled
def _rests(
    mesh: Ground, f: int, corners: Array, point: Array, normals: Array, rim: float
) -> bool:  # pragma: no cover - compiled
    """Tell whether a way out suits the surface: what is around the point lies below it.

    The rows of ``normals``: the triangle's towards the body, the way out, scratch. Around the rim
    of a sheet the way may lead behind it, up to a cosine.
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
    if _rises_beside(corners, bits, normal):
        return False
    least = -_TILT
    for c in range(3):
        if (bits >> c) & 1 and not beyond(mesh[0], f, c, share):
            least = rim
    if _cosine(facing, normal) <= least and not _faces_beyond(mesh, f, corners, bits, normals):
        return False
    return allowed(mesh[0], f, bits, point, normal, _TILT, share)


@compiled
def _rises_beside(corners: Array, bits: int, normal: Array) -> bool:  # pragma: no cover - compiled
    """Tell whether a triangle rises above a contact's plane right beside a point on these edges.

    Corners far away, as a long wall has them, do not tell.
    """
    n = corners[3]
    along = normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2]
    if bits == 0:
        return bool(along * along < 1.0 - _TILT * _TILT)
    if bits & (bits - 1):
        return False  # at a corner of the triangle, the others tell
    c = 0 if bits == 1 else (1 if bits == 2 else 2)
    a, b, length, slope, inward = corners[c], corners[(c + 1) % 3], 0.0, 0.0, 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        edge = b[k] - a[k]
        length += edge * edge
        slope += edge * normal[k]
        inward += (n[i] * (b[j] - a[j]) - n[j] * (b[i] - a[i])) * normal[k]
    return bool(max(abs(slope), inward) > _TILT * math.sqrt(length))


@compiled
def _faces_beyond(
    mesh: Ground, f: int, corners: Array, bits: int, normals: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether the triangle behind one of these edges faces a way out: over a sharp ridge."""
    facing, normal, far = normals[0], normals[1], normals[2]
    side = 1.0 if _cosine(facing, corners[3]) > 0.0 else -1.0
    for c in range(3):
        if (bits >> c) & 1 and beyond(mesh[0], f, c, far):
            a, b, along, square = corners[c], corners[(c + 1) % 3], 0.0, 0.0
            for k in range(3):
                i, j = (k + 1) % 3, (k + 2) % 3
                other = (b[j] - a[j]) * (far[i] - a[i]) - (b[i] - a[i]) * (far[j] - a[j])
                along += side * other * normal[k]
                square += other * other
            if along > -_TILT * math.sqrt(square):
                return True
    return False


@compiled
def shorter(
    mesh: Ground,
    f: int,
    corners: Array,
    body: Solid,
    part: Array,
    work: Array,
    limit: float,
    rim: float,
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Look for a way out shorter than a limit; return it, and the shortest through a face of all.

    The latter whether the surface allows it or not.
    """
    best, least = _through_faces(mesh, f, corners, body, part, work, limit, rim)
    return _across_edges(mesh, f, corners, body, part, work, best, rim), least


@compiled
def _through_faces(
    mesh: Ground,
    f: int,
    corners: Array,
    body: Solid,
    part: Array,
    work: Array,
    best: float,
    rim: float,
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Look for a shorter way out through one of the solid's faces.

    Return it, and the shortest of all, whether the surface allows it or not. What stands right
    through a thin solid must be drawn back through it whole.
    """
    planes, least = body[0], np.inf
    for p in range(len(planes)):
        plane = planes[p]
        most, which = -1.0, 0
        for i in range(len(part)):
            depth = -before(plane, part[i])
            if depth > most:
                most, which = depth, i
        least = min(least, most)
        if most < best:
            for k in range(3):
                work[1, k] = -plane[k]
            point = part[which]
            if most > _width(body[1], plane) - _SLACK:
                point = work[23]
                most = _back_through(corners, body, p, work[1], point)
            if most < best and _rests(mesh, f, corners, point, work, rim):
                best = most
                for k in range(3):
                    work[3, k] = work[1, k]
    return best, least


@compiled
def _width(points: Array, plane: Array) -> float:  # pragma: no cover - compiled
    """Return how thick a solid is, seen from one of its faces."""
    most = 0.0
    for i in range(len(points)):
        most = max(most, -before(plane, points[i]))
    return most


@compiled
def _back_through(
    corners: Array, body: Solid, p: int, normal: Array, out: Array
) -> float:  # pragma: no cover - compiled
    """Write the point of a triangle farthest behind a face of a solid that it stands right through.

    Return how far the solid must move along the normal to have it out; inf if it goes on there, or
    has less to go on the other side. Where an edge of it goes on, the normal is turned across that.
    """
    planes, points = body[0], body[1]
    part, count = _cut_beside(
        corners, planes, p, np.empty((CORNERS + 1, 4)), np.empty_like(body[2])
    )
    most, least = -np.inf, np.inf
    for i in range(count):
        deep = -before(planes[p], part[i])
        least = min(least, deep)
        if deep > most:
            most = deep
            for k in range(3):
                out[k] = part[i, k]
    if count == 0 or most > _width(points, planes[p]) - least:
        return np.inf
    shares(corners, out, part[0])
    bits = edges_at(part[0])
    if bits == 0:
        return np.inf
    for c in range(3):
        if bits == 1 << c:
            _turn_across(corners[c], corners[(c + 1) % 3], normal)
    low, top = np.inf, out[0] * normal[0] + out[1] * normal[1] + out[2] * normal[2]
    for i in range(len(points)):
        low = min(
            low, points[i, 0] * normal[0] + points[i, 1] * normal[1] + points[i, 2] * normal[2]
        )
    return float(top - low)


@compiled
def _cut_beside(
    corners: Array, planes: Array, p: int, part: Array, spare: Array
) -> tuple[Array, int]:  # pragma: no cover - compiled
    """Return the triangle's part in a solid that goes on for ever before a face and behind it."""
    face, count = planes[p], 3
    for c in range(3):
        for k in range(3):
            part[c, k] = corners[c, k]
    for q in range(len(planes)):
        if q != p and _cosine(planes[q], face) > _BACK:
            for i in range(count):
                part[i, 3] = before(planes[q], part[i])
            count = clip(part, spare, count)
            part, spare = spare, part
    return part, count


@compiled
def _turn_across(a: Array, b: Array, normal: Array) -> None:  # pragma: no cover - compiled
    """Turn a normal so that it is square to a line."""
    along, length = 0.0, 0.0
    for k in range(3):
        along += normal[k] * (b[k] - a[k])
        length += (b[k] - a[k]) ** 2
    for k in range(3):
        normal[k] -= along / length * (b[k] - a[k])
    unit(normal)


@compiled
def _across_edges(
    mesh: Ground,
    f: int,
    corners: Array,
    body: Solid,
    part: Array,
    work: Array,
    best: float,
    rim: float,
) -> float:  # pragma: no cover - compiled
    """Look for a shorter way out across an edge of the triangle and one of the solid.

    The solid's edge is where the faces meet through which the triangle's enters and leaves. If
    these are opposite, it stands right through a thin solid, and each edge of both is tried.
    """
    planes = body[0]
    for c in range(3):
        _, _, first, last = passes(corners[c], corners[(c + 1) % 3], planes)
        if first < 0 or last < 0:
            continue
        if _cosine(planes[first], planes[last]) > _BACK:
            best = _over_edge(mesh, f, corners, c, body, first, last, part, work, best, rim)
            continue
        for q in range(len(planes)):
            if abs(_cosine(planes[first], planes[q])) < -_BACK:
                best = _over_edge(mesh, f, corners, c, body, first, q, part, work, best, rim)
                best = _over_edge(mesh, f, corners, c, body, last, q, part, work, best, rim)
    return best


@compiled
def _over_edge(
    mesh: Ground,
    f: int,
    corners: Array,
    c: int,
    body: Solid,
    p: int,
    q: int,
    part: Array,
    work: Array,
    best: float,
    rim: float,
) -> float:  # pragma: no cover - compiled
    """Take the way out across an edge of the triangle and that of two faces, if it is shorter."""
    if not _edge_normal(corners, c, body[0][p], body[0][q], work[1], work[2]):
        return best
    most, which = _overlap(part, body[1], work[1])
    if most < best and _rests(mesh, f, corners, part[which], work, rim):
        best = most
        for k in range(3):
            work[3, k] = work[1, k]
    return best


@compiled
def _edge_normal(
    corners: Array, c: int, one: Array, other: Array, normal: Array, edge: Array
) -> bool:  # pragma: no cover - compiled
    """Write the normal across an edge of the triangle and the solid's edge between two planes."""
    a, b = corners[c], corners[(c + 1) % 3]
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
def _cosine(one: Array, other: Array) -> float:  # pragma: no cover - compiled
    found: float = one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
    return found
