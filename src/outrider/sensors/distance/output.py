"""Messages that all distance sensors share: a range, and the point it was measured at."""

import math

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.messages.types import Point, PointStamped, Range, header
from outrider.sensors.site import Site

NOWHERE = np.full(3, np.nan)


class RangeOutput(DeclaredState):
    """The last measurement; infinite as in REP 117: +inf no detection, -inf too near."""

    state_fields = ("range", "variance", "point")

    def __init__(
        self, site: Site, radiation: int, field_of_view_rad: float, limits: tuple[float, float]
    ) -> None:
        self._frame = site.frame_id
        self._fixed = (radiation, field_of_view_rad, *limits)
        self.range = math.inf
        self.variance = 0.0  # zero means unknown
        self.point: Array = NOWHERE  # in the sensor's frame; not a number for nothing

    def range_message(self, now_ns: int) -> Range:
        """Return the range."""
        return Range(header(now_ns, self._frame), *self._fixed, self.range, self.variance)

    def hit_message(self, now_ns: int) -> PointStamped:
        """Return where the beam was thrown back, for drawing; not a number if nowhere."""
        return PointStamped(header(now_ns, self._frame), Point(*self.point.tolist()))


def check_limits(min_range: float, max_range: float, cones: int) -> None:
    """Refuse a sensor that cannot measure anything."""
    if not min_range < max_range:
        raise ValueError(f"min_range must be below max_range, got {min_range} and {max_range}")
    if not cones:
        raise ValueError("cones: expected at least one")
