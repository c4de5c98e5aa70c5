"""Whether somebody is looking into a thread with a debugger: then nothing is too slow."""

import bdb
import sys
from types import FrameType
from typing import Any

_FILES = ("bdb.py", "pdb.py", "cmd.py")
_DEBUGGER_ID = 0  # of sys.monitoring, by its documentation


def is_debugged(frame: FrameType | None) -> bool:
    """Return whether a thread that is at this frame is in pdb, or a debugger is attached."""
    return _attached() or any(_in_pdb(one) for one in _outwards(frame))


def _attached() -> bool:
    debugpy: Any = sys.modules.get("debugpy")
    connected = getattr(debugpy, "is_client_connected", None)
    monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
    named = monitoring is not None and monitoring.get_tool(_DEBUGGER_ID) is not None
    return bool(named or (connected is not None and connected()))


def _in_pdb(frame: FrameType) -> bool:
    tracer = getattr(frame.f_trace, "__self__", None)
    return isinstance(tracer, bdb.Bdb) or frame.f_code.co_filename.endswith(_FILES)


def _outwards(frame: FrameType | None) -> list[FrameType]:
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found
