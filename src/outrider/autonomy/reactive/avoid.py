"""Obstacle avoidance on a scan: straight ahead while free, otherwise towards the freest side."""

import math

import numpy as np

from outrider.autonomy.component import Output
from outrider.autonomy.reactive.commands import drive
from outrider.autonomy.reactive.scan_controller import ScanController
from outrider.autonomy.reactive.spec import AvoidSpec
from outrider.core.frames import Array


class Avoid(ScanController):
    """Wanders without touching anything visible in the scan."""

    name = "avoid"

    def __init__(self, spec: AvoidSpec, base: str = "base_link") -> None:
        super().__init__(base)
        self._spec = spec
        self._side = 0.0  # it keeps turning to one side until the way is free

    def command(self, angles: Array, ranges: Array) -> Output:
        """Return the command for beams at angles from the robot's heading."""
        spec = self._spec
        ahead = self._ahead(angles, ranges)
        if ahead > spec.stop_m:
            self._side = 0.0
            share = min(1.0, (ahead - spec.stop_m) / (spec.slow_m - spec.stop_m))
            return drive(spec.speed * max(0.2, share), self._veer(angles, ranges) * (1 - share))
        if self._side == 0.0:
            self._side = math.copysign(1.0, self._veer(angles, ranges))
        return drive(0.0, self._side * spec.yaw_rate)

    def _ahead(self, angles: Array, ranges: Array) -> float:
        """Return how far the strip ahead is free; zero if the scan has no data there."""
        if not len(ranges):
            return 0.0
        x, y = ranges * np.cos(angles), ranges * np.sin(angles)
        inside = x[(x > 0) & (np.abs(y) < self._spec.width / 2)]
        return float(inside.min()) if len(inside) else float(ranges.max())

    def _veer(self, angles: Array, ranges: Array) -> float:
        """Return the yaw rate towards the side with more space."""
        near = np.minimum(ranges, 2 * self._spec.slow_m)
        left = float(near[(angles > 0) & (angles < math.pi / 2)].sum())
        right = float(near[(angles < 0) & (angles > -math.pi / 2)].sum())
        return self._spec.yaw_rate if left >= right else -self._spec.yaw_rate
