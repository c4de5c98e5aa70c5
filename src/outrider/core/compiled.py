"""Functions compiled to machine code once, kept on disk: for loops that arrays cannot express."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

# Divisions follow IEEE rules, as in numpy: no hidden branches. Never fastmath: results must repeat.
compiled: Callable[[Function], Function] = njit(cache=True, error_model="numpy")
# The same, and other threads go on beside it: for work that is not the physics' own.
compiled_free: Callable[[Function], Function] = njit(cache=True, error_model="numpy", nogil=True)
# The same, written out wherever it is called: a call counts every array that it is given.
compiled_inline: Callable[[Function], Function] = njit(
    cache=True, error_model="numpy", nogil=True, inline="always"
)
# A part of a larger kernel, kept on disk only with the whole, which must know when it changes.
compiled_part: Callable[[Function], Function] = njit(error_model="numpy", nogil=True)
