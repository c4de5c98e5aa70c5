"""Open Interface commands: their lengths and modes, and a decoder for the byte stream."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple


class Mode(IntEnum):
    """The modes, as packet 35 numbers them."""

    OFF = 0
    PASSIVE = 1
    SAFE = 2
    FULL = 3


class Opcode(NamedTuple):
    """One command: its name, the bytes that follow, and the lowest mode that accepts it."""

    name: str
    size: int  # bytes; for a list: those before its members
    mode: Mode = Mode.PASSIVE
    count_at: int = -1  # the byte that tells how many members follow
    each: int = 1  # bytes of a member


OPCODES: Mapping[int, Opcode] = {
    7: Opcode("reset", 0, Mode.OFF),
    128: Opcode("start", 0, Mode.OFF),
    129: Opcode("baud", 1),
    130: Opcode("safe", 0),
    131: Opcode("safe", 0),
    132: Opcode("full", 0),
    133: Opcode("power", 0),
    134: Opcode("demo_spot", 0),
    135: Opcode("demo_cover", 0),
    136: Opcode("demo", 1),
    137: Opcode("drive", 4, Mode.SAFE),
    138: Opcode("low_side_drivers", 1, Mode.SAFE),
    139: Opcode("leds", 3, Mode.SAFE),
    140: Opcode("song", 2, count_at=1, each=2),
    141: Opcode("play_song", 1, Mode.SAFE),
    142: Opcode("sensors", 1),
    143: Opcode("demo_dock", 0),
    144: Opcode("pwm_low_side_drivers", 3, Mode.SAFE),
    145: Opcode("drive_direct", 4, Mode.SAFE),
    146: Opcode("drive_pwm", 4, Mode.SAFE),
    147: Opcode("digital_outputs", 1, Mode.SAFE),
    148: Opcode("stream", 1, count_at=0),
    149: Opcode("query_list", 1, count_at=0),
    150: Opcode("pause_stream", 1),
    151: Opcode("send_infrared", 1, Mode.SAFE),
    152: Opcode("script", 1, count_at=0),
    153: Opcode("play_script", 0),
    154: Opcode("show_script", 0),
    155: Opcode("wait_time", 1),
    156: Opcode("wait_distance", 2),
    157: Opcode("wait_angle", 2),
    158: Opcode("wait_event", 1),
    162: Opcode("scheduling_leds", 2, Mode.SAFE),
    163: Opcode("digit_leds", 4, Mode.SAFE),
    164: Opcode("digit_leds_ascii", 4, Mode.SAFE),
    165: Opcode("push_buttons", 1),
    167: Opcode("schedule", 15),
    168: Opcode("set_day_time", 3),
    173: Opcode("stop", 0),
}
_OF_CREATE_2 = frozenset({7, 146, 162, 163, 164, 165, 167, 168, 173})


class Command(NamedTuple):
    """A complete command."""

    opcode: Opcode
    data: bytes


@dataclass(slots=True)
class Decoder:
    """Splits received bytes into commands; a byte that is not an opcode is skipped."""

    generation: int
    unknown: int = 0  # bytes passed over
    _left: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> None:
        """Take received bytes."""
        self._left += data

    def push(self, script: bytes) -> None:
        """Insert a script before all pending bytes."""
        self._left[:0] = script

    def commands(self) -> Iterator[Command]:
        """Yield complete commands one by one; the rest is pending while the robot waits."""
        while (command := self._next()) is not None:
            yield command

    @property
    def waiting(self) -> int:
        """How many bytes are pending."""
        return len(self._left)

    def _next(self) -> Command | None:
        while self._left and not self._is_known(self._left[0]):
            del self._left[0]
            self.unknown += 1
        if not self._left:
            return None
        opcode = OPCODES[self._left[0]]
        size = _size(opcode, self._left)
        if size is None or len(self._left) < 1 + size:
            return None
        data = bytes(self._left[1 : 1 + size])
        del self._left[: 1 + size]
        return Command(opcode, data)

    def _is_known(self, number: int) -> bool:
        return number in OPCODES and not (self.generation == 1 and number in _OF_CREATE_2)


def _size(opcode: Opcode, begun: bytearray) -> int | None:
    """Return how many bytes follow the opcode, or None while that is not known."""
    if opcode.count_at < 0:
        return opcode.size
    if len(begun) < 2 + opcode.count_at:
        return None
    return opcode.size + opcode.each * begun[1 + opcode.count_at]
