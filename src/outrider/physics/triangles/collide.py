"""The kernel: what of a convex body touches which triangles of a mesh.

A body keeps an anchor, the last place of its middle from which the present one could be reached
without passing a triangle. If its middle has passed one (a fast fall, a heavy impact), it is pushed
back to the anchor's side: sheets of no thickness carry, and nothing comes out below.
"""

import math

import numpy as np

from outrider.core.address import doubles, floats, half_words, stack_memory, words
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records, shapes
from outrider.physics.triangles.apart import apart, meets
from outrider.physics.triangles.ball import ball, capsule, smooth
from outrider.physics.triangles.cutting import CORNERS, cut
from outrider.physics.triangles.facet import (
    beyond,
    height,
    load,
    nearest,
    place_corners,
)
from outrider.physics.triangles.field import triangle_over
from outrider.physics.triangles.manifold import (
    CAPACITY,
    DEPTH,
    MOST,
    NORMAL,
    POSITION,
    WIDTH,
    add,
    lead_out,
    note_front,
    release,
    thin,
)
from outrider.physics.triangles.records import Ints, Solid, Triangle
from outrider.physics.triangles.search import next_few, next_leaf
from outrider.physics.triangles.shapes import BOX, CAPSULE, CYLINDER, MESH, SPHERE
from outrider.physics.triangles.sight import blocked
from outrider.physics.triangles.solid import solid
from outrider.physics.triangles.spaces import find_space, in_space
from outrider.scene.box_tree import LEAF

_DEEPEST_TREE = 80  # space on the stack: two nodes a level
_SHEETS = 16  # whose sides are kept in mind
_WORK = 28  # vectors
_NODES = 2 * _DEEPEST_TREE + 2  # numbers: of two searches in the tree, and the triangles under way
_AT, _END = _NODES - 2, _NODES - 1
_WORK_BYTES, _ROWS_BYTES = 8 * 3 * _WORK, 8 * CAPACITY * WIDTH
_NODES_BYTES, _KNOWN_BYTES = 8 * _NODES, 8 * 2 * (_SHEETS + 1)
_UP_TO = 1.0 - 1e-8  # of a way to a triangle, which does not hide itself
_PLAIN = 0.3  # sine of the angle from which on a middle is plainly on one side of a triangle


@compiled
def find(table: Ints, model: int, geom: int) -> int:  # pragma: no cover - compiled
    """Return the address of a geom's record, or 0 if it is an ordinary height field."""
    field = half_words(words(model + table[records.GEOM_DATA], 1)[0], geom + 1)[geom]
    start = half_words(words(model + table[records.FIELD_START], 1)[0], field + 1)[field]
    mark = half_words(words(model + table[records.FIELD_DATA], 1)[0] + 4 * start, 4)
    if mark[0] != records.MAGIC or mark[1] != np.int32(model >> 4):
        return 0
    low = np.int64(mark[2]) & 0xFFFFFFFF
    return int(low | np.int64(mark[3]) << 32)


@compiled
def relative(
    table: Ints, data: int, mesh: int, geom: int, frame: Array
) -> None:  # pragma: no cover
    """Write the pose of a geom in the mesh's frame: a rotation over a position."""
    places = doubles(words(data + table[records.GEOM_POSITION], 1)[0], 3 * max(mesh, geom) + 3)
    turns = doubles(words(data + table[records.GEOM_ROTATION], 1)[0], 9 * max(mesh, geom) + 9)
    for i in range(3):
        frame[3, i] = 0.0
        for j in range(3):
            frame[3, i] += turns[9 * mesh + 3 * j + i] * (
                places[3 * geom + j] - places[3 * mesh + j]
            )
            frame[i, j] = 0.0
            for k in range(3):
                frame[i, j] += turns[9 * mesh + 3 * k + i] * turns[9 * geom + 3 * k + j]


@compiled
def around(
    frame: Array, box: Array, low: Array, high: Array, middle: Array
) -> None:  # pragma: no cover
    """Write the box with the mesh's axes around a body's own box (middle, half edges)."""
    for k in range(3):
        middle[k], reach = frame[3, k], 0.0
        for j in range(3):
            middle[k] += frame[k, j] * box[j]
            reach += abs(frame[k, j]) * box[3 + j]
        low[k], high[k] = middle[k] - reach, middle[k] + reach


