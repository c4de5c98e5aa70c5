"""Outrider/Waypoints-v0: come to points between obstacles, one after the other."""

import math
from typing import Any, ClassVar

import numpy as np

from outrider.core.frames import Array
from outrider.learning.environment import GOAL, Observation, RobotEnvironment, Start
from outrider.learning.extra import gymnasium
from outrider.learning.observation import bearing
from outrider.learning.options import RobotOptions, WaypointsOptions

_REACHED = 10.0  # reward for a point
_TIME = -0.02  # reward for a period


class WaypointsEnv(RobotEnvironment):
    """Rewards each metre that brings the robot nearer, and each point that it comes to.

    It observes a scan, the direction and distance of the next point, and its own wheels' speeds.
    """

    name: ClassVar[str] = "Outrider/Waypoints-v0"
    Options: ClassVar[type[RobotOptions]] = WaypointsOptions

    def _spaces(self) -> dict[str, gymnasium.Space[Any]]:
        box = gymnasium.spaces.Box
        return {
            "scan": box(0.0, 1.0, (self.options.rays,), np.float32),  # of range_max
            "goal": box(-1.0, 1.0, (3,), np.float32),  # distance of 10 m; cosine, sine
            "velocity": box(-3.0, 3.0, (2,), np.float32),  # of the options' speed and yaw rate
        }

    def _begin(self) -> Start:
        random, options, free = self.np_random, self.options, self.shared.free
        start = at = free.draw(random)
        self._goals: list[Array] = []
        for _ in range(options.waypoints):
            at = free.draw_near(random, at, options.nearest, options.farthest)
            self._goals.append(at)
        self._reached = 0
        self._distance = float(np.hypot(*(self._goals[0] - start)))
        return float(start[0]), float(start[1]), float(random.uniform(-math.pi, math.pi))

    @property
    def _goal(self) -> Array:
        return self._goals[min(self._reached, len(self._goals) - 1)]

    def _observe(self) -> Observation:
        options = self.options
        distance, direction = bearing(*self.observation.pose(), self._goal)
        goal = [min(distance / 10.0, 1.0), math.cos(direction), math.sin(direction)]
        speed, yaw_rate = self.observation.speeds()
        wheels = [speed / options.speed, yaw_rate / options.yaw_rate]
        return {
            "scan": self.observation.ranges(self.np_random) / np.float32(options.range_max),
            "goal": np.array(goal, np.float32),
            "velocity": np.clip(np.array(wheels, np.float32), -3.0, 3.0),
        }

    def _judge(self) -> tuple[float, str]:
        position, _ = self.observation.pose()
        distance = float(np.hypot(*(self._goal - position)))
        reward = self._distance - distance + _TIME
        self._distance = distance
        if distance > self.options.tolerance:
            return reward, ""
        self._reached += 1
        self._distance = float(np.hypot(*(self._goal - position)))
        return reward + _REACHED, GOAL if self._reached == len(self._goals) else ""

    def _marks(self) -> list[tuple[float, float]]:
        return [(float(x), float(y)) for x, y in self._goals[self._reached :]]
