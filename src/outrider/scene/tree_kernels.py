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
from outrider.scene.box_tree import LEAF

Floats32 = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Words = NDArray[np.int64]

_DEEP = 64  # boxes that wait to be looked into
_HIT, _RAY = 8, 12  # numbers of RTCHitN and RTCRayN with N = 1
_ALL_ONES = -1  # a hit that counts


class Tree(NamedTuple):
    """Boxes, and the triangles in their order: corners, which face of which shape, sieves."""

    boxes: Floats32
    corners: Floats32  # (n, 9)
    shape: Ints
    face: Ints
    sieves: Words  # (shapes, 2): address of a filter function and of its data, or zeros


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
    """Ask the sieve of a shape whether a hit counts."""
    shape = tree.shape[row]
    if tree.sieves[shape, 0] == 0:
        return True
    valid = np.full(1, _ALL_ONES, np.int32)
    hit = np.zeros(_HIT, np.float32)
    normal = _normal(tree.corners[row])
    hit[0], hit[1], hit[2], hit[3], hit[4] = normal[0], normal[1], normal[2], u, v
    hit.view(np.int32)[5], hit.view(np.int32)[6] = tree.face[row], shape
    ray[8] = distance
    arguments = np.zeros(6, np.int64)  # RTCFilterFunctionNArguments
    arguments[0], arguments[1] = valid.ctypes.data, tree.sieves[shape, 1]
    arguments[3], arguments[4], arguments[5] = ray.ctypes.data, hit.ctypes.data, 1
    _ask(tree.sieves[shape, 0], arguments.ctypes.data)
    return bool(valid[0] == _ALL_ONES)


@compiled_inline
def _normal(c: Floats32) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return the normal of a triangle, as long as twice its area."""
    ax, ay, az = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    bx, by, bz = c[6] - c[0], c[7] - c[1], c[8] - c[2]
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@compiled_nogil
def _shear(d: Floats) -> tuple[int, int, int, float, float, float]:  # pragma: no cover - compiled
    """Return the axes of a ray, its longest last, and the shear that turns it along that."""
    z = 0
    for k in range(1, 3):
        if abs(d[k]) > abs(d[z]):
            z = k
    x, y = (z + 1) % 3, (z + 2) % 3
    return x, y, z, d[x] / d[z], d[y] / d[z], 1.0 / d[z]


@compiled_nogil
def _meet(
    c: Floats32, o: Floats, shear: tuple[int, int, int, float, float, float]
) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return where a ray meets a triangle: distance (not above 0 if it does not), u and v."""
    x, y, z, sx, sy, sz = shear
    az, bz, cz = c[z] - o[z], c[3 + z] - o[z], c[6 + z] - o[z]
    ax, ay = c[x] - o[x] - sx * az, c[y] - o[y] - sy * az
    bx, by = c[3 + x] - o[x] - sx * bz, c[3 + y] - o[y] - sy * bz
    cx, cy = c[6 + x] - o[x] - sx * cz, c[6 + y] - o[y] - sy * cz
    p, q, r = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
    if (p < 0.0 or q < 0.0 or r < 0.0) and (p > 0.0 or q > 0.0 or r > 0.0):
        return 0.0, 0.0, 0.0
    total = p + q + r
    if total == 0.0:
        return 0.0, 0.0, 0.0
    return sz * (p * az + q * bz + r * cz) / total, q / total, r / total


@compiled_inline
def _enters(box: Floats32, o: Floats, inverse: Floats, far: float) -> float:  # pragma: no cover
    """Return where a ray comes into a box; infinity if it does not before ``far``."""
    near, end = 0.0, far
    for k in range(3):
        one, two = (box[k] - o[k]) * inverse[k], (box[k + 3] - o[k]) * inverse[k]
        if one > two:
            one, two = two, one
        # what is not a number (along the box's side) leaves both as they are
        if one > near:
            near = one
        if two < end:
            end = two
    return near if near <= end * 1.0000004 else math.inf


@compiled_nogil
def _trace(
    tree: Tree, o: Floats, d: Floats, far: float, any_hit: bool, stack: Ints, ray: Floats32
) -> Found:  # pragma: no cover - compiled
    """Return the nearest triangle on a ray, or any; its row is -1 if there is none."""
    shear = _shear(d)
    inverse = np.empty(3)
    for k in range(3):
        inverse[k] = 1.0 / d[k] if d[k] != 0.0 else math.inf
    best, row, u, v = far, -1, 0.0, 0.0
    leaves = (len(tree.boxes) + 1) // 2
    stack[0], waiting = 0, 1
    while waiting:
        waiting -= 1
        node = stack[waiting]
        if _enters(tree.boxes[node], o, inverse, best) == math.inf:
            continue
        if node < leaves - 1:
            left = _enters(tree.boxes[2 * node + 1], o, inverse, best)
            right = _enters(tree.boxes[2 * node + 2], o, inverse, best)
            near = 1 if left <= right else 2
            for child, where in ((3 - near, max(left, right)), (near, min(left, right))):
                if where < math.inf:
                    stack[waiting] = 2 * node + child
                    waiting += 1
            continue
        leaf = node - (leaves - 1)
        for i in range(leaf * LEAF, min(leaf * LEAF + LEAF, len(tree.shape))):
            distance, a, b = _meet(tree.corners[i], o, shear)
            if 0.0 < distance <= best and _counts(tree, i, distance, a, b, ray):
                best, row, u, v = distance, i, a, b
                if any_hit:
                    return Found(best, row, u, v)
    return Found(best, row, u, v)


@compiled_inline
def _take(
    i: int, origins: Floats32, directions: Floats32, o: Floats, d: Floats, ray: Floats32
) -> None:  # pragma: no cover - compiled
    for k in range(3):
        o[k], d[k] = origins[i, k], directions[i, k]
        ray[k], ray[4 + k] = origins[i, k], directions[i, k]


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
    o, d, ray = np.empty(3), np.empty(3), np.zeros(_RAY, np.float32)
    stack = np.empty(_DEEP, np.int32)
    for i in range(len(far)):
        _take(i, origins, directions, o, d, ray)
        found = _trace(tree, o, d, np.float64(far[i]), False, stack, ray)
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
    o, d, ray = np.empty(3), np.empty(3), np.zeros(_RAY, np.float32)
    stack = np.empty(_DEEP, np.int32)
    for i in range(len(far)):
        _take(i, origins, directions, o, d, ray)
        out[i] = _trace(tree, o, d, np.float64(far[i]), True, stack, ray).row >= 0
