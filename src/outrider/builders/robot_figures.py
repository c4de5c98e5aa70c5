"""Figures that a robot built in Python gets where its maker says nothing: from mass and wheels."""

import math
from collections.abc import Sequence

from outrider.builders.robot_model import steering_joint, wheelbase
from outrider.builders.robot_parts import Castor, Wheel
from outrider.core.errors import ConfigError
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.differential import DifferentialSpec
from outrider.vehicles.drivetrain import DrivetrainSpec
from outrider.vehicles.spec import CastorSpec, Limits, MotorSpec, TyreSpec

_GRAVITY = 9.81
_SPEED = 2.0  # m/s that motors are strong enough for
_SAG = 0.002  # m that a tyre gives under its load, at most a twentieth of its radius
_DAMPING_RATIO = 0.25
_LATERAL_RATIO = 0.8  # of grip sideways to along: what most grounds have


def tyre_for(mass: float, wheels: Sequence[Wheel], castors: Sequence[Castor]) -> TyreSpec:
    """Return a tyre that gives some millimetres and does not bounce."""
    share = mass / (len(wheels) + len(castors))
    radius = min(wheel.radius for wheel in wheels)
    stiffness = share * _GRAVITY / min(_SAG, radius / 20)
    return TyreSpec(
        stiffness=_rounded(stiffness),
        damping=_rounded(2 * _DAMPING_RATIO * math.sqrt(stiffness * share)),
        bristle_stiffness=_rounded(2 * stiffness),
        bristle_damping=_rounded(2 * _DAMPING_RATIO * math.sqrt(2 * stiffness * share)),
        relaxation_length=_rounded(radius / 2),
    )


def motor_for(mass: float, wheels: Sequence[Wheel]) -> MotorSpec:
    """Return a motor twice as strong as what a wheel can put on dry ground."""
    driven = [wheel for wheel in wheels if wheel.driven]
    radius = driven[0].radius
    grip = 0.8 * mass * _GRAVITY * radius / len(driven)
    spin = 0.5 * driven[0].mass * radius**2
    return MotorSpec(
        power_w=_rounded(grip * _SPEED / radius),
        torque_nm=_rounded(2 * grip),
        gain=_rounded(2.4 * grip),
        integral=_rounded(24 * grip),
        time_constant_s=0.05,
        brake_nm=_rounded(grip),
        inertia=_rounded(10 * spin),  # rotor times gear squared is some ten wheels' worth
    )


def steering_motor_for(mass: float, wheels: Sequence[Wheel]) -> MotorSpec:
    """Return a servo that turns a wheel on the spot."""
    steered = [wheel for wheel in wheels if wheel.steering is not None]
    load = mass * _GRAVITY / len(wheels)
    torque = max(load * (steered[0].width if steered else 0.05), 0.5)
    inertia = max(1e-3, 0.1 * (steered[0].mass if steered else 1.0) * 0.01)
    return MotorSpec(
        power_w=_rounded(20 * torque),
        torque_nm=_rounded(2 * torque),
        gain=_rounded(10 * torque),
        integral=0.0,
        inertia=_rounded(inertia),
    )


def limits_for(steers: bool) -> Limits:
    """Return limits of the command that the motors can follow; a car has none of its yaw rate."""
    if steers:
        return Limits(speed=_SPEED, acceleration=4.0)
    return Limits(speed=_SPEED, acceleration=4.0, yaw_rate=3.0, yaw_acceleration=10.0)


def drivetrain_for(name: str, wheels: Sequence[Wheel]) -> DrivetrainSpec:
    """Return how the wheels drive: as a car if some are steered, else by their two sides."""
    driven = [wheel for wheel in wheels if wheel.driven]
    if not driven:
        raise ConfigError(f"robot '{name}': no wheel is driven")
    if any(wheel.steering is not None for wheel in wheels):
        return _car(name, wheels, driven)
    left = [wheel for wheel in driven if wheel.pose.y > 0]
    right = [wheel for wheel in driven if wheel.pose.y < 0]
    if not left or not right:
        raise ConfigError(f"robot '{name}': driven wheels are needed left (y > 0) and right")
    track = _mean_y(left) - _mean_y(right)
    rear, front = wheelbase(driven)
    # four wheels turn by skidding: (1 + k a^2 / b^2) of the geometric track
    skid = 1 + _LATERAL_RATIO * ((front - rear) / track) ** 2
    return DifferentialSpec(
        left=tuple(w.name for w in left),
        right=tuple(w.name for w in right),
        track=_rounded(track, 9),
        track_multiplier=_rounded(skid),
        wheel_radius=driven[0].radius,
    )


def castors_of(castors: Sequence[Castor]) -> tuple[CastorSpec, ...]:
    """Return the castors as a robot's file has them."""
    return tuple(CastorSpec(c.name, c.radius, c.friction) for c in castors)


def _car(name: str, wheels: Sequence[Wheel], driven: Sequence[Wheel]) -> AckermannSpec:
    steered = sorted((w for w in wheels if w.steering is not None), key=lambda w: -w.pose.y)
    rear = sorted((w for w in wheels if w.steering is None), key=lambda w: -w.pose.y)
    if len(steered) != 2 or len(rear) != 2 or steered[0].pose.x <= rear[0].pose.x:
        raise ConfigError(f"robot '{name}': a car has two steered wheels in front, two others")
    # the drivetrain's order: rear left, rear right, then front left, front right
    order = [w for w in (*rear, *steered) if w in driven]
    if len(order) == 2 and order != rear:
        raise ConfigError(f"robot '{name}': a car drives its rear wheels, or all four")
    steering = steered[0].steering
    assert steering is not None
    return AckermannSpec(
        driven=tuple(w.name for w in order),
        steer_left=steering_joint(steered[0]),
        steer_right=steering_joint(steered[1]),
        wheelbase=_rounded(steered[0].pose.x - rear[0].pose.x, 9),
        steer_track=_rounded(steered[0].pose.y - steered[1].pose.y, 9),
        drive_track=_rounded(rear[0].pose.y - rear[1].pose.y, 9),
        wheel_radius=rear[0].radius,
        max_steering_rad=_rounded(math.radians(steering.max_deg), 9),
        steering_rate=_rounded(math.radians(steering.rate_deg_s)),
    )


def _mean_y(wheels: Sequence[Wheel]) -> float:
    return sum(wheel.pose.y for wheel in wheels) / len(wheels)


def _rounded(value: float, digits: int = 3) -> float:
    """Return a figure as a person would write it down."""
    return float(f"{value:.{digits}g}")
