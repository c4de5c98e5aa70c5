"""A robot's YAML file: drivetrain, tyres, motors and topic names."""

from dataclasses import dataclass, field
from typing import Annotated

from outrider.core.structure import ByType, Data, number
from outrider.specs.robot import (
    CastorSpec,
    Limits,
    MotorSpec,
    OdometrySpec,
    SuspensionSpec,
    TyreSpec,
)
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.drivetrain import DRIVETRAINS, DrivetrainSpec, spec_class
from outrider.world.model import Light

_SERVO = MotorSpec(power_w=20, torque_nm=2.0, gain=1.0, integral=0.0)


@dataclass(frozen=True, slots=True)
class RobotSpec:
    """One robot of the library or of a user."""

    name: str
    urdf: str
    drivetrain: Annotated[DrivetrainSpec, ByType(DRIVETRAINS, spec_class)]
    description: str = ""
    tyre: TyreSpec = field(default_factory=TyreSpec)
    motor: MotorSpec = field(default_factory=MotorSpec)
    steering_motor: MotorSpec = field(default_factory=lambda: _SERVO)
    idle_wheels: tuple[str, ...] = ()
    castors: tuple[CastorSpec, ...] = ()
    suspension: dict[str, SuspensionSpec] = field(default_factory=dict)  # wheel joint -> strut
    limits: Limits = field(default_factory=Limits)
    command_timeout_s: float = number(0.5, least=0.0, most=1e6)
    odometry: OdometrySpec = field(default_factory=OdometrySpec)
    sensors: tuple[SensorEntry, ...] = ()
    topics: dict[str, str] = field(default_factory=dict)  # key of the topic table -> name
    rates: dict[str, float] = field(default_factory=dict)  # key of the topic table -> Hz
    lamps: tuple[Light, ...] = ()  # on its links; without a link, on its base
    components: tuple[Data, ...] = ()  # names are the robot's own; see docs/components.md
