"""Parts of a robot's YAML file that are independent of its drivetrain."""

from dataclasses import dataclass

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class TyreSpec:
    """A tyre; radius and width of zero are taken from the wheel's collision cylinder."""

    radius: float = number(0.0, least=0.0, most=10.0)  # m
    width: float = number(0.0, least=0.0, most=10.0)  # m
    stiffness: float = number(4e4, above=0.0)  # N/m, radial
    damping: float = number(500.0, least=0.0)  # N s/m, radial
    bristle_stiffness: float = number(8e4, above=0.0)  # N/m of shear, along the ground
    bristle_damping: float = number(500.0, least=0.0)  # N s/m
    relaxation_length: float = number(0.08, above=0.0)  # m of rolling over which shear relaxes
    friction: float = number(1.0, least=0.0)  # times the ground's
    rolling_resistance: float = number(1.0, least=0.0)  # times the ground's


@dataclass(frozen=True, slots=True)
class MotorSpec:
    """A motor with its gear and speed controller; all values are at the output shaft."""

    power_w: float = number(100.0, above=0.0)
    torque_nm: float = number(20.0, above=0.0)
    gain: float = number(20.0, above=0.0)  # N m per rad/s of speed error
    integral: float = number(200.0, least=0.0)  # N m per rad of accumulated error
    time_constant_s: float = number(0.0, least=0.0, most=10.0)  # lag of the speed set point
    resistance_nm: float = number(0.0, least=0.0)  # friction when back-driven
    brake_nm: float = number(0.0, least=0.0)  # parking brake; 0: none
    inertia: float = number(0.0, least=0.0)  # kg m^2 of rotor times gear squared


@dataclass(frozen=True, slots=True)
class SuspensionSpec:
    """A spring and damper between chassis and wheel, along the chassis' z axis."""

    stiffness: float = number(above=0.0)  # N/m
    damping: float = number(least=0.0)  # N s/m
    travel: float = number(above=0.0, most=2.0)  # m, from full droop to the stop
    preload: float = number(0.0, least=0.0)  # N at full droop


@dataclass(frozen=True, slots=True)
class CastorSpec:
    """A ball or swivel castor: a sphere of its link that slides in any direction."""

    link: str
    radius: float = number(above=0.0)  # m
    friction: float = number(0.05, least=0.0)  # times the ground's


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the command, as in diff_drive_controller; zero means none."""

    speed: float = number(0.0, least=0.0)  # m/s
    acceleration: float = number(0.0, least=0.0)  # m/s^2
    yaw_rate: float = number(0.0, least=0.0)  # rad/s
    yaw_acceleration: float = number(0.0, least=0.0)  # rad/s^2


@dataclass(frozen=True, slots=True)
class OdometrySpec:
    """The errors that the wheel odometry reports for itself."""

    frame: str = "odom"
    child_frame: str = "base_link"
    publish_tf: bool = True
    # variances of x, y, z, roll, pitch, yaw
    pose_covariance: tuple[float, float, float, float, float, float] = (0.001,) * 5 + (0.03,)
    # variances of velocities along and about x, y, z
    twist_covariance: tuple[float, float, float, float, float, float] = (0.001,) * 5 + (0.03,)
