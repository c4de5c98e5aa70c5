"""Rays through a tree of boxes, for machines without Embree.

Triangles are met as by S. Woop, C. Benthin and I. Wald, "Watertight Ray/Triangle Intersection"
(2013): no ray slips through between two of them.
"""
# ruff: noqa: ARG001 - numba says which arguments there are

import math
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.untyped import Llvm

Floats32 = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Words = NDArray[np.int64]
Waiting = tuple[Words, Floats]

_DEEP = 64  # boxes that wait to be looked into
_HIT, _RAY = 8, 12  # numbers of RTCHitN and RTCRayN with N = 1
_ALL_ONES = -1  # a hit that counts
_OUTWARD = 1.0000004  # rounding must not let a ray slip past a box


class Tree(NamedTuple):
    """Boxes, and the triangles in their order: corners, which face of which shape, filters."""

    boxes: Floats32
    corners: Floats32  # (n, 9)
    shape: Ints
    face: Ints
    hit_filters: Words  # (shapes, 2): address of a filter function and of its data, or zeros
    leaf: int  # triangles in a leaf


class Ray(NamedTuple):
    """A ray as boxes and triangles are asked for: the axis along which it is longest comes last."""

    origin: tuple[float, float, float]
    inverse: tuple[float, float, float]  # of its direction
    axes: tuple[int, int, int]
    start: tuple[float, float, float]  # the origin in the order of the axes
    shear: tuple[float, float, float]  # turns it along the last axis


class Found(NamedTuple):
    """A triangle on a ray: where along it, which one, and where in the triangle."""

    distance: float
    row: int
    u: float
    v: float


@intrinsic  # type: ignore[untyped-decorator]
def _ask(context: Llvm, function: Llvm, arguments: Llvm) -> Llvm:
    """Call a filter function at an address with the address of its arguments."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, given: Llvm) -> Llvm:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(builder.inttoptr(given[0], kind.as_pointer()), given[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@compiled_nogil
def _counts(
    tree: Tree, row: int, distance: float, u: float, v: float, ray: Floats32
) -> bool:  # pragma: no cover - compiled
    """Ask the filter of a shape whether a hit counts."""
    shape = tree.shape[row]
    valid = np.full(1, _ALL_ONES, np.int32)
    hit = np.zeros(_HIT, np.float32)
    normal = _normal(tree.corners[row])
    hit[0], hit[1], hit[2], hit[3], hit[4] = normal[0], normal[1], normal[2], u, v
    hit.view(np.int32)[5], hit.view(np.int32)[6] = tree.face[row], shape
    ray[8] = distance
    arguments = np.zeros(6, np.int64)  # RTCFilterFunctionNArguments
    arguments[0], arguments[1] = valid.ctypes.data, tree.hit_filters[shape, 1]
    arguments[3], arguments[4], arguments[5] = ray.ctypes.data, hit.ctypes.data, 1
    _ask(tree.hit_filters[shape, 0], arguments.ctypes.data)
    return bool(valid[0] == _ALL_ONES)


@compiled_inline
def _normal(c: Floats32) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return the normal of a triangle, as long as twice its area."""
    ax, ay, az = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    bx, by, bz = c[6] - c[0], c[7] - c[1], c[8] - c[2]
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@compiled_inline
def _inverse(x: float) -> float:  # pragma: no cover - compiled
    return 1.0 / x if x != 0.0 else math.inf


@compiled_inline
def _ray(origins: Floats32, directions: Floats32, i: int) -> Ray:  # pragma: no cover - compiled
    """Prepare a ray."""
    o = (np.float64(origins[i, 0]), np.float64(origins[i, 1]), np.float64(origins[i, 2]))
    d = (np.float64(directions[i, 0]), np.float64(directions[i, 1]), np.float64(directions[i, 2]))
    z = 0 if abs(d[0]) >= max(abs(d[1]), abs(d[2])) else (1 if abs(d[1]) >= abs(d[2]) else 2)
    x, y = (z + 1) % 3, (z + 2) % 3
    return Ray(
        o,
        (_inverse(d[0]), _inverse(d[1]), _inverse(d[2])),
        (x, y, z),
        (o[x], o[y], o[z]),
        (d[x] / d[z], d[y] / d[z], 1.0 / d[z]),
    )


