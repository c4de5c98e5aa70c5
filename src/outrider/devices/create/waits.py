"""What the robot waits for (opcodes 155 to 158): time, distance, angle or an event."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

_TENTH_NS = 100_000_000
Values = Mapping[str, int]


@dataclass(slots=True)
class Wait:
    """A wait in progress; ``over`` is evaluated whenever the sensors have been read."""

    over: Callable[[Values, int], bool]

    @classmethod
    def for_time(cls, tenths: int, now_ns: int) -> "Wait":
        """Wait for tenths of a second."""
        end_ns = now_ns + tenths * _TENTH_NS
        return cls(lambda _, now: now >= end_ns)

    @classmethod
    def for_travel(cls, name: str, amount: int) -> "Wait":
        """Wait until ``distance`` or ``angle`` has reached an amount, in either direction."""
        if amount < 0:
            return cls(lambda values, _: values[name] <= amount)
        return cls(lambda values, _: values[name] >= amount)

    @classmethod
    def for_event(cls, number: int) -> "Wait":
        """Wait for an event; a negative number waits for its end. Unknown events are ignored."""
        happens = _EVENTS.get(abs(number))
        if happens is None:
            return cls(lambda _values, _now: True)
        return cls(lambda values, _: happens(values) == (number > 0))


def _bits(name: str, mask: int) -> Callable[[Values], bool]:
    return lambda values: bool(values.get(name, 0) & mask)


def _any_cliff(values: Values) -> bool:
    sides = ("left", "front_left", "front_right", "right")
    return any(values.get(f"cliff_{side}", 0) for side in sides)


_BUMPS = "bumps_and_wheel_drops"
_EVENTS: Mapping[int, Callable[[Values], bool]] = {
    1: _bits(_BUMPS, 0b11100),
    2: _bits(_BUMPS, 0b10000),
    3: _bits(_BUMPS, 0b01000),
    4: _bits(_BUMPS, 0b00100),
    5: _bits(_BUMPS, 0b00011),
    6: _bits(_BUMPS, 0b00010),
    7: _bits(_BUMPS, 0b00001),
    8: _bits("virtual_wall", 1),
    9: _bits("wall", 1),
    10: _any_cliff,
    11: _bits("cliff_left", 1),
    12: _bits("cliff_front_left", 1),
    13: _bits("cliff_front_right", 1),
    14: _bits("cliff_right", 1),
    15: _bits("charging_sources", 0b10),
    16: _bits("buttons", 0b100),
    17: _bits("buttons", 0b001),
    18: _bits("digital_inputs", 0b0001),
    19: _bits("digital_inputs", 0b0010),
    20: _bits("digital_inputs", 0b0100),
    21: _bits("digital_inputs", 0b1000),
    22: lambda values: values.get("mode") == 1,
}
