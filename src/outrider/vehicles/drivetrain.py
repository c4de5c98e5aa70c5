"""What a drivetrain is: it turns a command into wheel speeds, and wheel travel into motion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from outrider.core.registry import Registry
from outrider.specs.robot import DrivetrainSpec
from outrider.vehicles.command import DriveCommand


@dataclass(frozen=True, slots=True)
class Targets:
    """Set points of the joints, and the planar motion of the base frame that they mean."""

    speed: float  # m/s
    yaw_rate: float  # rad/s
    wheel_speeds: tuple[float, ...]  # rad/s, in the order of `driven`
    steering: tuple[float, ...]  # rad, positive to the left, in the order of `steered`


class Drivetrain(Protocol):
    """Pure kinematics of one way to drive."""

    @property
    def driven(self) -> tuple[str, ...]:
        """The joints that have a motor."""

    @property
    def steered(self) -> tuple[str, ...]:
        """The joints that have a steering servo."""

    def resolve(self, command: DriveCommand, last: DriveCommand) -> DriveCommand:
        """Fix what limits on speed must not change, given the last result: a car's steering."""

    def targets(self, command: DriveCommand) -> Targets:
        """Return the set points for a command."""

    def motion(
        self, wheel_travel: Sequence[float], steering: Sequence[float]
    ) -> tuple[float, float]:
        """Return distance (m) and yaw change (rad) of the base for wheel rotations (rad)."""


DRIVETRAINS = Registry(
    "drivetrain",
    {
        "ackermann": "outrider.vehicles.ackermann:Ackermann",
        "differential": "outrider.vehicles.differential:Differential",
        "tracked": "outrider.vehicles.tracked:Tracked",
    },
)


def make_drivetrain(spec: DrivetrainSpec) -> Drivetrain:
    """Return the drivetrain that a robot's file describes."""
    drivetrain: Drivetrain = DRIVETRAINS.load(spec.type)(spec)
    return drivetrain
