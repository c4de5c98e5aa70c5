"""Outrider/AutoMiny-v0: drive a model car round its track, in its lane."""

import math
from typing import Any, ClassVar

import numpy as np

from outrider.core.errors import LearningError, near_match
from outrider.core.frames import Array
from outrider.learning.environment import GOAL, Observation, RobotEnvironment, Start
from outrider.learning.extra import gymnasium
from outrider.learning.lane import LANES, OvalLane, ahead
from outrider.learning.options import AutoMinyOptions, RobotOptions
from outrider.learning.shared_world import SharedWorld

_AHEAD = (0.2, 0.4, 0.7, 1.0, 1.5)  # m along the lane
_ASIDE = -1.0  # reward for a metre beside the lane's middle, in every period
_LAPS = 10.0  # reward at the end


class AutoMinyEnv(RobotEnvironment):
    """Rewards each metre along the lane, less what the car is off its middle.

    It observes a scan, the lane ahead by the lab's overhead cameras (with their errors), its own
    wheels' speed and the last steering command.
    """

    name: ClassVar[str] = "Outrider/AutoMiny-v0"
    Options: ClassVar[type[RobotOptions]] = AutoMinyOptions

    def __init__(
        self, render_mode: str | None = None, shared: SharedWorld | None = None, **options: Any
    ) -> None:
        """As every environment; the lane is of the track in the AutoMiny lab."""
        super().__init__(render_mode, shared, **options)
        lane = self.options.lane
        if lane not in LANES:
            hint = near_match(lane, LANES)
            raise LearningError(
                f"{self.name}: lane: expected {' or '.join(LANES)}, got '{lane}'{hint}"
            )
        self._lane = OvalLane(LANES[lane])

    def _spaces(self) -> dict[str, gymnasium.Space[Any]]:
        box = gymnasium.spaces.Box
        return {
            "scan": box(0.0, 1.0, (self.options.rays,), np.float32),
            "lane": box(-4.0, 4.0, (2 * len(_AHEAD),), np.float32),  # m, ahead and to the left
            "motion": box(-3.0, 3.0, (2,), np.float32),  # of the options' speed; last steering
        }

    def _begin(self) -> Start:
        self._steering = 0.0
        self._run_m = 0.0
        self._at = float(self.np_random.uniform(0.0, self._lane.length))
        return self._lane.at(self._at)

    def _drive(self, first: float, second: float) -> None:
        self._steering = second
        super()._drive(first, second)

    def _observe(self) -> Observation:
        options, random = self.options, self.np_random
        ranges = self.observation.ranges(random)
        return {
            "scan": ranges / np.float32(options.range_max),
            "lane": self._lane_ahead(random),
            "motion": self._motion(),
        }

    def _lane_ahead(self, random: np.random.Generator) -> Any:
        position, heading = self.observation.pose()
        *shift, turn = random.standard_normal(3)
        seen: Array = position + self.options.position_noise * np.array(shift)
        heading += math.radians(self.options.yaw_noise_deg) * turn
        points = ahead(self._lane, seen, heading, _AHEAD)
        return np.clip(points.ravel(), -4.0, 4.0).astype(np.float32)

    def _motion(self) -> Any:
        speed = self.observation.speeds()[0] / self.options.speed
        return np.clip(np.array([speed, self._steering], np.float32), -3.0, 3.0)

    def _judge(self) -> tuple[float, str]:
        position, _ = self.observation.pose()
        at, aside = self._lane.project(position)
        gone = math.remainder(at - self._at, self._lane.length)
        self._at, self._run_m = at, self._run_m + gone
        reward = gone + _ASIDE * abs(aside) / self.options.control_hz
        if abs(aside) > self.options.off_lane:
            return reward - _LAPS, "off lane"
        if self._run_m >= self.options.laps * self._lane.length:
            return reward + _LAPS, GOAL
        return reward, ""
