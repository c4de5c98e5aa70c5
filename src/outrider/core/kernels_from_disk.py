"""Compiled kernels from disk, without what only compiling needs: 0.2 s and 30 MB at a start.

numba prepares for compiling when it loads a kernel; here that waits until something is compiled.
This relies on parts of numba that are not public, so versions it was not tried with load kernels
in their own way.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding
from numba import config, types, version_info
from numba.core import environment
from numba.core.caching import Cache, _CacheLocator
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaNotImplementedError
from numba.core.runtime import nrtdynmod, rtsys
from numba.core.typing.typeof import typeof_impl
from numba.np import numpy_support

from outrider.core.cache_folder import cache_dir, can_be_written
from outrider.core.process.notices import say_once
from outrider.core.process.one_compiler import CompilerTurn

_TRIED = ((0, 61), (0, 68))  # versions of numba
_HASHING = b"_numba_hashsecret_"  # names that LLVM knows only once numba's hashing is imported
_type_of_any_array = typeof_impl.dispatch(np.ndarray)
_load_any = Cache.load_overload
_save_any = Cache.save_overload
_load_all_registries = CPUContext.load_additional_registries
_rebuild_any = environment._rebuild_env
_ensure = _CacheLocator.ensure_cache_path
_writable: set[str] = set()
_turn = CompilerTurn()
_COMPILED: tuple[Any, ...] = (Dispatcher, CFunc)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """A kernel from disk; its intermediate code is read when a kernel that calls it is compiled."""

    _unread = b""

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, code = state
        if kind != "object":
            return super()._unserialize(codegen, state)
        library = codegen.create_library(name)
        library.enable_object_caching()
        machine_code, library._unread = code
        if _HASHING in machine_code:
            import_module("numba.cpython.hashing")
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        return library

    def _get_module_for_linking(self) -> Any:
        if self._unread:
            self._shared_module = binding.parse_bitcode(self._unread)
            self._unread = b""
        return super()._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        """Return an address, or 0; numba would look for the name in the intermediate code first."""
        return int(self._codegen._engine.get_function_address(name))


def _in_turn(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Return what loads or compiles a kernel, so that one process at a time compiles."""

    def compile_in_turn(*kernel: Any) -> Any:
        with global_compiler_lock, _turn.compiling():
            return compile_(*kernel)

    return compile_in_turn


def _load(kernel: Any, signature: Any, context: Any) -> Any:
    """Load a kernel, maybe once another process has compiled it."""
    if not kernel._py_func.__module__.startswith("outrider"):
        return _load_any(kernel, signature, context)
    return _turn.loaded(lambda: _load_ours(kernel, signature, context))


def _save(kernel: Any, signature: Any, compiled: Any) -> None:
    """Keep a kernel on disk; a disk that is full ends nothing, for the kernel is in memory."""
    try:
        _save_any(kernel, signature, compiled)
    except OSError as error:
        say_once(
            f"compiled kernels cannot be kept on disk: {error.strerror or error};"
            " the next start compiles them again"
        )


def _load_ours(kernel: Any, signature: Any, context: Any) -> Any:
    """Load a kernel; numba holds the lock of its compiler meanwhile."""
    _name_runtime(context)
    codegen = context.codegen()
    codegen._library_class = _Library
    environment._rebuild_env = _rebuild
    try:
        with kernel._guard_against_spurious_io_errors():
            return kernel._load_overload(signature, context)
    finally:
        environment._rebuild_env = _rebuild_any
        del codegen._library_class


def _rebuild(module: str, constants: list[Any], name: str) -> Any:
    """Return the constants of a function in a kernel; numba would import the function's module.

    Of numba's own modules, most are needed for compiling only.
    """
    if module in sys.modules or not module.startswith("numba."):
        return _rebuild_any(module, constants, name)
    found = environment.lookup_environment(name)
    if found is None:
        found = environment.Environment({"__name__": module})
        found.consts[:] = constants
        found.env_name = name
        environment.Environment._memo[name] = found
    return found


@cache
def _name_runtime(context: Any) -> None:
    """Tell LLVM where numba's runtime is; kernels bring their own copy of its compiled part."""
    if rtsys._init:
        return
    compile_, nrtdynmod.compile_nrt_functions = nrtdynmod.compile_nrt_functions, lambda _: None
    try:
        rtsys.initialize(context)
    finally:
        nrtdynmod.compile_nrt_functions = compile_
        rtsys._init = False  # the first kernel that is compiled still compiles it


def _load_registries(context: Any) -> None:
    """Prepare for compiling, without asking whether there is a BLAS: it loads all of scipy.linalg.

    A kernel that multiplies matrices still asks when it is compiled.
    """
    from numba.np import linalg

    ask, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import numba.np.arraymath  # noqa: F401 - asks when it is imported
    finally:
        linalg.ensure_blas = ask
    _load_all_registries(context)


def _ensure_folder(locator: Any) -> None:
    """Try once, not for every kernel, whether a folder can be written."""
    folder = locator.get_cache_path()
    if folder not in _writable or not Path(folder).is_dir():
        _ensure(locator)
        _writable.add(folder)


def _type_of_array(value: Any, context: Any) -> Any:
    """Return numba's type of an array; numba would import numpy.ma to see that it has no mask."""
    try:
        kind = numpy_support.from_dtype(value.dtype) if type(value) is np.ndarray else None
    except NumbaNotImplementedError:
        kind = None
    if kind is None:
        return _type_of_any_array(value, context)
    layout = numpy_support.map_layout(value)
    return types.Array(kind, value.ndim, layout, readonly=not value.flags.writeable)


def load_lightly() -> None:
    """Let numba load our kernels in this way."""
    config._config_fname = ""  # it would look for settings here again whenever it compiles
    if not config.CACHE_DIR and not can_be_written(Path(__file__).parent / "__pycache__"):
        config.CACHE_DIR = str(cache_dir() / "kernels")  # somebody else's installation
    CPUContext.load_additional_registries = _load_registries
    _CacheLocator.ensure_cache_path = _ensure_folder
    Cache.save_overload = _save
    if _TRIED[0] <= version_info[:2] <= _TRIED[1]:
        Cache.load_overload = _load
        for kind in _COMPILED:
            kind.compile = _in_turn(kind.compile)
        typeof_impl.register(np.ndarray, _type_of_array)