@compiled_inline
def _meet(
    corners: Floats32, row: int, ray: Ray
) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return where a ray meets a triangle: distance (not above 0 if it does not), u and v."""
    x, y, z = ray.axes
    ox, oy, oz = ray.start
    sx, sy, sz = ray.shear
    az, bz, cz = corners[row, z] - oz, corners[row, 3 + z] - oz, corners[row, 6 + z] - oz
    ax, ay = corners[row, x] - ox - sx * az, corners[row, y] - oy - sy * az
    bx, by = corners[row, 3 + x] - ox - sx * bz, corners[row, 3 + y] - oy - sy * bz
    cx, cy = corners[row, 6 + x] - ox - sx * cz, corners[row, 6 + y] - oy - sy * cz
    p, q, r = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
    outside = (p < 0.0 or q < 0.0 or r < 0.0) and (p > 0.0 or q > 0.0 or r > 0.0)
    total = p + q + r
    if outside or total == 0.0:
        return 0.0, 0.0, 0.0
    return sz * (p * az + q * bz + r * cz) / total, q / total, r / total


@compiled_nogil
def _slab(
    low: float, high: float, o: float, inverse: float, span: tuple[float, float]
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the part of a span of a ray that lies between two planes across an axis."""
    one, two = (low - o) * inverse, (high - o) * inverse
    if one > two:
        one, two = two, one
    near, end = span
    # what is not a number (a ray in one of the planes) leaves both as they are
    return one if one > near else near, two if two < end else end


@compiled_inline
def _enters(boxes: Floats32, row: int, ray: Ray, far: float) -> float:  # pragma: no cover
    """Return where a ray comes into a box; infinity if it does not before ``far``."""
    o, i = ray.origin, ray.inverse
    span = _slab(boxes[row, 0], boxes[row, 3], o[0], i[0], (0.0, far))
    span = _slab(boxes[row, 1], boxes[row, 4], o[1], i[1], span)
    span = _slab(boxes[row, 2], boxes[row, 5], o[2], i[2], span)
    return span[0] if span[0] <= span[1] * _OUTWARD else math.inf


@compiled_inline
def _open(
    tree: Tree, node: int, ray: Ray, far: float, waiting: Waiting, count: int
) -> int:  # pragma: no cover - compiled
    """Let the boxes within a box wait that the ray enters, the nearer one on top."""
    nodes, ways = waiting
    one, other = 2 * node + 1, 2 * node + 2
    near, later = _enters(tree.boxes, one, ray, far), _enters(tree.boxes, other, ray, far)
    if later < near:
        one, other, near, later = other, one, later, near
    if later < math.inf:
        nodes[count], ways[count] = other, later
        count += 1
    if near < math.inf:
        nodes[count], ways[count] = one, near
        count += 1
    return count


@compiled_inline
def _trace(
    tree: Tree, ray: Ray, far: float, any_hit: bool, waiting: Waiting, asked: Floats32
) -> Found:  # pragma: no cover - compiled
    """Return the nearest triangle on a ray, or any; its row is -1 if there is none."""
    best, row, u, v = far, -1, 0.0, 0.0
    inner = len(tree.boxes) // 2
    nodes, ways = waiting
    nodes[0], ways[0], count = 0, _enters(tree.boxes, 0, ray, best), 1
    while count:
        count -= 1
        node = nodes[count]
        if not ways[count] <= best:
            continue
        if node < inner:
            count = _open(tree, node, ray, best, waiting, count)
            continue
        first = (node - inner) * tree.leaf
        for i in range(first, min(first + tree.leaf, len(tree.shape))):
            distance, a, b = _meet(tree.corners, i, ray)
            if not 0.0 < distance <= best:
                continue
            if tree.hit_filters[tree.shape[i], 0] and not _counts(tree, i, distance, a, b, asked):
                continue
            best, row, u, v = distance, i, a, b
            if any_hit:
                return Found(best, row, u, v)
    return Found(best, row, u, v)


@compiled_nogil
def _waiting() -> Waiting:  # pragma: no cover - compiled
    """Return room for boxes that wait to be looked into, and for where the ray enters them."""
    return np.empty(_DEEP, np.int64), np.empty(_DEEP)


@compiled_nogil
def intersect(
    tree: Tree,
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
    shape: Ints,
    face: Ints,
    u: Floats32,
    v: Floats32,
    normal: Floats32,
) -> None:  # pragma: no cover - compiled
    """Find the nearest hit of every ray; without one the shape is -1 and ``far`` stays."""
    waiting, asked = _waiting(), np.zeros(_RAY, np.float32)
    for i in range(len(far)):
        ray = _ray(origins, directions, i)
        for k in range(3):
            asked[k], asked[4 + k] = origins[i, k], directions[i, k]
        found = _trace(tree, ray, np.float64(far[i]), False, waiting, asked)
        if found.row < 0:
            shape[i] = face[i] = -1
            continue
        far[i], u[i], v[i] = found.distance, found.u, found.v
        shape[i], face[i] = tree.shape[found.row], tree.face[found.row]
        normal[i, 0], normal[i, 1], normal[i, 2] = _normal(tree.corners[found.row])


@compiled_nogil
def occlude(
    tree: Tree, origins: Floats32, directions: Floats32, far: Floats32, out: NDArray[np.bool_]
) -> None:  # pragma: no cover - compiled
    """Find which rays meet anything at all."""
    waiting, asked = _waiting(), np.zeros(_RAY, np.float32)
    for i in range(len(far)):
        ray = _ray(origins, directions, i)
        for k in range(3):
            asked[k], asked[4 + k] = origins[i, k], directions[i, k]
        out[i] = _trace(tree, ray, np.float64(far[i]), True, waiting, asked).row >= 0
