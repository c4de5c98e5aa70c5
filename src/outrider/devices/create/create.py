"""The Open Interface as a serial device: modes, commands, sensors, streams, scripts."""

import struct
import sys
from collections.abc import Callable
from typing import ClassVar, TypeAlias

from outrider.core.counter import Counter16
from outrider.devices.create.body import CreateBody
from outrider.devices.create.motion import Wheels, drive, drive_direct, drive_pwm
from outrider.devices.create.opcodes import Command, Decoder, Mode
from outrider.devices.create.packets import known, members, packed
from outrider.devices.create.songs import Songs
from outrider.devices.create.stream import SensorStream
from outrider.devices.create.waits import Wait

_BAUDS = (300, 600, 1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 115200)
_DEFAULT_BAUD = {1: 57600, 2: 115200}
_LOOK_NS = 15_000_000  # sensors are read this often
_INPUT = 1024  # bytes that may wait while the robot does
_SCRIPT = 100  # bytes
_HELLO = b"bl-start\r\nSTR730\r\nbootloader id: #x47175347 4C636FFF\r\n"
_DROPS = 0b11100

_Handler: TypeAlias = Callable[["CreateInterface", bytes, int], bytes | None]


class CreateInterface:
    """A Create (generation 1 or 2) on a serial line."""

    kind: ClassVar[str] = "create"

    def __init__(self, body: CreateBody, generation: int = 2, track_mm: float = 235.0) -> None:
        self._body, self._generation, self._track_mm = body, generation, track_mm
        self._decoder = Decoder(generation)
        self._stream = SensorStream(header_in_sum=generation == 2)
        self._travel = {"distance": Counter16(), "angle": Counter16()}
        self._waited = {"distance": 0, "angle": 0}
        self._songs = Songs()
        self._script = b""
        self._wait: Wait | None = None
        self._looked_ns = -_LOOK_NS
        self._buttons = 0
        self.mode = Mode.OFF
        self.wheels = Wheels()
        self.baud = _DEFAULT_BAUD[generation]
        self.refused = 0  # commands that the mode does not allow
        self.overrun = 0  # bytes that came while the robot waited and found no room

    def receive(self, data: bytes, now_ns: int) -> bytes:
        """Carry out the commands received."""
        room = max(0, _INPUT - self._decoder.waiting)
        self.overrun += max(0, len(data) - room)
        self._decoder.feed(data[:room])
        return self._obey(now_ns)

    def tick(self, now_ns: int) -> bytes:
        """Read the sensors, repeat the drive command, send what is due."""
        answer = b""
        if now_ns - self._looked_ns >= _LOOK_NS or now_ns < self._looked_ns:
            self._look(now_ns)
            answer += self._obey(now_ns)
        if self.mode >= Mode.SAFE:
            self._drive(now_ns)
        if self._stream.due(now_ns):
            answer += self._frame(now_ns)
        return answer

    def counts(self) -> dict[str, int]:
        """Return what was refused so far."""
        return {
            "refused": self.refused,
            "unknown_bytes": self._decoder.unknown,
            "overrun_bytes": self.overrun,
        }

    def close(self) -> None:
        """Stop listening to the robot."""
        self._body.close()

    def _obey(self, now_ns: int) -> bytes:
        answer = b""
        while self._wait is None or self._has_come(now_ns):
            command = next(self._decoder.commands(), None)
            if command is None:
                break
            answer += self._carry_out(command, now_ns)
        return answer

    def _has_come(self, now_ns: int) -> bool:
        """Return whether the current wait is over."""
        values = {**self._body.values, **self._waited, "mode": int(self.mode)}
        if self._wait is not None and not self._wait.over(values, now_ns):
            return False
        self._wait = None
        return True

    def _carry_out(self, command: Command, now_ns: int) -> bytes:
        if self.mode < command.opcode.mode:
            self.refused += 1
            return b""
        return _HANDLERS.get(command.opcode.name, _ignored)(self, command.data, now_ns) or b""

    # --- sensors

    def _look(self, now_ns: int) -> None:
        distance, angle = self._body.update()
        if now_ns < self._looked_ns:  # the simulation was reset: the robot stands
            self._stop()
        for name, amount in (("distance", distance), ("angle", angle)):
            self._travel[name].add(amount)
            self._waited[name] += amount
        self._looked_ns = now_ns
        if self.mode == Mode.SAFE and self._in_danger():
            self._stop()
            self.mode = Mode.PASSIVE

    def _in_danger(self) -> bool:
        """Return whether safe mode ends: a wheel drop, or a cliff in the direction of travel."""
        values = self._body.values
        if values["bumps_and_wheel_drops"] & _DROPS:
            return True
        sides = ("left", "front_left", "front_right", "right")
        return self.wheels.moving and any(values.get(f"cliff_{side}", 0) for side in sides)

    def _packet(self, number: int, now_ns: int) -> bytes:
        values = {
            **self._body.values,
            "mode": int(self.mode),
            "buttons": self._buttons,
            "song_number": self._songs.number,
            "song_playing": int(self._songs.playing(now_ns)),
            "stream_packets": len(self._stream.packets),
            "requested_velocity": self.wheels.velocity,
            "requested_radius": self.wheels.radius,
            "requested_right": self.wheels.right,
            "requested_left": self.wheels.left,
        }
        if 19 in members(number):
            values["distance"] = self._travel["distance"].read()
        if 20 in members(number):
            values["angle"] = self._travel["angle"].read()
        return packed(number, values)

    def _packets(self, numbers: bytes, now_ns: int, *, numbered: bool = False) -> bytes:
        answer = b""
        for number in numbers:
            if known(number, self._generation):
                answer += bytes([number] if numbered else []) + self._packet(number, now_ns)
            else:
                self.refused += 1
        return answer

    def _frame(self, now_ns: int) -> bytes:
        packets = bytes(self._stream.packets)
        return self._stream.frame(self._packets(packets, now_ns, numbered=True))

    # --- motion

    def _drive(self, now_ns: int) -> None:
        left, right = self.wheels.left, self.wheels.right
        self._body.drive(0.0005 * (left + right), (right - left) / self._track_mm, now_ns)

    def _stop(self) -> None:
        self.wheels = Wheels()
        self._body.drive(0.0, 0.0, self._looked_ns)

    # --- commands

    def _start(self, _data: bytes, _now_ns: int) -> None:
        self._stop()
        self.mode = Mode.PASSIVE

    def _reset(self, _data: bytes, _now_ns: int) -> bytes:
        self._off(b"", 0)
        self.baud = _DEFAULT_BAUD[self._generation]
        return _HELLO

    def _off(self, _data: bytes, _now_ns: int) -> None:
        self._stop()
        self._songs.stop()
        self._stream.begin((), 0)
        self.mode = Mode.OFF

    def _set_baud(self, data: bytes, _now_ns: int) -> None:
        if data[0] < len(_BAUDS):
            self.baud = _BAUDS[data[0]]
        else:
            self.refused += 1

    def _safe(self, _data: bytes, _now_ns: int) -> None:
        self.mode = Mode.SAFE

    def _full(self, _data: bytes, _now_ns: int) -> None:
        self.mode = Mode.FULL

    def _demo(self, data: bytes, _now_ns: int) -> None:
        _say(f"demo {data[0] if data else ''} is not simulated; the robot stands, in passive mode")
        self._stop()
        self.mode = Mode.PASSIVE

    def _drive_command(self, data: bytes, now_ns: int) -> None:
        velocity, radius = struct.unpack(">hh", data)
        self._take(drive(velocity, radius, self._track_mm), now_ns)

    def _drive_direct(self, data: bytes, now_ns: int) -> None:
        self._take(drive_direct(*struct.unpack(">hh", data)), now_ns)

    def _drive_pwm(self, data: bytes, now_ns: int) -> None:
        self._take(drive_pwm(*struct.unpack(">hh", data)), now_ns)

    def _take(self, wheels: Wheels, now_ns: int) -> None:
        self.wheels = wheels
        self._drive(now_ns)

    def _store_song(self, data: bytes, _now_ns: int) -> None:
        self._songs.store(data)

    def _play_song(self, data: bytes, now_ns: int) -> None:
        if self._songs.play(data[0], now_ns):
            notes = ", ".join(f"{note}:{time}" for note, time in self._songs.stored[data[0]])
            _say(f"song {data[0]}: {notes} (MIDI note:1/64 s)")

    def _leds(self, data: bytes, _now_ns: int) -> None:
        _say(f"LEDs {data[0]:04b}, power colour {data[1]}, intensity {data[2]}")

    def _sensors(self, data: bytes, now_ns: int) -> bytes:
        return self._packets(data, now_ns)

    def _query_list(self, data: bytes, now_ns: int) -> bytes:
        return self._packets(data[1:], now_ns)

    def _begin_stream(self, data: bytes, now_ns: int) -> None:
        numbers = tuple(n for n in data[1:] if known(n, self._generation))
        self.refused += len(data) - 1 - len(numbers)
        self._stream.begin(numbers, now_ns)

    def _pause_stream(self, data: bytes, now_ns: int) -> None:
        if data[0] and self._stream.paused:
            self._stream.begin(self._stream.packets, now_ns)
        self._stream.paused = not data[0]

    def _store_script(self, data: bytes, _now_ns: int) -> None:
        self._script = data[1 : 1 + _SCRIPT]

    def _play_script(self, _data: bytes, now_ns: int) -> None:
        self._decoder.push(self._script)
        self._wait = Wait(lambda _, now: now != now_ns)  # a script that starts itself takes turns

    def _show_script(self, _data: bytes, _now_ns: int) -> bytes:
        return bytes([len(self._script)]) + self._script

    def _wait_time(self, data: bytes, now_ns: int) -> None:
        self._wait = Wait.for_time(data[0], now_ns)

    def _wait_distance(self, data: bytes, _now_ns: int) -> None:
        self._wait_travel("distance", data)

    def _wait_angle(self, data: bytes, _now_ns: int) -> None:
        self._wait_travel("angle", data)

    def _wait_travel(self, name: str, data: bytes) -> None:
        self._travel[name].read()
        self._waited[name] = 0
        self._wait = Wait.for_travel(name, *struct.unpack(">h", data))

    def _wait_event(self, data: bytes, _now_ns: int) -> None:
        self._wait = Wait.for_event(*struct.unpack(">b", data))

    def _push_buttons(self, data: bytes, _now_ns: int) -> None:
        self._buttons = data[0]


