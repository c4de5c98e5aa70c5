"""Memory at an address as an array, and functions at an address, inside compiled code."""

from typing import TypeAlias

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, intrinsic
from outrider.core.frames import Array
from outrider.core.untyped import Llvm

Shape: TypeAlias = int | tuple[int, ...]


@intrinsic
def pointer(_typing: Llvm, _address: Llvm) -> Llvm:
    """Return a number as the pointer that it is."""

    def generate(_context: Llvm, builder: Llvm, _signature: Llvm, arguments: Llvm) -> Llvm:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@intrinsic
def call(_typing: Llvm, _function: Llvm, pointers: Llvm) -> Llvm:
    """Call the C function at an address with pointers, a tuple of addresses; it returns nothing."""

    def generate(context: Llvm, builder: Llvm, _signature: Llvm, arguments: Llvm) -> Llvm:
        given = cgutils.unpack_tuple(builder, arguments[1])
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * len(given))
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), given)
        return context.get_dummy_value()

    return types.void(types.int64, types.UniTuple(types.int64, len(pointers))), generate


@intrinsic
def stack_memory(_typing: Llvm, size: Llvm) -> Llvm:
    """Return the address of so many bytes (a constant) that the calling function has until it ends.

    An array made there costs no allocation, and no counting of references in each call.
    """
    if not isinstance(size, types.IntegerLiteral):
        return None  # numba asks again with the constant

    def generate(_context: Llvm, builder: Llvm, _signature: Llvm, _arguments: Llvm) -> Llvm:
        kind = ir.ArrayType(ir.DoubleType(), -(-size.literal_value // 8))
        return builder.ptrtoint(cgutils.alloca_once(builder, kind), ir.IntType(64))

    return types.int64(size), generate


@compiled_inline
def doubles(address: int, shape: Shape) -> Array:  # pragma: no cover - compiled
    """Return an array of 64-bit floats at an address."""
    found: Array = carray(pointer(address), shape, np.float64)
    return found


@compiled_inline
def floats(address: int, shape: Shape) -> NDArray[np.float32]:  # pragma: no cover - compiled
    """Return an array of 32-bit floats at an address."""
    found: NDArray[np.float32] = carray(pointer(address), shape, np.float32)
    return found


@compiled_inline
def words(address: int, shape: Shape) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """Return an array of 64-bit integers at an address."""
    found: NDArray[np.int64] = carray(pointer(address), shape, np.int64)
    return found


@compiled_inline
def half_words(address: int, shape: Shape) -> NDArray[np.int32]:  # pragma: no cover - compiled
    """Return an array of 32-bit integers at an address."""
    found: NDArray[np.int32] = carray(pointer(address), shape, np.int32)
    return found
