"""Functions compiled to machine code and cached on disk, for loops that arrays cannot express."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from numba import extending, njit
from numba.core.caching import Cache
from numba.core.runtime import rtsys
from numba.np import linalg

# The first kernel lets numba ask whether there is a BLAS, and that loads all of scipy.linalg. A
# kernel that multiplies matrices still asks when it is compiled.
_ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
import numba.np.arraymath  # noqa: E402, F401

linalg.ensure_blas = _ensure_blas

Arguments = ParamSpec("Arguments")
Function = TypeVar("Function", bound=Callable[..., Any])

_load_any = Cache.load_overload


def _load(cache: Any, signature: Any, context: Any) -> Any:
    """Load a kernel; one of ours without what only compiling needs: 0.1 s and 10 MB at a start."""
    if not cache._py_func.__module__.startswith("outrider"):
        return _load_any(cache, signature, context)
    rtsys.initialize(context)
    with cache._guard_against_spurious_io_errors():
        return cache._load_overload(signature, context)


if hasattr(Cache, "_load_overload"):
    Cache.load_overload = _load

# Divisions follow IEEE rules, as in numpy: no hidden branches. Never fastmath: results must repeat.
# For what the physics thread does within a step: it keeps the interpreter's lock.
compiled: Callable[[Function], Function] = njit(cache=True, error_model="numpy")
# Gives the lock back while it runs: for what renderers and sensors do beside other threads.
compiled_nogil: Callable[[Function], Function] = njit(cache=True, error_model="numpy", nogil=True)
# Inlined by numba wherever it is called: a real call counts references of every array it is given.
compiled_inline: Callable[[Function], Function] = njit(
    cache=True, error_model="numpy", nogil=True, inline="always"
)
# A part of a larger kernel, kept on disk only with the whole, which must know when it changes.
compiled_part: Callable[[Function], Function] = njit(error_model="numpy", nogil=True)
# What machine code stands for a call, from numba's typing context and the arguments' types.
Intrinsic: TypeAlias = Callable[Concatenate[Any, Arguments], Any]
intrinsic: Callable[[Intrinsic[Arguments]], Callable[Arguments, Any]] = extending.intrinsic


def version_of(*files: str) -> int:
    """Return a number that changes with the text of some files, never 0.

    A kernel that refers to it, as a variable of the function it is made in, is compiled anew when
    another file that it is made of has changed: numba looks at the kernel's own file alone.
    """
    return 1 + zlib.crc32(b"".join(Path(name).read_bytes() for name in files))
