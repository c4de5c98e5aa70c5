"""The robot's current pose on the plane: the newest pose, extrapolated by its velocity."""

import math

import numpy as np

from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose, yaw_of
from outrider.messages.plain_values import pose_from, stamp_ns
from outrider.messages.types import Odometry

_FARTHEST_AHEAD_S = 0.25


class CurrentPose:
    """Keeps the newest odometry and its correction by SLAM."""

    def __init__(self) -> None:
        self.odometry: Odometry | None = None
        self.T_map_odom = Pose()

    def age_s(self, now_ns: int) -> float:
        """Return the age of the newest pose."""
        return math.inf if self.odometry is None else (now_ns - stamp_ns(self.odometry)) / NS_PER_S

    def pose(self) -> Pose:
        """Return the newest pose in the odometry frame."""
        return Pose() if self.odometry is None else pose_from(self.odometry.pose.pose)

    def plane(self, now_ns: int) -> Array:
        """Return the current x, y and yaw in the odometry frame."""
        if self.odometry is None:
            return np.zeros(3)
        pose = self.pose()
        ahead_s = min(max(0.0, self.age_s(now_ns)), _FARTHEST_AHEAD_S)
        twist = self.odometry.twist.twist
        yaw = yaw_of(pose.rotation)
        middle = yaw + 0.5 * twist.angular.z * ahead_s
        way = twist.linear.x * ahead_s
        x, y = pose.position[:2].tolist()
        return np.array(
            [
                x + way * math.cos(middle),
                y + way * math.sin(middle),
                yaw + twist.angular.z * ahead_s,
            ]
        )

    def to_map(self, plane: Array) -> Array:
        """Transform x, y, yaw from the odometry frame to the map."""
        pose = self.T_map_odom @ Pose.from_rpy([plane[0], plane[1], 0], [0, 0, plane[2]])
        return np.array([*pose.position[:2], yaw_of(pose.rotation)])

    def path_to_odom(self, path: Array) -> Array:
        """Transform positions (n, 2) from the map to the odometry frame."""
        flat = np.concatenate([path, np.zeros((len(path), 1))], axis=1)
        return self.T_map_odom.inverse().apply(flat)[:, :2]
