"""Kinds of satellite fix, and which one a receiver has."""

from enum import IntEnum

SPATIAL_FIX = 4  # satellites that a position and the clock need


class Quality(IntEnum):
    """Numbered as in the GGA sentence of NMEA 0183."""

    NONE = 0
    SINGLE = 1
    AUGMENTED = 2
    RTK_FIXED = 4
    RTK_FLOAT = 5

    @property
    def status(self) -> int:
        """The equivalent in sensor_msgs/NavSatStatus."""
        return {Quality.NONE: -1, Quality.SINGLE: 0, Quality.AUGMENTED: 1}.get(self, 2)


class RtkLock:
    """Carrier ambiguities are fixed only after enough satellites were tracked for a while."""

    def __init__(self, satellites: int, hold_s: float) -> None:
        self._satellites = satellites
        self._hold_s = hold_s
        self.held_s = hold_s  # it starts fixed: the receiver ran before the simulation did

    def update(self, seen: int, dt: float) -> bool:
        """Return whether the ambiguities are fixed, after ``dt`` more with these satellites."""
        self.held_s = self.held_s + dt if seen >= self._satellites else 0.0
        return self.held_s >= self._hold_s
