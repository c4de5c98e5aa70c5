"""MuJoCo's fatal errors, such as a full stack: the run ends with one sentence.

Functions of the Python module raise them. From a compiled step no exception can come, and MuJoCo
would end the process with a file in the user's folder; here recordings are completed before that.
"""

import ctypes

import mujoco

from outrider.core.errors import PhysicsError
from outrider.core.process.shutdown import end_suddenly
from outrider.physics.mujoco_library import library


def catch_fatal_errors() -> None:
    """Have MuJoCo call us where the Python module does not watch."""
    handler = ctypes.c_void_p.in_dll(library(), "mju_user_error")
    handler.value = ctypes.cast(_END, ctypes.c_void_p).value


def physics_error(error: mujoco.FatalError) -> PhysicsError:
    """Return what the Python module raised as an error of ours."""
    return PhysicsError(_sentence(str(error)))


def _end(text: bytes) -> None:
    end_suddenly(_sentence(text.decode(errors="replace")))


def _sentence(text: str) -> str:
    return f"MuJoCo cannot go on: {text.strip().partition(chr(10))[0]}"


_END = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(_end)  # MuJoCo keeps its address only
