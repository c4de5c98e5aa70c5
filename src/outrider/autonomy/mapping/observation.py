"""What one scan says about its surroundings: obstacles, and how far the view was free."""

from dataclasses import dataclass

import numpy as np

from outrider.autonomy.mapping.ray_kernels import farthest_by_sector, nearest_by_sector
from outrider.core.frames import Array, Pose, yaw_of

_SECTORS = 720


@dataclass(frozen=True, slots=True, eq=False)
class ScanObservation:
    """An observation in the robot's frame, levelled, with its heading as x: (n, 2) each."""

    hits: Array
    free_ends: Array

    def placed(self, x: float, y: float, yaw: float) -> tuple[Array, Array, Array]:
        """Return sensor position, hits and free ends in the map."""
        c, s = np.cos(yaw), np.sin(yaw)
        R = np.array([[c, s], [-s, c]])
        eye = np.array([x, y])
        return eye, self.hits @ R + eye, self.free_ends @ R + eye


def look_of(obstacles: Array, ground: Array, pose: Pose, farthest: float) -> ScanObservation:
    """Return the observation of a scan in the robot's frame, levelled by the pose.

    A line of sight is free as far as ground is seen, and ends before the first obstacle in its
    direction: what is seen above or behind that does not clear it.
    """
    level = Pose.from_rpy([0, 0, 0], [0, 0, -yaw_of(pose.rotation)]) @ Pose(rotation=pose.rotation)
    hits = level.apply(obstacles)[:, :2]
    seen = np.ascontiguousarray(level.apply(ground)[:, :2])
    hits = np.ascontiguousarray(hits[(hits**2).sum(axis=1) < farthest**2])
    limit = np.full(_SECTORS, farthest)
    nearest_by_sector(hits, _SECTORS, limit)
    free = np.zeros(_SECTORS)
    farthest_by_sector(seen, _SECTORS, limit, free)
    known = np.flatnonzero(free > 0.0)
    angles = (known + 0.5) / _SECTORS * 2 * np.pi - np.pi
    ends = free[known, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return ScanObservation(hits, ends)
