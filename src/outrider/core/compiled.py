"""Functions compiled to machine code and cached on disk, for loops that arrays cannot express."""

import sys
import zlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from numba import extending, njit
from numba.core.dispatcher import Dispatcher

from outrider.core.kernels_from_disk import load_lightly

Arguments = ParamSpec("Arguments")
Function = TypeVar("Function", bound=Callable[..., Any])

load_lightly()

# Divisions follow IEEE rules, as in numpy: no hidden branches. Never fastmath: results must repeat.
# Nobody calls kernels as functions of C: without that entry they compile faster.
_compiled = partial(njit, error_model="numpy", no_cfunc_wrapper=True)


def compiled(function: Function) -> Function:
    """Compile what the physics thread does within a step: it keeps the interpreter's lock."""
    return _kept(_compiled(cache=True)(function), function)


def compiled_nogil(function: Function) -> Function:
    """Compile what gives the lock back while it runs: renderers and sensors beside others."""
    return _kept(_compiled(cache=True, nogil=True)(function), function)


def compiled_inline(function: Function) -> Function:
    """Compile what numba inlines: a real call counts references of every array it is given."""
    return _kept(_compiled(cache=True, nogil=True, inline="always")(function), function)


def _kept(kernel: Any, function: Function) -> Function:
    """Have a kernel compiled anew when one in another file that it may call has changed.

    numba looks at the kernel's own file alone.
    """
    if kernel is not function:  # else nothing is compiled at all
        kept = kernel._cache._cache_file  # not public
        kept._source_stamp = kept._source_stamp, *_stamps(function.__module__)
    return cast("Function", kernel)


@cache
def _stamps(name: str) -> tuple[object, ...]:
    """Return what changes with the files that a module has kernels from."""
    values = vars(sys.modules[name]).values() if name in sys.modules else ()
    found = {value.py_func.__module__ for value in values if isinstance(value, Dispatcher)}
    return tuple((_stamp(other), *_stamps(other)) for other in sorted(found - {name}))


def _stamp(name: str) -> tuple[int, int]:
    found = Path(str(sys.modules[name].__file__)).stat()
    return found.st_mtime_ns, found.st_size


def compiled_part(function: Function) -> Function:
    """Compile a part of a larger kernel; Python cannot call it: an entry less to compile.

    It is kept on disk only with the whole, which must know when it changes.
    """
    part = _compiled(nogil=True, no_cpython_wrapper=True)(function)
    part._insert = lambda *_: None  # Python finds no compiled code here, and is refused
    part._compile_for_args = _refuse_python
    return cast("Function", part)


def _refuse_python(*_: object, **__: object) -> None:
    raise TypeError("a part of a kernel is called by kernels only")


# What machine code stands for a call, from numba's typing context and the arguments' types.
Intrinsic: TypeAlias = Callable[Concatenate[Any, Arguments], Any]
intrinsic: Callable[[Intrinsic[Arguments]], Callable[Arguments, Any]] = extending.intrinsic


def version_of(*files: str) -> int:
    """Return a number that changes with the text of some files, never 0.

    A function of C that refers to it, as a variable of the function it is made in, is compiled anew
    when another file that it is made of has changed; kernels know that by themselves.
    """
    return 1 + zlib.crc32(b"".join(Path(name).read_bytes() for name in files))
