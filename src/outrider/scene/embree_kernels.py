"""Calls of Embree out of compiled code: several rays at a time, in Embree's own layout."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.core.address import call
from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.core.untyped import Llvm

Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]

# RTCRayHitN: rows of as many numbers as there are rays
_ORIGIN, _NEAR, _DIRECTION, _TIME, _FAR, _MASK, _ID, _FLAGS = 0, 3, 4, 7, 8, 9, 10, 11
_NORMAL, _U, _V, _FACE, _SHAPE, _INSTANCE = 12, 15, 16, 17, 18, 19
ROWS = 24  # a few more than it has
_ALIGNED = 64  # bytes
_TINY = np.float32(1e-17)  # Embree takes less than 1e-18 for zero
CONSTANT = {_MASK: 0xFFFFFFFF, _INSTANCE: 0xFFFFFFFF}  # rows that are not 0 and never change


class Query(NamedTuple):
    """A question to Embree: which function, of which scene, in what manner, so many rays each."""

    function: int
    scene: int
    manner: int  # address of RTCIntersectArguments
    lanes: int


@compiled_nogil
def _aligned(words: NDArray[np.uint32]) -> int:  # pragma: no cover - compiled
    """Return which word of an array is the first at an address that Embree accepts."""
    return int((-words.ctypes.data % _ALIGNED) // 4)


@compiled_inline
def _sure(component: float) -> float:  # pragma: no cover - compiled
    """Return a ray's component whose sign Embree knows.

    Rays that are alike are sorted by the signs of their directions, but what is divided by is
    positive where a component is nearly zero: those with a tiny negative one would miss everything.
    """
    return component if abs(component) >= _TINY else 0.0


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
            numbers[_DIRECTION + c, k] = _sure(directions[i, c])
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
    buffer = np.zeros(ROWS * lanes + 32, np.uint32)
    start = _aligned(buffer)
    words = buffer[start : start + ROWS * lanes].reshape((ROWS, lanes))
    numbers = words.view(np.float32)
    valid = np.full(lanes + 16, 0xFFFFFFFF, np.uint32)
    mask, rays = valid[_aligned(valid) :].ctypes.data, words.ctypes.data
    for first in range(0, len(far), lanes):
        count = _load(origins, directions, far, first, numbers, words)
        for k in range(lanes):
            words[_SHAPE, k] = 0xFFFFFFFF
            words[_FACE, k] = 0xFFFFFFFF
            words[_INSTANCE, k] = 0xFFFFFFFF
        call(query.function, (mask, query.scene, rays, query.manner))
        for k in range(count):
            i = first + k
            far[i], u[i], v[i] = numbers[_FAR, k], numbers[_U, k], numbers[_V, k]
            shape[i], face[i] = np.int32(words[_SHAPE, k]), np.int32(words[_FACE, k])
            for c in range(3):
                normal[i, c] = numbers[_NORMAL + c, k]


@compiled_inline
def intersect_packets(
    query: Query,
    order: Ints,
    starts: Ints,
    masks: Ints,
    numbers: Floats32,
    words: NDArray[np.uint32],
    origins: Floats32,
    directions: Floats32,
    far: Floats32,
    shape: Ints,
) -> None:  # pragma: no cover - compiled
    """Find the nearest hits of rays in packets that are always the same; see ``Packets``."""
    for packet in range(starts.shape[0] - 1):
        first = starts[packet]
        count = starts[packet + 1] - first
        for k in range(count):
            i = order[first + k]
            for c in range(3):
                numbers[_ORIGIN + c, k] = origins[i, c]
                numbers[_DIRECTION + c, k] = _sure(directions[i, c])
            numbers[_FAR, k] = far[i]
            words[_SHAPE, k] = 0xFFFFFFFF
        mask = masks[packet].ctypes.data
        call(query.function, (mask, query.scene, words.ctypes.data, query.manner))
        for k in range(count):
            i = order[first + k]
            far[i], shape[i] = numbers[_FAR, k], np.int32(words[_SHAPE, k])


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
    buffer = np.zeros(ROWS * lanes + 32, np.uint32)
    start = _aligned(buffer)
    words = buffer[start : start + ROWS * lanes].reshape((ROWS, lanes))
    numbers = words.view(np.float32)
    valid = np.full(lanes + 16, 0xFFFFFFFF, np.uint32)
    mask, rays = valid[_aligned(valid) :].ctypes.data, words.ctypes.data
    for first in range(0, len(far), lanes):
        count = _load(origins, directions, far, first, numbers, words)
        call(query.function, (mask, query.scene, rays, query.manner))
        for k in range(count):
            out[first + k] = numbers[_FAR, k] < 0.0
