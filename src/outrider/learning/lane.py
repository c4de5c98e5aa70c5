"""The middle of a lane on the model cars' track: two straights and two half circles."""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.props.textures.lanes import INNER, OUTER, STRAIGHT

_MIDDLE = (INNER + OUTER) / 2
LANES = {"inner": (INNER + _MIDDLE) / 2, "outer": (OUTER + _MIDDLE) / 2}


@dataclass(frozen=True, slots=True)
class OvalLane:
    """A closed line, driven counter-clockwise; it begins on the right, beside the middle."""

    radius: float  # m, of its round ends

    @property
    def length(self) -> float:
        """One lap (m)."""
        return 2 * STRAIGHT + 2 * math.pi * self.radius

    def at(self, run: float) -> tuple[float, float, float]:
        """Return the place (m) and the heading (rad) so far along the line."""
        run, half, arc = run % self.length, STRAIGHT / 2, math.pi * self.radius
        if run < half:
            return self.radius, run, math.pi / 2
        if run < half + arc:
            turned = (run - half) / self.radius
            return (
                self.radius * math.cos(turned),
                half + self.radius * math.sin(turned),
                math.pi / 2 + turned,
            )
        if run < self.length / 2 + half:
            return -self.radius, half - (run - half - arc), -math.pi / 2
        x, y, heading = self.at(run - self.length / 2)
        return -x, -y, heading + math.pi

    def project(self, position: Array) -> tuple[float, float]:
        """Return how far along the line a place is, and how far to the left of it (m)."""
        x, y = position.tolist()
        half = STRAIGHT / 2
        if abs(y) <= half:
            run = y if x >= 0 else self.length / 2 - y
            return run % self.length, self.radius - abs(x)
        turned = math.atan2(abs(y) - half, x if y > 0 else -x)
        run = half + self.radius * turned + (0.0 if y > 0 else self.length / 2)
        return run % self.length, self.radius - math.hypot(x, abs(y) - half)


def ahead(lane: OvalLane, position: Array, heading: float, distances: tuple[float, ...]) -> Array:
    """Return points of the lane ahead, in the axes of a car (n, 2)."""
    run, _ = lane.project(position)
    points = np.array([lane.at(run + distance)[:2] for distance in distances])
    c, s = math.cos(heading), math.sin(heading)
    seen: Array = (points - position) @ np.array([[c, -s], [s, c]])
    return seen