def _ignored(_robot: CreateInterface, _data: bytes, _now_ns: int) -> None:
    """Accept a command whose effect is not simulated: LEDs, low-side drivers, outputs, clock."""


def _say(sentence: str) -> None:
    sys.stderr.write(f"serial: create: {sentence}\n")


_HANDLERS: dict[str, _Handler] = {
    "reset": CreateInterface._reset,
    "start": CreateInterface._start,
    "stop": CreateInterface._off,
    "power": CreateInterface._start,  # both end in passive mode, at rest
    "baud": CreateInterface._set_baud,
    "safe": CreateInterface._safe,
    "full": CreateInterface._full,
    "demo": CreateInterface._demo,
    "demo_spot": CreateInterface._demo,
    "demo_cover": CreateInterface._demo,
    "demo_dock": CreateInterface._demo,
    "drive": CreateInterface._drive_command,
    "drive_direct": CreateInterface._drive_direct,
    "drive_pwm": CreateInterface._drive_pwm,
    "leds": CreateInterface._leds,
    "song": CreateInterface._store_song,
    "play_song": CreateInterface._play_song,
    "sensors": CreateInterface._sensors,
    "stream": CreateInterface._begin_stream,
    "query_list": CreateInterface._query_list,
    "pause_stream": CreateInterface._pause_stream,
    "script": CreateInterface._store_script,
    "play_script": CreateInterface._play_script,
    "show_script": CreateInterface._show_script,
    "wait_time": CreateInterface._wait_time,
    "wait_distance": CreateInterface._wait_distance,
    "wait_angle": CreateInterface._wait_angle,
    "wait_event": CreateInterface._wait_event,
    "push_buttons": CreateInterface._push_buttons,
}