@compiled
def hold(
    record: Ints, geom: int, data: int, centre: Array, corners: Array, work: Array, stack: Ints
) -> int:  # pragma: no cover
    """Move the anchor to a body's middle; if triangles are in the way, return the first of them.

    work[6] is where the anchor is then.
    """
    if record[records.HEIGHTS]:
        return _sunk(record, centre, corners, work)
    anchor = doubles(record[records.ANCHORS] + 32 * geom, 4)
    tick = words(record[records.TICK], 1)[0]
    found = -1
    if record[records.DATA] == data and anchor[3] >= tick - 1:
        for k in range(3):
            work[6, k] = anchor[k]
        found = blocked(record, work[6], centre, corners, work, stack)
    if record[records.DATA] == data:
        anchor[3] = tick
        if found < 0:
            for k in range(3):
                anchor[k] = centre[k]
    return found


@compiled
def _sunk(
    record: Ints, centre: Array, corners: Array, work: Array
) -> int:  # pragma: no cover - compiled
    """Return the triangle of a height field over a body's middle, or -1 if that is above ground.

    work[6] is a point above it: there is only one side.
    """
    f = triangle_over(record, centre)
    if f < 0 or not load(record, f, corners):
        return -1
    if height(corners, centre[0], centre[1], centre[2]) >= 0.0:
        return -1
    for k in range(3):
        work[6, k] = corners[0, k] + corners[3, k]
    return f


@compiled
def push_back(
    record: Ints, f: int, centre: Array, box: Array, corners: Array, work: Array, rows: Array
) -> int:  # pragma: no cover
    """Add one contact for a body whose middle has passed a triangle: back, without turning it."""
    load(record, f, corners)
    side = 1.0 if height(corners, work[6, 0], work[6, 1], work[6, 2]) > 0.0 else -1.0
    below = -side * height(corners, centre[0], centre[1], centre[2])
    for k in range(3):
        work[1, k] = side * corners[3, k]
    depth = below + min(box[3], box[4], box[5])
    return add(rows, int(np.int64(0)), depth, centre, below - depth / 2, work[1], 1.0)


@compiled
def side_of(
    record: Ints,
    triangle: Triangle,
    part: Array,
    centre: Array,
    known: Ints,
    work: Array,
    stack: Ints,
) -> float:  # pragma: no cover - compiled
    """Return 1 if a body is before a triangle, as this is wound, -1 if behind, 0 if that is open.

    Its sheet knows. If the middle is on the other side of the triangle's own plane, and sees it
    from there, the surface passes through itself, so that the sheet was asked where it lies upside
    down, or the near side is missing at a rim: the triangle pushes the middle to the side that sees
    it. If others are in the way, the triangle is past a ridge or in a fold: those on the near side
    hold the body, and this one would throw it. But at a rim they may be missing.
    """
    f, corners = triangle
    side = _known_side(record, f, centre, known, work, stack)
    over = height(corners, centre[0], centre[1], centre[2])
    if over * side >= 0.0:
        return side
    if not record[records.HEIGHTS] and _sees(record, part, centre, work, stack):
        return -side
    plain = over * over > _PLAIN * _PLAIN * _square_to(corners, centre, work)
    if plain and (record[records.HEIGHTS] or not _has_rim(record, f, work)):
        return 0.0
    return side


@compiled
def _sees(
    record: Ints, part: Array, centre: Array, work: Array, stack: Ints
) -> bool:  # pragma: no cover - compiled
    """Tell whether no triangle is between a point and the middle of a part of another."""
    end = work[22]
    for k in range(3):
        middle = 0.0
        for i in range(len(part)):
            middle += part[i, k] / len(part)
        end[k] = centre[k] + _UP_TO * (middle - centre[k])
    return blocked(record, centre, end, work[24:28], work[16:22], stack) < 0


@compiled
def _known_side(
    record: Ints, f: int, centre: Array, known: Ints, work: Array, stack: Ints
) -> float:  # pragma: no cover - compiled
    """Return the same as the triangle's sheet says it; each sheet is asked once."""
    if record[records.HEIGHTS]:
        return 1.0  # what is behind is pushed back
    sheets = half_words(record[records.SHEETS], record[records.TRIANGLES])
    turned = 1.0 - 2.0 * (sheets[f] & 1)
    sheet = sheets[f] >> 1
    for i in range(1, known[0, 0] + 1):
        if known[i, 0] == sheet:
            return float(turned * known[i, 1])
    side = _side_of_sheet(record, f, sheet, sheets, centre, work, stack)
    if known[0, 0] < _SHEETS:
        known[0, 0] += 1
        known[known[0, 0], 0], known[known[0, 0], 1] = sheet, int(side)
    return float(turned * side)


