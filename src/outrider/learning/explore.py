"""Outrider/Explore-v0: see all of an unknown place by a scanner."""

import math
from typing import Any, ClassVar

import numpy as np

from outrider.learning.coverage_map import CoverageMap
from outrider.learning.environment import GOAL, Observation, RobotEnvironment, Start
from outrider.learning.extra import gymnasium
from outrider.learning.options import ExploreOptions, RobotOptions

_TIME = -0.02  # reward for a period
_ALL = 20.0  # reward for the whole place


class ExploreEnv(RobotEnvironment):
    """Rewards each square metre that comes into sight for the first time.

    It observes a scan, its own wheels' speeds, and a map of what it has seen around it.
    """

    name: ClassVar[str] = "Outrider/Explore-v0"
    Options: ClassVar[type[RobotOptions]] = ExploreOptions

    def _spaces(self) -> dict[str, gymnasium.Space[Any]]:
        options, box = self.options, gymnasium.spaces.Box
        free = self.shared.free
        self._map = CoverageMap(free.region, options.cell, free)
        return {
            "scan": box(0.0, 1.0, (options.rays,), np.float32),
            "velocity": box(-3.0, 3.0, (2,), np.float32),
            "map": box(0.0, 1.0, (options.window, options.window), np.float32),
        }

    def _begin(self) -> Start:
        self._map.clear()
        self._area = 0.0
        x, y = self.shared.free.draw(self.np_random).tolist()
        return x, y, float(self.np_random.uniform(-math.pi, math.pi))

    def _observe(self) -> Observation:
        options = self.options
        ranges = self.observation.ranges(self.np_random)
        place = self.observation.pose()
        self._map.add(*place, ranges, options.sight)
        speed, yaw_rate = self.observation.speeds()
        wheels = [speed / options.speed, yaw_rate / options.yaw_rate]
        return {
            "scan": ranges / np.float32(options.range_max),
            "velocity": np.clip(np.array(wheels, np.float32), -3.0, 3.0),
            "map": self._map.window(*place, options.window),
        }

    def _judge(self) -> tuple[float, str]:
        """Reward what the observation before this one has shown."""
        area = self._map.area
        reward = area - self._area + _TIME
        self._area = area
        if self._map.share >= self.options.share:
            return reward + _ALL, GOAL
        return reward, ""
