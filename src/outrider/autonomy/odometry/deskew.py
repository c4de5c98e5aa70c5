"""Motion compensation: a scan's points as if all had been measured at its end."""

import numpy as np

from outrider.core.frames import Array


def deskew(xyz: Array, turns: Array, moves: Array) -> Array:
    """Move points to their positions in the robot's frame at the end of the scan.

    ``turns`` and ``moves`` (n, 3) lead from the robot's frame at each point's time to that at the
    end. To the second order of the turn, which is exact enough below half a radian.
    """
    once = np.cross(turns, xyz)
    moved: Array = xyz + once + 0.5 * np.cross(turns, once) + moves
    return moved


def per_point(times: Array, knots: Array, values: Array) -> Array:
    """Interpolate values (k, 3) known at some times to the times of all points."""
    return np.stack([np.interp(times, knots, values[:, i]) for i in range(3)], axis=1)
