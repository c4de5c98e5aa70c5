"""The cascades of a shadow map: one over a small world, otherwise several around the camera.

Each is three times as wide as the last; they lie beside each other in an atlas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MOST_LEVELS = 7
STEPS = 8  # cascades are moved by an eighth of their side
SLACK = 0.75  # steps that the camera may be off: two eyes beside a border share a cascade
_SIDE, _WHOLE_SIDE = 1536, 4608  # texels: of one among several, of one alone
_NEAREST_HALF = 6.0  # m, half a side of the smallest cascade
_WHOLE_HALF = 25.0  # m, of the largest world that one cascade is enough for
_GROWTH = 3.0
_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Cascades:
    """Sizes: texels of a side, and half a side of each in m."""

    side: int
    halves: tuple[float, ...]

    @property
    def atlas(self) -> tuple[int, int]:
        """Texels across and up of the map that holds them all."""
        levels = len(self.halves)
        return self.side * min(levels, _COLUMNS), self.side * math.ceil(levels / _COLUMNS)

    @property
    def whole(self) -> bool:
        """Whether one cascade lies over the whole world."""
        return len(self.halves) == 1

    @property
    def reach(self) -> list[float]:
        """How far from the camera each holds everything, wherever its middle is, in m."""
        if self.whole:
            return [math.inf]
        share = 1 - 2 * SLACK / STEPS - 8 / self.side
        return [share * half for half in self.halves]

    @property
    def scale(self) -> list[float]:
        """Widths of the atlas per metre in each."""
        return [self.texels_per_m(level) / self.atlas[0] for level in range(len(self.halves))]

    def texels_per_m(self, level: int) -> float:
        """How finely a cascade is drawn."""
        return self.side / (2 * self.halves[level])

    def corner(self, level: int) -> tuple[int, int]:
        """Where a cascade begins in the atlas."""
        return self.side * (level % _COLUMNS), self.side * (level // _COLUMNS)


def cascades_for(radius: float) -> Cascades:
    """Return cascades that reach over a world of so many metres."""
    if radius <= _WHOLE_HALF:
        return Cascades(_WHOLE_SIDE, (max(radius, 1.0) * STEPS / (STEPS - 2),))
    needed = math.log(2 * radius / _NEAREST_HALF) / math.log(_GROWTH)
    levels = min(MOST_LEVELS, 1 + math.ceil(needed))
    return Cascades(_SIDE, tuple(_NEAREST_HALF * _GROWTH**level for level in range(levels)))
