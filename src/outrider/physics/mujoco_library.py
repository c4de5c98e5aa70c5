"""MuJoCo's own library, for what its Python module does not offer."""

import ctypes
from functools import lru_cache
from pathlib import Path

import mujoco

from outrider.core.errors import PhysicsError


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Return the library that the Python module uses."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco*.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise PhysicsError(f"{folder}: there is no MuJoCo library to extend")


def stop_timers() -> None:
    """Let MuJoCo not look at the clock a dozen times a step: its own timers stay at zero."""
    ctypes.c_void_p.in_dll(library(), "mjcb_time").value = None


def address_of(name: str) -> int:
    """Return where a function of the library is, for compiled code."""
    found = ctypes.cast(getattr(library(), name), ctypes.c_void_p).value
    assert found is not None
    return found
