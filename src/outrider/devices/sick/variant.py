"""Scan variants: directions and duration of one scan, and how to pick them from a simulation."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.messages.types import Message

_REVOLUTION_NS = 1_000_000_000 // 75
_TOLERANCE = 1e-4  # rad
_RESERVED = 8  # the largest numbers tell faults


class Variant(NamedTuple):
    """Opening angle in degrees, and step in hundredths of a degree."""

    angle: int
    step: int

    @property
    def possible(self) -> bool:
        """Whether the scanner supports it."""
        return self in _POSSIBLE

    @property
    def scan_ns(self) -> int:
        """How long a scan takes: finer ones take several revolutions of the mirror."""
        return _REVOLUTION_NS * 100 // self.step

    @property
    def directions(self) -> NDArray[np.float64]:
        """Radians from straight ahead, right to left."""
        count = self.angle * 100 // self.step + 1
        return np.radians(np.linspace(-0.5 * self.angle, 0.5 * self.angle, count))


_POSSIBLE = (
    Variant(180, 100),
    Variant(180, 50),
    Variant(100, 100),
    Variant(100, 50),
    Variant(100, 25),
)


def resolvable(variant: Variant, scan: Message) -> bool:
    """Return whether a scan has a ray in each direction of a variant."""
    _, off = _nearest(variant, scan)
    return bool(np.all(off < _TOLERANCE))


def readings(
    variant: Variant, scan: Message, *, millimetres: bool, bits: int = 13
) -> NDArray[np.uint16]:
    """Return a scan's ranges as the scanner sends them; no echo is the largest value."""
    no_echo = (1 << bits) - 1
    index, _ = _nearest(variant, scan)
    ranges = np.asarray(scan.ranges, np.float64)[index]
    # nearer than it can measure reads as zero, as a hand on the window does
    units = np.where(np.isneginf(ranges), 0.0, ranges) * (1000.0 if millimetres else 100.0)
    seen = np.isfinite(units) & (units < no_echo - _RESERVED)
    return np.where(seen, np.rint(np.where(seen, units, 0.0)), no_echo).astype(np.uint16)


def _nearest(variant: Variant, scan: Message) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the ray nearest to each direction, and how far off it is."""
    steps = (variant.directions - scan.angle_min) / (scan.angle_increment or math.inf)
    index = np.clip(np.rint(steps), 0, len(scan.ranges) - 1).astype(np.intp)
    return index, np.abs(steps - index) * abs(scan.angle_increment)
