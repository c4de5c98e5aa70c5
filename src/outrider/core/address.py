"""Memory at an address as an array, inside compiled code."""
# ruff: noqa: ARG001 - numba says which arguments there are

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from outrider.core.compiled import compiled_inline


@intrinsic  # type: ignore[untyped-decorator]
def pointer(context: Any, address: Any) -> Any:
    """Return a number as the pointer that it is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@compiled_inline
def doubles(address: int, count: int) -> Any:  # pragma: no cover - compiled
    """Return an array of 64-bit floats at an address."""
    return carray(pointer(address), count, np.float64)


@compiled_inline
def floats(address: int, count: int) -> Any:  # pragma: no cover - compiled
    """Return an array of 32-bit floats at an address."""
    return carray(pointer(address), count, np.float32)


@compiled_inline
def words(address: int, count: int) -> Any:  # pragma: no cover - compiled
    """Return an array of 64-bit integers at an address."""
    return carray(pointer(address), count, np.int64)


@compiled_inline
def half_words(address: int, count: int) -> Any:  # pragma: no cover - compiled
    """Return an array of 32-bit integers at an address."""
    return carray(pointer(address), count, np.int32)
