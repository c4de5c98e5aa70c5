"""Default parameters of a robot built in Python, from its mass and wheels."""

import math
from collections.abc import Sequence

from outrider.builders.robot_model import steering_joint
from outrider.builders.robot_parts import Castor, Wheel
from outrider.core.errors import ConfigError
from outrider.specs.robot import CastorSpec, Limits, MotorSpec, TyreSpec
from outrider.specs.robot_figures import (
    effective_track,
    motor_figures,
    rounded,
    steering_motor_figures,
    tyre_figures,
)
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.differential import DifferentialSpec
from outrider.vehicles.drivetrain import DrivetrainSpec

_SPEED = 2.0  # m/s


def tyre_for(mass: float, wheels: Sequence[Wheel], castors: Sequence[Castor]) -> TyreSpec:
    """Return a tyre for the smallest wheel under its share of the weight."""
    load = mass / (len(wheels) + len(castors))
    return tyre_figures(load, min(wheel.radius for wheel in wheels))


def motor_for(mass: float, wheels: Sequence[Wheel]) -> MotorSpec:
    """Return a motor of a driven wheel, as if the driven wheels carried all."""
    driven = [wheel for wheel in wheels if wheel.driven]
    return motor_figures(mass / len(driven), driven[0].radius)


def steering_motor_for(mass: float, wheels: Sequence[Wheel]) -> MotorSpec:
    """Return the servo of a steered wheel."""
    steered = next(wheel for wheel in wheels if wheel.steering is not None)
    return steering_motor_figures(mass / len(wheels), steered.width, steered.mass)


def limits_for(steers: bool) -> Limits:
    """Return command limits that the motors can follow; a car has no yaw rate limit."""
    if steers:
        return Limits(speed=_SPEED, acceleration=4.0)
    return Limits(speed=_SPEED, acceleration=4.0, yaw_rate=3.0, yaw_acceleration=10.0)


def drivetrain_for(name: str, wheels: Sequence[Wheel]) -> DrivetrainSpec:
    """Return the drivetrain: a car if wheels are steered, otherwise differential."""
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
    skid = effective_track([wheel.pose.x for wheel in driven], track) / track
    return DifferentialSpec(
        left=tuple(w.name for w in left),
        right=tuple(w.name for w in right),
        track=rounded(track, 9),
        track_multiplier=rounded(skid, 4),
        wheel_radius=driven[0].radius,
    )


def castors_of(castors: Sequence[Castor]) -> tuple[CastorSpec, ...]:
    """Return the castors as in a robot file."""
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
        wheelbase=rounded(steered[0].pose.x - rear[0].pose.x, 9),
        steer_track=rounded(steered[0].pose.y - steered[1].pose.y, 9),
        drive_track=rounded(rear[0].pose.y - rear[1].pose.y, 9),
        wheel_radius=rear[0].radius,
        max_steering_rad=rounded(math.radians(steering.max_deg), 9),
        steering_rate=rounded(math.radians(steering.rate_deg_s)),
    )


def _mean_y(wheels: Sequence[Wheel]) -> float:
    return sum(wheel.pose.y for wheel in wheels) / len(wheels)
