"""Scans of a 2D LiDAR as arrays."""

import numpy as np

from outrider.autonomy.frame_tree import StaticFrames
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.messages.types import LaserScan


def beams(scan: LaserScan) -> tuple[Array, Array]:
    """Return angles (-pi to pi) and ranges; beams without a return have the maximum range."""
    ranges = np.asarray(scan.ranges, np.float64)
    angles = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    angles = np.remainder(angles + np.pi, 2 * np.pi) - np.pi
    near = np.isneginf(ranges) | (ranges < scan.range_min)
    far = np.isposinf(ranges) | (ranges > scan.range_max)
    known = np.isfinite(ranges) | near | far  # NaN tells nothing
    ranges = np.where(far, scan.range_max, np.where(near, scan.range_min, ranges))
    return angles[known], ranges[known]


def beams_on_robot(scan: LaserScan, tree: StaticFrames) -> tuple[Array, Array]:
    """Return angles from the robot's heading and ranges, for any mounting of the scanner.

    Until its mounting is known, it is assumed to face forward.
    """
    angles, ranges = beams(scan)
    T = tree.T_base(scan.header.frame_id)
    if T is None:
        return angles, ranges
    rays = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    x, y, _ = matrix_from_quaternion(T.rotation) @ rays.T
    return np.arctan2(y, x), ranges
