"""The sensor packets of the Open Interface: sizes, signs, groups, and how values are packed."""

from collections.abc import Mapping
from typing import NamedTuple


class Packet(NamedTuple):
    """One value on the wire, big-endian; values out of range saturate."""

    name: str
    size: int  # bytes
    least: int
    most: int


def _byte(name: str, most: int = 255) -> Packet:
    return Packet(name, 1, 0, most)


def _word(name: str, most: int = 65535) -> Packet:
    return Packet(name, 2, 0, most)


def _signed(name: str, least: int = -32768, most: int = 32767) -> Packet:
    return Packet(name, 2, least, most)


_SPEED = 500  # mm/s, the most that can be asked for
PACKETS: Mapping[int, Packet] = {
    7: _byte("bumps_and_wheel_drops", 31),
    8: _byte("wall", 1),
    9: _byte("cliff_left", 1),
    10: _byte("cliff_front_left", 1),
    11: _byte("cliff_front_right", 1),
    12: _byte("cliff_right", 1),
    13: _byte("virtual_wall", 1),
    14: _byte("overcurrents", 31),
    15: _byte("dirt_detect"),
    16: _byte("unused"),
    17: _byte("infrared_byte"),
    18: _byte("buttons"),
    19: _signed("distance"),
    20: _signed("angle"),
    21: _byte("charging_state", 5),
    22: _word("voltage"),
    23: _signed("current"),
    24: Packet("temperature", 1, -128, 127),
    25: _word("charge"),
    26: _word("capacity"),
    27: _word("wall_signal", 4095),
    28: _word("cliff_left_signal", 4095),
    29: _word("cliff_front_left_signal", 4095),
    30: _word("cliff_front_right_signal", 4095),
    31: _word("cliff_right_signal", 4095),
    32: _byte("digital_inputs", 31),
    33: _word("analog_input", 1023),
    34: _byte("charging_sources", 3),
    35: _byte("mode", 3),
    36: _byte("song_number", 15),
    37: _byte("song_playing", 1),
    38: _byte("stream_packets", 108),
    39: _signed("requested_velocity", -_SPEED, _SPEED),
    40: _signed("requested_radius"),
    41: _signed("requested_right", -_SPEED, _SPEED),
    42: _signed("requested_left", -_SPEED, _SPEED),
    43: _word("left_encoder"),
    44: _word("right_encoder"),
    45: _byte("light_bumper", 127),
    46: _word("light_bump_left", 4095),
    47: _word("light_bump_front_left", 4095),
    48: _word("light_bump_center_left", 4095),
    49: _word("light_bump_center_right", 4095),
    50: _word("light_bump_front_right", 4095),
    51: _word("light_bump_right", 4095),
    52: _byte("infrared_left"),
    53: _byte("infrared_right"),
    54: _signed("left_motor_current"),
    55: _signed("right_motor_current"),
    56: _signed("main_brush_current"),
    57: _signed("side_brush_current"),
    58: _byte("stasis", 3),
}

GROUPS: Mapping[int, range] = {
    0: range(7, 27),
    1: range(7, 17),
    2: range(17, 21),
    3: range(21, 27),
    4: range(27, 35),
    5: range(35, 43),
    6: range(7, 43),
    100: range(7, 59),
    101: range(43, 59),
    106: range(46, 52),
    107: range(54, 59),
}
_LAST_OF_CREATE_1 = 42


def known(packet: int, generation: int) -> bool:
    """Return whether a robot of this generation has a packet or group."""
    if generation == 1 and packet > _LAST_OF_CREATE_1:
        return False
    return packet in PACKETS or packet in GROUPS


def members(packet: int) -> range:
    """Return the packets of a group, or of a packet itself."""
    return GROUPS.get(packet) or range(packet, packet + 1)


def packed(packet: int, values: Mapping[str, int]) -> bytes:
    """Return a packet or a group as bytes; a value that no sensor provides is zero."""
    return b"".join(_packed(PACKETS[one], values) for one in members(packet))


def _packed(packet: Packet, values: Mapping[str, int]) -> bytes:
    value = max(packet.least, min(packet.most, values.get(packet.name, 0)))
    return value.to_bytes(packet.size, "big", signed=packet.least < 0)
