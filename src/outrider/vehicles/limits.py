"""Speed and acceleration limits of a command, as in ROS's diff_drive_controller."""

import math

from outrider.core.state import State
from outrider.specs.robot import Limits


class Limiter:
    """Limits acceleration, then speed, and the same for yaw; a limit of zero means none."""

    def __init__(self, limits: Limits) -> None:
        """Start at rest."""
        self._speed_limit = limits.speed or math.inf
        self._acceleration = limits.acceleration or math.inf
        self._yaw_limit = limits.yaw_rate or math.inf
        self._yaw_acceleration = limits.yaw_acceleration or math.inf
        self.speed = 0.0
        self.yaw_rate = 0.0
        self.settled = False  # the last two results were equal: the same command will give a third

    def stop(self) -> None:
        """Come to rest at once."""
        self.speed = self.yaw_rate = 0.0
        self.settled = False

    def get_state(self) -> State:
        """Return the last results."""
        return State(speed=self.speed, yaw_rate=self.yaw_rate, settled=self.settled)

    def set_state(self, state: State) -> None:
        """Go on from them."""
        self.speed, self.yaw_rate = state.number("speed"), state.number("yaw_rate")
        self.settled = state.flag("settled")

    def limit(self, speed: float, yaw_rate: float, dt_s: float) -> tuple[float, float]:
        """Return what is allowed `dt_s` seconds after the last call."""
        if dt_s <= 0.0:  # no time, no change (and zero times no limit is not a number)
            self.settled = False
            return self.speed, self.yaw_rate
        step, yaw_step = self._acceleration * dt_s, self._yaw_acceleration * dt_s
        speed = limited(speed, self.speed, step, self._speed_limit)
        yaw_rate = limited(yaw_rate, self.yaw_rate, yaw_step, self._yaw_limit)
        self.settled = speed == self.speed and yaw_rate == self.yaw_rate
        self.speed, self.yaw_rate = speed, yaw_rate
        return speed, yaw_rate


def limited(wanted: float, last: float, step: float, most: float) -> float:
    """Return `wanted`, at most a step from the last value, and at most `most` either way."""
    if wanted > last + step:
        wanted = last + step
    elif wanted < last - step:
        wanted = last - step
    if wanted > most:
        return most
    return -most if wanted < -most else wanted
