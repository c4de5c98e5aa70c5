"""What a robot perceives, as numbers for a learner."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import LearningError
from outrider.core.frames import Array, yaw_of
from outrider.learning.shared_world import ROBOT, SCAN
from outrider.sim.simulation import Simulation

Floats = NDArray[np.float32]


class RobotObservation:
    """Reads one robot's messages, as a program on the robot would."""

    def __init__(self, simulation: Simulation, range_max: float, range_noise: float) -> None:
        self._robot = simulation.robots[ROBOT]
        self._scan = self._robot.sensors[SCAN]
        self._odometry = self._robot.sensors["odometry"]
        self._range_max, self._noise = range_max, range_noise

    def ranges(self, random: np.random.Generator) -> Floats:
        """Return the newest scan in metres, counter-clockwise from behind; errors are drawn."""
        message = self._scan.latest
        if message is None:
            raise LearningError("the robot has not scanned yet: call reset()")
        found = np.nan_to_num(message.ranges, nan=self._range_max, posinf=np.inf, neginf=0.0)
        errors = random.standard_normal(len(found), np.float32) * np.float32(self._noise)
        ranges: Floats = np.clip(found + errors, 0.0, self._range_max).astype(np.float32)
        return ranges

    def speeds(self) -> tuple[float, float]:
        """Return speed (m/s) and yaw rate (rad/s) by the wheels."""
        message = self._odometry.latest
        assert message is not None, "every robot publishes its odometry"
        twist = message.twist.twist
        return float(twist.linear.x), float(twist.angular.z)

    def pose(self) -> tuple[Array, float]:
        """Return true position (2,) and heading (rad): for rewards, and what stands for a map."""
        pose = self._robot.pose
        return pose.position[:2], yaw_of(pose.rotation)


def bearing(origin: Array, heading: float, goal: Array) -> tuple[float, float]:
    """Return distance (m) and direction (rad, positive to the left) of a goal."""
    x, y = (goal - origin).tolist()
    return math.hypot(x, y), math.remainder(math.atan2(y, x) - heading, 2 * math.pi)
