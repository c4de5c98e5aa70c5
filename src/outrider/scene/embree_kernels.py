"""Calls of Embree out of compiled code: several rays at a time, in Embree's own layout."""
# ruff: noqa: ARG001 - numba says which arguments there are

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.untyped import Llvm

Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]

# RTCRayHitN: rows of as many numbers as there are rays
_ORIGIN, _NEAR, _DIRECTION, _TIME, _FAR, _MASK, _ID, _FLAGS = 0, 3, 4, 7, 8, 9, 10, 11
_NORMAL, _U, _V, _FACE, _SHAPE, _INSTANCE = 12, 15, 16, 17, 18, 19
_ROWS = 24  # a few more than it has
_ALIGNED = 64  # bytes


class Query(NamedTuple):
    """A question to Embree: which function, of which scene, in what manner, so many rays each."""

    function: int
    scene: int
    manner: int  # address of RTCIntersectArguments
    lanes: int


@intrinsic  # type: ignore[untyped-decorator]
def _call(
    context: Llvm,
    address: Llvm,
    valid: Llvm,
    scene: Llvm,
    rays: Llvm,
    manner: Llvm,
) -> Llvm:
    """Call the function at an address with four pointers."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [word] * 4)
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        builder.call(function, arguments[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 5), generate


@compiled_nogil
def _aligned(words: NDArray[np.uint32]) -> int:  # pragma: no cover - compiled
    """Return which word of an array is the first at an address that Embree accepts."""
    return int((-words.ctypes.data % _ALIGNED) // 4)


@compiled_inline
def _load(
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
    first: int,
    numbers: Llvm,
    words: Llvm,
) -> int:  # pragma: no cover - compiled
    """Fill in the next rays; return how many. A packet that is not full repeats its first ray."""
    lanes: int = words.shape[1]
    count = min(lanes, len(far) - first)
    for k in range(lanes):
        i = first + k if k < count else first
        for c in range(3):
            numbers[_ORIGIN + c, k] = origins[i, c]
            numbers[_DIRECTION + c, k] = directions[i, c]
        numbers[_NEAR, k] = 0.0
        numbers[_TIME, k] = 0.0
        numbers[_FAR, k] = far[i]
        words[_MASK, k] = 0xFFFFFFFF
        words[_ID, k] = 0
        words[_FLAGS, k] = 0
    return count


@compiled_nogil
def intersect(
    query: Query,
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
    lanes = query.lanes
    buffer = np.zeros(_ROWS * lanes + 32, np.uint32)
    start = _aligned(buffer)
    words = buffer[start : start + _ROWS * lanes].reshape((_ROWS, lanes))
    numbers = words.view(np.float32)
    valid = np.full(lanes + 16, 0xFFFFFFFF, np.uint32)
    mask, rays = valid[_aligned(valid) :].ctypes.data, words.ctypes.data
    for first in range(0, len(far), lanes):
        count = _load(origins, directions, far, first, numbers, words)
        for k in range(lanes):
            words[_SHAPE, k] = 0xFFFFFFFF
            words[_FACE, k] = 0xFFFFFFFF
            words[_INSTANCE, k] = 0xFFFFFFFF
        _call(query.function, mask, query.scene, rays, query.manner)
        for k in range(count):
            i = first + k
            far[i], u[i], v[i] = numbers[_FAR, k], numbers[_U, k], numbers[_V, k]
            shape[i], face[i] = np.int32(words[_SHAPE, k]), np.int32(words[_FACE, k])
            for c in range(3):
                normal[i, c] = numbers[_NORMAL + c, k]


@compiled_nogil
def occlude(
    query: Query,
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
    out: NDArray[np.bool_],
) -> None:  # pragma: no cover - compiled
    """Find which rays meet anything at all: Embree makes their ends negative."""
    lanes = query.lanes
    buffer = np.zeros(_ROWS * lanes + 32, np.uint32)
    start = _aligned(buffer)
    words = buffer[start : start + _ROWS * lanes].reshape((_ROWS, lanes))
    numbers = words.view(np.float32)
    valid = np.full(lanes + 16, 0xFFFFFFFF, np.uint32)
    mask, rays = valid[_aligned(valid) :].ctypes.data, words.ctypes.data
    for first in range(0, len(far), lanes):
        count = _load(origins, directions, far, first, numbers, words)
        _call(query.function, mask, query.scene, rays, query.manner)
        for k in range(count):
            out[first + k] = numbers[_FAR, k] < 0.0
