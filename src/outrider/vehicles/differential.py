"""Two sides at different speeds: differential drive and skid steering."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from outrider.core.errors import ConfigError
from outrider.core.structure import number
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.drivetrain import Drivetrain, DrivetrainSpec, Targets


class TwoSides(Drivetrain):
    """The kinematics that wheels and belts on two sides share; each side has its own radius."""

    def __init__(
        self,
        joints: tuple[tuple[str, ...], tuple[str, ...]],
        radii: tuple[float, float],
        track: float,
    ) -> None:
        """Take left and right joints, left and right radius, and the effective track."""
        self._left, self._right = len(joints[0]), len(joints[1])
        self._radii = radii
        self._track = track
        self.driven = joints[0] + joints[1]

    def targets(self, command: DriveCommand) -> Targets:
        """Return the wheel speeds for v -+ omega tau/2."""
        speed, yaw_rate = command.speed, command.yaw_rate
        turn = 0.5 * yaw_rate * self._track
        left, right = (speed - turn) / self._radii[0], (speed + turn) / self._radii[1]
        return Targets(speed, yaw_rate, (left,) * self._left + (right,) * self._right, ())

    def motion(
        self,
        wheel_travel: Sequence[float],
        _steering: Sequence[float],
    ) -> tuple[float, float]:
        """Return distance and yaw change from the mean travel of each side."""
        left = sum(wheel_travel[: self._left]) / self._left * self._radii[0]
        right = sum(wheel_travel[self._left :]) / self._right * self._radii[1]
        return 0.5 * (left + right), (right - left) / self._track


@dataclass(frozen=True, slots=True)
class DifferentialSpec(DrivetrainSpec):
    """Wheels on two sides, steered by their difference in speed (also skid steering)."""

    type: Literal["differential"] = "differential"
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    track: float = number(1.0, above=0.0)
    track_multiplier: float = number(1.0, above=0.0)  # effective over geometric track
    wheel_radius: float = number(0.1, above=0.0)

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The driven joints on the left and on the right."""
        return self.left, self.right

    def with_wheels(
        self, left: tuple[str, ...], right: tuple[str, ...], track: float | None = None
    ) -> Self:
        """Return it with other wheels, and another track if one is given."""
        return replace(self, left=left, right=right, track=track or self.track)


class Differential(TwoSides):
    """Wheels on two sides."""

    Spec: ClassVar[type[DrivetrainSpec]] = DifferentialSpec

    def __init__(self, spec: DifferentialSpec) -> None:
        """Take the robot's figures; the track is the effective one, wider when wheels skid."""
        if not spec.left or not spec.right:
            raise ConfigError("a differential drivetrain needs joints under both left and right")
        radii = (spec.wheel_radius, spec.wheel_radius)
        super().__init__((spec.left, spec.right), radii, spec.track * spec.track_multiplier)