@compiled
def _side_of_sheet(
    record: Ints, first: int, sheet: int, sheets: Ints, centre: Array, work: Array, stack: Ints
) -> float:  # pragma: no cover - compiled
    """Return on which side of a sheet a point is: the side of the triangle next to it.

    Where several are equally near, at an edge or corner, the one that looks at it most counts.
    """
    leaves, triangles = record[records.LEAVES], record[records.TRIANGLES]
    nodes = floats(record[records.BOXES], 6 * (2 * leaves - 1))
    corners, low, high = work[16:20], work[20], work[21]
    load(record, first, corners)
    best, side, most = _square_to(corners, centre, work) * (1.0 + 1e-9), 1.0, -1.0
    stack[0], stack[1] = 1, 0
    while True:
        reach = math.sqrt(best)
        for k in range(3):
            low[k], high[k] = centre[k] - reach, centre[k] + reach
        leaf = next_leaf(nodes, leaves, low, high, stack)
        if leaf < 0:
            return side
        for f in range(leaf * LEAF, min(leaf * LEAF + LEAF, triangles)):
            if sheets[f] >> 1 != sheet or not load(record, f, corners):
                continue
            square = _square_to(corners, centre, work)
            if square > best:
                continue
            over = height(corners, centre[0], centre[1], centre[2])
            if square < best * (1.0 - 1e-8) or abs(over) > most:
                best, most = square * (1.0 + 1e-9), abs(over)
                side = (1.0 if over >= 0.0 else -1.0) * (1.0 - 2.0 * (sheets[f] & 1))


@compiled
def _has_rim(record: Ints, f: int, work: Array) -> bool:  # pragma: no cover - compiled
    """Tell whether nothing is beyond one of a triangle's edges."""
    for c in range(3):  # noqa: SIM110 - compiled
        if not beyond(record, f, c, work[22]):
            return True
    return False


@compiled
def _square_to(corners: Array, point: Array, work: Array) -> float:  # pragma: no cover - compiled
    """Return the squared distance of a point from a triangle."""
    nearest(corners, point, work[22], work[23])
    square = 0.0
    for k in range(3):
        square += (work[23, k] - point[k]) ** 2
    return square


@compiled
def body_of(
    kind: int, size: Array, frame: Array, hulls: int
) -> Solid:  # pragma: no cover - compiled
    """Return a body as a solid: planes, points and scratch buffers for two parts of a triangle."""
    n_planes, n_points = 6, 8
    if kind == CYLINDER:
        n_planes, n_points = shapes.SIDES + 2, 2 * shapes.SIDES
    elif kind == MESH:
        hull = words(hulls, records.HULL)
        n_planes, n_points = hull[records.HULL_PLANES], hull[records.HULL_POINTS]
    elif kind != BOX:
        n_planes, n_points = 1, 2
    planes, points = np.empty((n_planes, 4)), np.empty((n_points, 3))
    if kind == BOX:
        shapes.box(frame, size, planes, points)
    elif kind == MESH:
        hull = words(hulls, records.HULL)
        sides = doubles(hull[records.HULL_SIDES], 4 * n_planes)
        shapes.hull(frame, sides, doubles(hull[records.HULL_CORNERS], 3 * n_points), planes, points)
    elif kind == CAPSULE:
        shapes.place(frame, 0.0, 0.0, size[1], points[0])
        shapes.place(frame, 0.0, 0.0, -size[1], points[1])
    return planes, points, np.empty((CORNERS + 1, 4)), np.empty((CORNERS + 1, 4))


@compiled
def next_near(
    record: Ints, kind: int, size: Array, box: Array, frame: Array, work: Array, stack: Ints
) -> int:  # pragma: no cover - compiled
    """Return the next triangle that a body may touch, loaded into work[8:12], or -1.

    Before the first, the stack holds the root of the tree, and no triangles of a leaf.
    """
    low, high, middle, corners = work[4], work[5], work[7], work[8:12]
    while True:
        while stack[_AT] < stack[_END]:
            f = stack[_AT]
            stack[_AT] += 1
            place_corners(record, f, corners)
            if not meets(corners, low, high):
                continue
            if not apart(kind, size, box, frame, middle, corners):
                return int(f)
        stack[_AT], stack[_END] = next_few(record, low, high, stack)
        if stack[_AT] == stack[_END]:
            return -1


