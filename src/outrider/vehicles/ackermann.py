"""A car: every wheel on its own circle round one turning centre (Ackermann).

The base frame is the middle of the rear axle. Curvature (1/m, positive to the left) is used in
place of the turning radius, so that driving straight is no special case.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, Self

from outrider.core.errors import ConfigError
from outrider.core.structure import number
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.curves import own_curve
from outrider.vehicles.drivetrain import Drivetrain, DrivetrainSpec, Targets


@dataclass(frozen=True, slots=True)
class AckermannSpec(DrivetrainSpec):
    """A car: driven wheels, and two steered ones at their own angles."""

    type: Literal["ackermann"] = "ackermann"
    driven: tuple[str, ...] = ()
    steer_left: str = ""
    steer_right: str = ""
    wheelbase: float = number(1.0, above=0.0)
    steer_track: float = number(1.0, above=0.0)  # between the steered wheels
    drive_track: float = number(1.0, above=0.0)  # between the driven wheels
    wheel_radius: float = number(0.1, above=0.0)
    max_steering_rad: float = number(0.6, above=0.0, most=1.5)
    steering_rate: float = number(1.0, above=0.0)  # rad/s
    curves: dict[str, str] = field(default_factory=dict)  # input name -> curve file

    def at_home(self, folder: Path) -> Self:
        """Return it with the curves of the robot's folder as paths; others are the library's."""
        curves = {key: own_curve(name, folder) for key, name in self.curves.items()}
        return replace(self, curves=curves)

    def with_curves(self, curves: Mapping[str, str]) -> Self:
        """Return it with further commands, or with other curves for those that it takes."""
        return replace(self, curves={**self.curves, **curves})


class Ackermann(Drivetrain):
    """Rear wheels driven (left, right), or all four (rear left, rear right, front left, right)."""

    Spec: ClassVar[type[DrivetrainSpec]] = AckermannSpec

    def __init__(self, spec: AckermannSpec) -> None:
        """Take the car's figures."""
        if len(spec.driven) not in (2, 4):
            raise ConfigError(
                "an ackermann drivetrain drives 2 joints (rear left, rear right) or 4 "
                f"(then front left, front right), got {len(spec.driven)}"
            )
        if not spec.steer_left or not spec.steer_right:
            raise ConfigError("an ackermann drivetrain needs steer_left and steer_right joints")
        self.driven = spec.driven
        self.steered = (spec.steer_left, spec.steer_right)
        self.steering_rate = spec.steering_rate
        self.pivots = False
        self.curves = spec.curves
        self.wheelbase = spec.wheelbase
        self.max_steering = spec.max_steering_rad
        self._half_steer = 0.5 * spec.steer_track
        self._half_drive = 0.5 * spec.drive_track
        self._radius = spec.wheel_radius

    def resolve(self, command: DriveCommand, last: DriveCommand) -> DriveCommand:
        """Fix the steering angle; a stationary car cannot turn, so it keeps its angle."""
        steering = command.steering
        if steering is None:
            steering = self._angle_for(command) if command.speed else last.steering or 0.0
        return DriveCommand(command.speed, 0.0, self._clamped(steering))

    def targets(self, command: DriveCommand) -> Targets:
        """Return wheel speeds and angles; a twist without speed leaves the wheels straight."""
        steering = command.steering
        if steering is None:
            steering = self._angle_for(command) if command.speed else 0.0
        curvature = math.tan(self._clamped(steering)) / self.wheelbase
        spin = command.speed / self._radius
        return Targets(
            command.speed,
            command.speed * curvature,
            tuple(spin * way for way in self._ways(curvature)),
            self.wheel_angles(curvature),
        )

    def motion(
        self, wheel_travel: Sequence[float], steering: Sequence[float]
    ) -> tuple[float, float]:
        """Return distance along the rear axle's middle and yaw change, by wheels and steering."""
        curvature = self.curvature(steering)
        distance = sum(wheel_travel) * self._radius / sum(self._ways(curvature))
        return distance, distance * curvature

    def wheel_angles(self, curvature: float) -> tuple[float, float]:
        """Return the angles of the left and right steered wheel (equations 2.2 and 2.4)."""
        # atan(L / (r -+ W)) with r = 1/curvature; atan2 also holds for a centre inside the wheel
        ahead, aside = self.wheelbase * curvature, self._half_steer * curvature
        return math.atan2(ahead, 1.0 - aside), math.atan2(ahead, 1.0 + aside)

    def curvature(self, steering: Sequence[float]) -> float:
        """Return the curvature that the angles of both steered wheels mean, as their mean."""
        left, right = steering
        a, b = math.sin(left), math.sin(right)
        by_left = a / (self.wheelbase * math.cos(left) + self._half_steer * a)
        by_right = b / (self.wheelbase * math.cos(right) - self._half_steer * b)
        return 0.5 * (by_left + by_right)

    def _angle_for(self, command: DriveCommand) -> float:
        """Return the angle at which a twist's speed gives its yaw rate (equation 2.1)."""
        return math.atan(self.wheelbase * command.yaw_rate / command.speed)

    def _clamped(self, steering: float) -> float:
        return max(-self.max_steering, min(self.max_steering, steering))

    def _ways(self, curvature: float) -> tuple[float, ...]:
        """Return how far each driven wheel rolls per metre of the base."""
        aside = self._half_drive * curvature
        rear = (1.0 - aside, 1.0 + aside)
        if len(self.driven) == 2:
            return rear
        ahead, aside = self.wheelbase * curvature, self._half_steer * curvature
        return (*rear, math.hypot(ahead, 1.0 - aside), math.hypot(ahead, 1.0 + aside))
