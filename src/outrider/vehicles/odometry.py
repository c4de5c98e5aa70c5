"""Dead reckoning from wheel motion."""

import math
from collections.abc import Sequence

from outrider.core.state import State
from outrider.vehicles.drivetrain import Drivetrain


class WheelOdometry:
    """Integrates exact arcs, so the number of intervals does not matter. Yaw is not wrapped."""

    def __init__(self, drivetrain: Drivetrain) -> None:
        """Start at the origin."""
        self._drivetrain = drivetrain
        self.x = self.y = self.yaw = 0.0  # m, m, rad, in the odometry frame
        self.speed = self.yaw_rate = 0.0  # over the last interval
        self._lost = (0.0, 0.0, 0.0)  # what rounding took from x, y and yaw
        self._wheels: tuple[float, ...] | None = None  # the first update only notes where they are
        self._steering: tuple[float, ...] = ()

    def restart(self) -> None:
        """Call this place the origin; the wheels are where they are."""
        self.x = self.y = self.yaw = self.speed = self.yaw_rate = 0.0
        self._lost = (0.0, 0.0, 0.0)

    def get_state(self) -> State:
        """Return where it is, and where the wheels were."""
        return State(
            pose=(self.x, self.y, self.yaw),
            speed=self.speed,
            yaw_rate=self.yaw_rate,
            lost=self._lost,
            wheels=self._wheels,
            steering=self._steering,
        )

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self.x, self.y, self.yaw = state.triple("pose")
        self.speed, self.yaw_rate = state.number("speed"), state.number("yaw_rate")
        self._lost = state.triple("lost")
        self._wheels = state.numbers("wheels") if state.has("wheels") else None
        self._steering = state.numbers("steering")

    def update(
        self, wheel_angles: Sequence[float], steering_angles: Sequence[float], dt: float
    ) -> None:
        """Take the angles (rad) of the driven and steered joints, `dt` seconds after the last."""
        distance, turn = self._since(wheel_angles, steering_angles)
        self._wheels, self._steering = tuple(wheel_angles), tuple(steering_angles)
        way_x, way_y = self._arc(distance, turn)
        x, y, yaw = self._lost
        self.x, x = _plus(self.x, x, way_x)
        self.y, y = _plus(self.y, y, way_y)
        self.yaw, yaw = _plus(self.yaw, yaw, turn)
        self._lost = (x, y, yaw)
        if dt > 0.0:
            self.speed, self.yaw_rate = distance / dt, turn / dt

    def pose_at(
        self, wheel_angles: Sequence[float], steering_angles: Sequence[float]
    ) -> tuple[float, float, float]:
        """Return x, y and yaw where an update with these angles would bring it."""
        distance, turn = self._since(wheel_angles, steering_angles)
        way_x, way_y = self._arc(distance, turn)
        return self.x + way_x, self.y + way_y, self.yaw + turn

    def _since(
        self, wheel_angles: Sequence[float], steering_angles: Sequence[float]
    ) -> tuple[float, float]:
        """Return distance and turn since the last update; none before the first."""
        if self._wheels is None:
            return 0.0, 0.0
        travel = [now - last for now, last in zip(wheel_angles, self._wheels, strict=True)]
        # the mean angle stands for an interval in which the steering turned evenly
        pairs = zip(steering_angles, self._steering, strict=True)
        return self._drivetrain.motion(travel, [0.5 * (now + last) for now, last in pairs])

    def _arc(self, distance: float, turn: float) -> tuple[float, float]:
        """Return the way along an arc: its chord points half the turn away from the heading."""
        half = 0.5 * turn
        # below 1e-4 the next term of the series is under 1e-17
        shortening = math.sin(half) / half if abs(half) > 1e-4 else 1.0 - half * half / 6.0
        chord, heading = distance * shortening, self.yaw + half
        return chord * math.cos(heading), chord * math.sin(heading)


def _plus(total: float, lost: float, value: float) -> tuple[float, float]:
    """Add and carry the rounding error on (Kahan): equal small steps would all round alike."""
    value -= lost
    result = total + value
    return result, (result - total) - value
