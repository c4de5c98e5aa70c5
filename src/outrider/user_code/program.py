"""Runs ``setup(robot)`` once and ``loop(robot)`` repeatedly, under a watchdog."""

import asyncio
import inspect
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from outrider.core.errors import BridgeError
from outrider.user_code.robot import Robot
from outrider.user_code.script import MAIN, Script, say

_PERIOD_S = 0.02  # of loop(), at the least
_LOOK_S = 0.2  # between looks at the file


class Watchdog:
    """Reports a call that exceeds a time limit, with its current line; the robot then stops."""

    def __init__(self, script: Script, robot: Robot, limit_s: float) -> None:
        self._script, self._robot, self._limit_s = script, robot, limit_s
        self._name, self._since = "", 0.0
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def begin(self, name: str) -> None:
        """Watch a call that begins now."""
        self._name, self._since = name, time.monotonic()
        self._robot.alive_until(self._since + self._limit_s)

    def end(self) -> None:
        """Stop watching: the call has returned."""
        self._name = ""

    def _watch(self) -> None:
        told = 0.0
        while True:
            time.sleep(0.1)
            since = self._since
            if not self._name or time.monotonic() - since < self._limit_s or told == since:
                continue
            told = since
            say(
                f"{self._name}() in {self._script.file.name} has not returned for"
                f" {self._limit_s:g} s, it is at {self._script.line_of(MAIN)};"
                " the robot stops, the simulation goes on"
            )


class Program:
    """A user's program on a robot."""

    def __init__(self, file: Path, robot: Robot, limit_s: float = 5.0) -> None:
        self._script = Script(file, ("setup", "loop"))
        self._robot = robot
        self._watchdog = Watchdog(self._script, robot, limit_s)

    def run(self) -> None:
        """Run until the simulation ends; a changed file starts again."""
        with suppress(BridgeError, KeyboardInterrupt):
            while True:
                if self._script.load():
                    self._run_once(self._script.module)
                self._halt()
                while not self._script.changed():
                    time.sleep(_LOOK_S)
                    self._robot.time()  # raises when the simulation has ended
                say(f"{self._script.file.name} has changed: it starts again")

    def _run_once(self, module: ModuleType | None) -> None:
        """Run until an error or a change of the file."""
        try:
            self._call(getattr(module, "setup", None), "setup")
            loop = getattr(module, "loop", None)
            looked = time.monotonic()
            while loop is not None:
                began = time.monotonic()
                self._call(loop, "loop")
                if began - looked > _LOOK_S:
                    looked = began
                    if self._script.changed():
                        return
                time.sleep(max(0.0, _PERIOD_S - (time.monotonic() - began)))
        except BridgeError as error:
            self._robot.time()  # raises when the simulation has ended, which is no error
            self._script.tell(error)
        except Exception as error:
            self._script.tell(error)

    def _call(self, function: Callable[[Robot], object] | None, name: str) -> None:
        if function is None:
            return
        self._watchdog.begin(name)
        try:
            result = function(self._robot)
            if inspect.iscoroutine(result):
                asyncio.run(result)
            self._robot.check()
        finally:
            self._watchdog.end()

    def _halt(self) -> None:
        self._robot.alive_until(0.0)
        self._robot.stop()
