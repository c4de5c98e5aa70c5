"""A scan takes a tenth of a second: points as if all had been measured at its end."""

import numpy as np

from outrider.autonomy.poses import rotation_vector
from outrider.core.frames import Array, Pose


def deskew(xyz: Array, share: Array, T_end_start: Pose) -> Array:
    """Move points in the robot's frame to where they lie in its frame at the end of the scan.

    ``share`` is 0 for points measured at the start and 1 for those at the end; the motion between
    is taken as even. To the second order of the turn, which is exact enough below half a radian.
    """
    left = (1.0 - share)[:, None]
    turn = rotation_vector(T_end_start.rotation)
    once = np.cross(turn, xyz)
    moved: Array = xyz + left * (once + T_end_start.position)
    moved += 0.5 * left * left * np.cross(turn, once)
    return moved