@compiled
def gather(
    record: Ints,
    kind: int,
    size: Array,
    box: Array,
    frame: Array,
    hulls: int,
    work: Array,
    rows: Array,
    stack: Ints,
) -> int:  # pragma: no cover - compiled
    """Collect the contacts of a body with all triangles near it."""
    around(frame, box, work[4], work[5], work[7])
    stack[0], stack[1], stack[_AT], stack[_END] = 1, 0, 0, 0
    f = next_near(record, kind, size, box, frame, work, stack)
    if f < 0:
        return 0
    mesh = record, max(box[3], box[4], box[5])
    body, corners, scratch = body_of(kind, size, frame, hulls), work[8:12], stack[_DEEPEST_TREE:]
    known = words(stack_memory(_KNOWN_BYTES), (_SHEETS + 1, 2))  # sheets and sides; first how many
    known[0, 0] = 0
    count = int(np.int64(0))  # for a plain 0 all below would be compiled once more, as constant
    while f >= 0:
        if kind == SPHERE:
            count = ball(mesh, (f, corners), frame[3], size[0], work, rows, count)
        elif kind == CAPSULE:
            count = capsule(
                mesh, (f, corners), body[1], size[0], work, rows=rows, count=count, stack=scratch
            )
        else:
            if kind == CYLINDER:
                shapes.cylinder(frame, size[0], size[1], corners[3], body[0], body[1])
            part, inside = cut(corners, body[0], body[2], body[3])
            if inside > 0:
                near = part[:inside]
                side = side_of(record, (f, corners), near, frame[3], known, work, scratch)
                if side != 0.0:
                    found = (part, inside, side)
                    count = solid(mesh, (f, corners), body, found, work, rows, count)
                    over = height(corners, frame[3, 0], frame[3, 1], frame[3, 2])
                    far = math.sqrt(_square_to(corners, frame[3], work))
                    note_front(rows, count, side * over / max(far, 1e-12))
        f = next_near(record, kind, size, box, frame, work, stack)
    rounded = kind in (SPHERE, CAPSULE)
    count = smooth(mesh, corners, work, rows, count) if rounded else release(rows, count)
    count = thin(rows, count, MOST, mesh[1])
    lead_out(rows, count)
    return count


@compiled
def write(
    table: Ints, data: int, mesh: int, rows: Array, count: int, contacts: Array
) -> None:  # pragma: no cover
    """Write the contacts as MuJoCo takes them: distance, place, normal, and no tangent."""
    places = doubles(words(data + table[records.GEOM_POSITION], 1)[0], 3 * mesh + 3)
    turns = doubles(words(data + table[records.GEOM_ROTATION], 1)[0], 9 * mesh + 9)
    for i in range(count):
        at = 10 * i
        contacts[at] = -rows[i, DEPTH]
        for k in range(3):
            place, normal = places[3 * mesh + k], 0.0
            for j in range(3):
                turn = turns[9 * mesh + 3 * k + j]
                place += turn * rows[i, POSITION + j]
                normal += turn * rows[i, NORMAL + j]
            contacts[at + 1 + k], contacts[at + 4 + k], contacts[at + 7 + k] = place, normal, 0.0


@compiled
def collide(
    table: Ints, found: int, model: int, data: int, contacts: Array, mesh: int, geom: int
) -> int:  # pragma: no cover - compiled
    """Write the contacts of a mesh with a convex body; return how many."""
    record = words(found, records.RECORD)
    kind = half_words(words(model + table[records.GEOM_TYPE], 1)[0], geom + 1)[geom]
    size = doubles(words(model + table[records.GEOM_SIZE], 1)[0] + 24 * geom, 3)
    box = doubles(words(model + table[records.GEOM_BOX], 1)[0] + 48 * geom, 6)
    hulls = words(record[records.HULLS], geom + 1)[geom]
    work = doubles(stack_memory(_WORK_BYTES), (_WORK, 3))
    stack = words(stack_memory(_NODES_BYTES), _NODES)
    rows = doubles(stack_memory(_ROWS_BYTES), (CAPACITY, WIDTH))
    frame = work[12:16]
    relative(table, data, mesh, geom, frame)
    around(frame, box, work[4], work[5], work[7])
    if in_space(record, geom, data, frame, work):
        return 0
    passed = hold(record, geom, data, frame[3], work[8:12], work, stack)
    if passed >= 0:
        count = push_back(record, passed, frame[3], box, work[8:12], work, rows)
    else:
        count = gather(
            record, kind, size, box, frame, hulls=hulls, work=work, rows=rows, stack=stack
        )
        if count == 0:
            find_space(record, geom, data, work, stack)
    write(table, data, mesh, rows, count, contacts)
    return count
