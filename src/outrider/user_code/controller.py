"""A user's script that plays a microcontroller: it answers on a serial port of its own.

The script has ``answer(robot, number)``, called for the two bytes 0x8E and the number of a
sensor (from 43), which returns whole numbers (two bytes each, high byte first) or bytes; or
``receive(robot, data)`` for a protocol of its own, which returns bytes.
"""

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from outrider.core.errors import BridgeError
from outrider.devices.ports.port import Port
from outrider.user_code.program import Watchdog
from outrider.user_code.robot import Robot
from outrider.user_code.script import Script, say

_REQUEST, _FIRST = 0x8E, 43
_TURN_S = 0.002
_LOOK_S = 0.5


class ScriptController:
    """Reads requests from a port and lets the script answer them."""

    def __init__(self, file: Path, robot: Robot, port: Port, limit_s: float = 5.0) -> None:
        self._script = Script(file, ("answer", "receive"))
        self._robot, self._port = robot, port
        self._watchdog = Watchdog(self._script, robot, limit_s)
        self._asked = False  # whether the last byte was a request

    def run(self) -> None:
        """Serve requests until the simulation ends."""
        say(f"{self._script.file.name} answers at {self._port.address}")
        looked = 0.0
        with suppress(BridgeError, KeyboardInterrupt):
            while True:
                if time.monotonic() - looked > _LOOK_S:
                    looked = time.monotonic()
                    self._robot.time()  # raises when the simulation has ended
                    if self._script.changed():
                        self._script.load()
                if data := self._port.read():
                    self._port.write(self._answer(data))
                else:
                    time.sleep(_TURN_S)

    def _answer(self, data: bytes) -> bytes:
        module = self._script.module
        if module is None:
            return b""
        self._watchdog.begin("receive" if hasattr(module, "receive") else "answer")
        try:
            if hasattr(module, "receive"):
                return encoded(module.receive(self._robot, data))
            return b"".join(encoded(module.answer(self._robot, n)) for n in self._requests(data))
        except Exception as error:
            self._script.tell(error)
            return b""
        finally:
            self._watchdog.end()

    def _requests(self, data: bytes) -> Iterable[int]:
        for byte in data:
            if self._asked and byte >= _FIRST and byte != _REQUEST:
                yield byte
            self._asked = byte == _REQUEST


def encoded(value: bytes | float | Iterable[float] | None) -> bytes:
    """Return an answer as bytes: integers have 16 bits, big-endian."""
    if value is None:
        return b""
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, int | float):
        return (round(value) & 0xFFFF).to_bytes(2, "big")
    return b"".join(encoded(one) for one in value)
