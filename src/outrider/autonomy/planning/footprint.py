"""The footprint of a robot on the ground."""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class FootprintSpec:
    """A rectangle around the robot's frame; the defaults are a Jackal's."""

    length: float = number(0.42, above=0.0)
    width: float = number(0.43, above=0.0)  # over the wheels
    padding: float = number(0.05, least=0.0)

    @property
    def half(self) -> tuple[float, float]:
        """Half of length and width, padded."""
        return self.length / 2 + self.padding, self.width / 2 + self.padding

    @property
    def inscribed(self) -> float:
        """Radius of the largest circle inside."""
        return min(self.half)

    @property
    def circumscribed(self) -> float:
        """Radius of the smallest circle around."""
        return math.hypot(*self.half)

    def outline(self, spacing: float) -> Array:
        """Return points (n, 2) all along the edge."""
        x, y = self.half
        along = np.linspace(-x, x, max(2, math.ceil(2 * x / spacing) + 1))
        aside = np.linspace(-y, y, max(2, math.ceil(2 * y / spacing) + 1))
        sides = [np.stack([along, np.full_like(along, s)], axis=1) for s in (-y, y)] + [
            np.stack([np.full_like(aside, s), aside], axis=1) for s in (-x, x)
        ]
        return np.concatenate(sides)
