"""Memory at an address as an array, inside compiled code."""

import numpy as np
from llvmlite import ir
from numba import carray, types
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, intrinsic
from outrider.core.frames import Array
from outrider.core.untyped import Llvm


@intrinsic
def pointer(_typing: Llvm, _address: Llvm) -> Llvm:
    """Return a number as the pointer that it is."""

    def generate(_context: Llvm, builder: Llvm, _signature: Llvm, arguments: Llvm) -> Llvm:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@compiled_inline
def doubles(address: int, count: int) -> Array:  # pragma: no cover - compiled
    """Return an array of 64-bit floats at an address."""
    found: Array = carray(pointer(address), count, np.float64)
    return found


@compiled_inline
def floats(address: int, count: int) -> NDArray[np.float32]:  # pragma: no cover - compiled
    """Return an array of 32-bit floats at an address."""
    found: NDArray[np.float32] = carray(pointer(address), count, np.float32)
    return found


@compiled_inline
def words(address: int, count: int) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """Return an array of 64-bit integers at an address."""
    found: NDArray[np.int64] = carray(pointer(address), count, np.int64)
    return found


@compiled_inline
def half_words(address: int, count: int) -> NDArray[np.int32]:  # pragma: no cover - compiled
    """Return an array of 32-bit integers at an address."""
    found: NDArray[np.int32] = carray(pointer(address), count, np.int32)
    return found
