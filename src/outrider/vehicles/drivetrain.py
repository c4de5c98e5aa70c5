"""The protocol of a drivetrain: commands to wheel speeds, and wheel travel to motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, cast

from outrider.core.errors import ConfigError
from outrider.core.registry import Registry
from outrider.vehicles.belt import TrackSpec
from outrider.vehicles.command import DriveCommand

DRIVETRAINS = Registry(
    "drivetrain",
    {
        "ackermann": "outrider.vehicles.ackermann:Ackermann",
        "differential": "outrider.vehicles.differential:Differential",
        "tracked": "outrider.vehicles.tracked:Tracked",
    },
)


class DrivetrainSpec:
    """The keys of a drivetrain in the robot file: a frozen dataclass of each drivetrain."""

    __slots__ = ()

    type: str  # its name in the registry, as a Literal with that default

    def at_home(self, folder: Path) -> Self:  # noqa: ARG002 - most name no files
        """Return it with absolute paths of its files in the robot's folder."""
        return self

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The driven joints on the left and on the right, if wheels can be added to them."""
        return None

    def with_wheels(
        self,
        left: tuple[str, ...],  # noqa: ARG002 - here and below: only for those that have sides
        right: tuple[str, ...],  # noqa: ARG002
        track: float | None = None,  # noqa: ARG002
    ) -> Self:
        """Return it with other driven joints on its sides, and another track if one is given."""
        raise ConfigError(f"only a differential drive takes other driven wheels, not {self.type}")

    def with_curves(self, curves: Mapping[str, str]) -> Self:  # noqa: ARG002 - only cars have some
        """Return it with further commands, or with other curves for those that it takes."""
        raise ConfigError(f"only an ackermann drivetrain takes commands by curves, not {self.type}")


@dataclass(frozen=True, slots=True)
class Targets:
    """Set points of the joints, and the corresponding planar motion of the base frame."""

    speed: float  # m/s
    yaw_rate: float  # rad/s
    wheel_speeds: tuple[float, ...]  # rad/s, in the order of `driven`
    steering: tuple[float, ...]  # rad, positive to the left, in the order of `steered`


class Drivetrain(Protocol):
    """The pure kinematics of a drivetrain. Members with a value are defaults; inherit them."""

    driven: tuple[str, ...]  # the joints that have a motor
    steered: tuple[str, ...] = ()  # the joints that have a steering servo
    steering_rate: float = 0.0  # the fastest that those turn, rad/s
    max_steering: float = 0.0  # the largest steering angle, rad; 0: it is commanded by yaw rates
    pivots: bool = True  # whether it turns on the spot
    belts: tuple[TrackSpec, ...] = ()  # what it drives on instead of wheels
    curves: Mapping[str, str] = {}  # further command topics, and the curve files they go through

    def resolve(self, command: DriveCommand, last: DriveCommand) -> DriveCommand:  # noqa: ARG002
        """Fix what limits on speed must not change, given the last result: a car's steering."""
        return command

    def targets(self, command: DriveCommand) -> Targets:
        """Return the set points for a command."""

    def motion(
        self, wheel_travel: Sequence[float], steering: Sequence[float]
    ) -> tuple[float, float]:
        """Return distance (m) and yaw change (rad) of the base for wheel rotations (rad)."""


class DrivetrainClass(Protocol):
    """What a drivetrain class must declare."""

    Spec: ClassVar[type[DrivetrainSpec]]  # what a robot's file may say of it

    def __call__(self, spec: Any) -> Drivetrain:
        """Make one from its spec."""


def spec_class(name: str) -> type[DrivetrainSpec]:
    """Return the class of a drivetrain's section in the robot file."""
    return cast(DrivetrainClass, DRIVETRAINS.load(name)).Spec


def make_drivetrain(spec: DrivetrainSpec) -> Drivetrain:
    """Return the drivetrain of a robot file."""
    return cast(DrivetrainClass, DRIVETRAINS.load(spec.type))(spec)
