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
    from outrider.components.component_instance import ComponentInstance
    from outrider.components.component_runner import ComponentRunner

_LOOK_S = 0.1
_PATIENCE_S = 1.0  # until a component that was told to stop is said not to
_set_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
_set_exception.argtypes = (ctypes.c_ulong, ctypes.py_object)

_runners: "weakref.WeakSet[ComponentRunner]" = weakref.WeakSet()
_starting = threading.Lock()
_thread: threading.Thread | None = None


def watch(runner: "ComponentRunner") -> None:
    """Look after the components of a simulation from now on."""
    global _thread  # noqa: PLW0603 - one thread for all
    with _starting:
        _runners.add(runner)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look_after_all, daemon=True, name="components")
            _thread.start()


@dataclass(slots=True)
class _Call:
    """A call that was seen running, since when, and what has been done about it."""

    instance: "ComponentInstance"
    turn: int
    since_s: float
    asked_s: float = 0.0  # when it was told to stop
    told: bool = False


def _look_after_all() -> None:
    calls: weakref.WeakKeyDictionary[ComponentRunner, _Call] = weakref.WeakKeyDictionary()
    while True:
        time.sleep(_LOOK_S)
        _look_once(calls)


def _look_once(calls: "weakref.WeakKeyDictionary[ComponentRunner, _Call]") -> None:
    for runner in list(_runners):
        call = _same_call(runner, calls.get(runner))
        if call is None:
            calls.pop(runner, None)
        else:
            calls[runner] = call
            _look_after(runner, call)


def _same_call(runner: "ComponentRunner", known: _Call | None) -> _Call | None:
    instance, turn = runner.running, runner.turn
    if instance is None:
        return None
    if known is not None and known.instance is instance and known.turn == turn:
        return known
    return _Call(instance, turn, time.monotonic())


def _look_after(runner: "ComponentRunner", call: _Call) -> None:
    now_s = time.monotonic()
    if now_s - call.since_s < call.instance.limit_s():
        return
    frame = sys._current_frames().get(runner.thread)
    if is_debugged(frame):
        call.since_s, call.asked_s = now_s, 0.0
        return
    if now_s - call.asked_s > _PATIENCE_S:
        _report(runner, call, where_it_is(frame, call.instance.file), now_s)
        call.asked_s = now_s
        _stop(runner, call)


def _report(runner: "ComponentRunner", call: _Call, place: str, now_s: float) -> None:
    """Say that one does not stop, once."""
    if call.asked_s and not call.told:
        call.told = True
        runner.tell(
            f"{call.instance.title} has been at {place} for {now_s - call.since_s:.1f} s and does"
            " not stop: a call outside Python, such as a sleep, cannot be interrupted"
        )


def _stop(runner: "ComponentRunner", call: _Call) -> None:
    with runner.gate:  # while it is held, the call cannot end
        if runner.running is call.instance and runner.turn == call.turn:
            runner.condemned = call.instance
            _set_exception(ctypes.c_ulong(runner.thread), ctypes.py_object(Overran))
