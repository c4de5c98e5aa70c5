"""What the reactive brains share: scans as arrays, and commands."""

import numpy as np

from outrider.autonomy.component import Output
from outrider.core.frames import Array
from outrider.messages.types import LaserScan, Twist, Vector3


def beams(scan: LaserScan) -> tuple[Array, Array]:
    """Return angles (-pi to pi) and ranges; what is out of reach is as far as the scanner sees."""
    ranges = np.asarray(scan.ranges, np.float64)
    angles = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    angles = np.remainder(angles + np.pi, 2 * np.pi) - np.pi
    near = np.isneginf(ranges) | (ranges < scan.range_min)
    far = np.isposinf(ranges) | (ranges > scan.range_max)
    known = np.isfinite(ranges) | near | far  # NaN tells nothing
    ranges = np.where(far, scan.range_max, np.where(near, scan.range_min, ranges))
    return angles[known], ranges[known]


def drive(speed: float, yaw_rate: float) -> Output:
    """Return a command."""
    return "cmd_vel", Twist(Vector3(float(speed), 0.0, 0.0), Vector3(0.0, 0.0, float(yaw_rate)))
