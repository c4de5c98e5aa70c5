"""Wall following on a scan: two beams give the distance and angle of the wall."""

import math

import numpy as np

from outrider.autonomy.component import Output
from outrider.autonomy.reactive.commands import drive
from outrider.autonomy.reactive.scan_controller import ScanController
from outrider.autonomy.reactive.spec import WallSpec
from outrider.core.frames import Array

_OPEN_RAD = math.radians(50.0)  # between the beam across and the one ahead of it


class Wall(ScanController):
    """Keeps a wall at a distance, around corners inside and out."""

    name = "wall"

    def __init__(self, spec: WallSpec, base: str = "base_link") -> None:
        super().__init__(base)
        self._spec = spec

    def command(self, angles: Array, ranges: Array) -> Output:
        """Return the command for beams at angles from the robot's heading."""
        spec = self._spec
        sign = 1.0 if spec.side == "left" else -1.0
        ahead = _near(angles, ranges, 0.0, math.radians(20))
        if ahead < spec.stop_m:
            return drive(0.0, -sign * spec.yaw_rate)
        across = _near(angles, ranges, sign * math.pi / 2, math.radians(3))
        slanted = _near(angles, ranges, sign * (math.pi / 2 - _OPEN_RAD), math.radians(3))
        # the wall's angle to the robot, from the triangle of both beams
        tilt = math.atan2(slanted * math.cos(_OPEN_RAD) - across, slanted * math.sin(_OPEN_RAD))
        soon = across * math.cos(tilt) + spec.lookahead * math.sin(tilt)
        turn = sign * (spec.gain * (soon - spec.distance) + spec.damping * tilt)
        turn = max(-spec.yaw_rate, min(spec.yaw_rate, turn))
        slow = min(1.0, ahead / (3 * spec.stop_m)) * (1 - 0.5 * abs(turn) / spec.yaw_rate)
        return drive(spec.speed * slow, turn)


def _near(angles: Array, ranges: Array, middle: float, width: float) -> float:
    off = np.abs(np.remainder(angles - middle + np.pi, 2 * np.pi) - np.pi)
    inside = ranges[off < width]
    return float(inside.min()) if len(inside) else math.inf if not len(ranges) else 10.0
