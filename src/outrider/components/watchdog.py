"""A thread that notices components that take too long, and stops them.

It is the one place here that looks at the wall clock. A loop in Python is interrupted at
once; a call outside Python, such as a sleep, runs to its end first.
"""

import ctypes
import sys
import threading
import time
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outrider.components.debugger import is_debugged
from outrider.components.faults import Overran, where_it_is

if TYPE_CHECKING:
    from outrider.components.crew import Crew
    from outrider.components.member import Member

_LOOK_S = 0.1
_PATIENCE_S = 1.0  # until a component that was told to stop is said not to
_set_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
_set_exception.argtypes = (ctypes.c_ulong, ctypes.py_object)

_crews: "weakref.WeakSet[Crew]" = weakref.WeakSet()
_starting = threading.Lock()
_thread: threading.Thread | None = None


def watch(crew: "Crew") -> None:
    """Look after the components of a simulation from now on."""
    global _thread  # noqa: PLW0603 - one thread for all
    with _starting:
        _crews.add(crew)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look_after_all, daemon=True, name="components")
            _thread.start()


@dataclass(slots=True)
class _Call:
    """A call that was seen running, since when, and what has been done about it."""

    member: "Member"
    turn: int
    since_s: float
    asked_s: float = 0.0  # when it was told to stop
    told: bool = False


def _look_after_all() -> None:
    calls: weakref.WeakKeyDictionary[Crew, _Call] = weakref.WeakKeyDictionary()
    while True:
        time.sleep(_LOOK_S)
        _look_once(calls)


def _look_once(calls: "weakref.WeakKeyDictionary[Crew, _Call]") -> None:
    for crew in list(_crews):
        call = _same_call(crew, calls.get(crew))
        if call is None:
            calls.pop(crew, None)
        else:
            calls[crew] = call
            _look_after(crew, call)


def _same_call(crew: "Crew", known: _Call | None) -> _Call | None:
    member, turn = crew.running, crew.turn
    if member is None:
        return None
    if known is not None and known.member is member and known.turn == turn:
        return known
    return _Call(member, turn, time.monotonic())


def _look_after(crew: "Crew", call: _Call) -> None:
    now_s = time.monotonic()
    if now_s - call.since_s < call.member.limit_s():
        return
    frame = sys._current_frames().get(crew.thread)
    if is_debugged(frame):
        call.since_s, call.asked_s = now_s, 0.0
        return
    if now_s - call.asked_s > _PATIENCE_S:
        _report(crew, call, where_it_is(frame, call.member.file), now_s)
        call.asked_s = now_s
        _stop(crew, call)


def _report(crew: "Crew", call: _Call, place: str, now_s: float) -> None:
    """Say that one does not stop, once."""
    if call.asked_s and not call.told:
        call.told = True
        crew.tell(
            f"{call.member.title} has been at {place} for {now_s - call.since_s:.1f} s and does"
            " not stop: a call outside Python, such as a sleep, cannot be interrupted"
        )


def _stop(crew: "Crew", call: _Call) -> None:
    with crew.gate:  # while it is held, the call cannot end
        if crew.running is call.member and crew.turn == call.turn:
            crew.condemned = call.member
            _set_exception(ctypes.c_ulong(crew.thread), ctypes.py_object(Overran))
