"""One triangle of a mesh: its plane, its nearest point, and which normals its edges allow.

A normal is allowed at an edge only if the triangle behind the edge lies below it as well: without
this, a thing that slides over flat ground would hit every edge between two triangles.
"""

import numpy as np

from outrider.core.address import doubles, half_words
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.field import far_corner, load_cell
from outrider.physics.triangles.manifold import unit
from outrider.physics.triangles.records import Ints

_ON_EDGE = 1e-5  # share of a corner: less of it, and a point lies on the opposite edge


@compiled
def place_corners(record: Ints, f: int, corners: Array) -> None:  # pragma: no cover - compiled
    """Fill in the corners (rows 0 to 2)."""
    if record[records.HEIGHTS]:
        load_cell(record, f, corners)
    else:
        vertices = doubles(record[records.VERTICES], 3 * record[records.CORNERS])
        faces = half_words(record[records.FACES], 3 * record[records.TRIANGLES])
        for c in range(3):
            for k in range(3):
                corners[c, k] = vertices[3 * faces[3 * f + c] + k]


@compiled
def find_normal(corners: Array) -> bool:  # pragma: no cover - compiled
    """Fill in the unit normal (row 3); False for slivers."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        corners[3, k] = (corners[1, i] - corners[0, i]) * (corners[2, j] - corners[0, j]) - (
            corners[1, j] - corners[0, j]
        ) * (corners[2, i] - corners[0, i])
    return unit(corners[3]) > 0.0


@compiled
def load(record: Ints, f: int, corners: Array) -> bool:  # pragma: no cover - compiled
    """Fill in both; False for slivers."""
    place_corners(record, f, corners)
    return find_normal(corners)


@compiled
def beyond(record: Ints, f: int, c: int, out: Array) -> bool:  # pragma: no cover - compiled
    """Write the far corner of the triangle beyond the edge from corner c to c + 1, if there is."""
    if record[records.HEIGHTS]:
        return far_corner(record, f, c, out)
    far = half_words(record[records.ACROSS], 3 * record[records.TRIANGLES])[3 * f + c]
    vertices = doubles(record[records.VERTICES], 3 * record[records.CORNERS])
    for k in range(3):
        out[k] = vertices[3 * max(far, 0) + k]
    return bool(far >= 0)


@compiled
def height(corners: Array, x: float, y: float, z: float) -> float:  # pragma: no cover - compiled
    """Return how far a point lies before the triangle's plane."""
    n, p = corners[3], corners[0]
    found: float = n[0] * (x - p[0]) + n[1] * (y - p[1]) + n[2] * (z - p[2])
    return found


@compiled
def shares(corners: Array, point: Array, out: Array) -> None:  # pragma: no cover - compiled
    """Write how much of each corner is in a point's foot on the plane."""
    n = corners[3]
    total = 0.0
    for c in range(3):
        a, b = corners[(c + 1) % 3], corners[(c + 2) % 3]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        wx, wy, wz = point[0] - a[0], point[1] - a[1], point[2] - a[2]
        out[c] = (
            (uy * wz - uz * wy) * n[0] + (uz * wx - ux * wz) * n[1] + (ux * wy - uy * wx) * n[2]
        )
        total += out[c]
    for c in range(3):
        out[c] /= total


@compiled
def nearest(
    corners: Array, point: Array, share: Array, out: Array
) -> int:  # pragma: no cover - compiled
    """Write the nearest point of the triangle; return the edges it lies on, a bit each.

    None of them, if that is the point's foot on the plane.
    """
    shares(corners, point, share)
    if share[0] >= 0.0 and share[1] >= 0.0 and share[2] >= 0.0:
        for k in range(3):
            out[k] = share[0] * corners[0, k] + share[1] * corners[1, k] + share[2] * corners[2, k]
        return 0
    best, bits = np.inf, 0
    for c in range(3):
        a, b = corners[c], corners[(c + 1) % 3]
        along, length = 0.0, 0.0
        for k in range(3):
            along += (b[k] - a[k]) * (point[k] - a[k])
            length += (b[k] - a[k]) ** 2
        t = min(max(along / length, 0.0), 1.0)
        square = 0.0
        for k in range(3):
            square += (a[k] + t * (b[k] - a[k]) - point[k]) ** 2
        if square < best:
            best, bits = square, 1 << c
            if t == 0.0:
                bits |= 1 << (c + 2) % 3
            elif t == 1.0:
                bits |= 1 << (c + 1) % 3
            for k in range(3):
                out[k] = a[k] + t * (b[k] - a[k])
    return bits


@compiled
def edges_at(share: Array) -> int:  # pragma: no cover - compiled
    """Return the edges on which a point with such shares lies, a bit each."""
    bits = 0
    for c in range(3):
        if share[c] < _ON_EDGE:  # nothing of corner c: on the edge from c + 1 to c + 2
            bits |= 1 << (c + 1) % 3
    return bits


@compiled
def allowed(
    record: Ints, f: int, bits: int, point: Array, normal: Array, tilt: float, far: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether the neighbours behind these edges lie below the plane of a contact.

    They may rise above it by an angle of this sine. ``far`` is scratch.
    """
    for c in range(3):
        if (bits >> c) & 1 and beyond(record, f, c, far):
            rise, square = 0.0, 0.0
            for k in range(3):
                way = far[k] - point[k]
                rise += way * normal[k]
                square += way * way
            if rise > 0.0 and rise * rise > tilt * tilt * square:
                return False
    return True


@compiled
def crossed(
    corners: Array, start: Array, end: Array, share: Array, out: Array
) -> float:  # pragma: no cover
    """Return where on the way from start to end the triangle is passed, 0 to 1; 2 if not at all.

    What begins on the plane has not passed it.
    """
    before = height(corners, start[0], start[1], start[2])
    after = height(corners, end[0], end[1], end[2])
    if before * after > 0.0 or before == 0.0:
        return 2.0
    t = before / (before - after)
    for k in range(3):
        out[k] = start[k] + t * (end[k] - start[k])
    shares(corners, out, share)
    if share[0] < -1e-9 or share[1] < -1e-9 or share[2] < -1e-9:
        return 2.0
    return t
