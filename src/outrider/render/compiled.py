"""Compiled functions that let other threads run beside them."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

# as core/compiled.py, and without the interpreter's lock: pictures are made beside the physics
compiled_free: Callable[[Function], Function] = njit(cache=True, error_model="numpy", nogil=True)
