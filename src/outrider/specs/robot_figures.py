"""Default parameters of a robot of which only sizes and masses are known: imported or built.

The rules are those that the library's Jackal and Husky follow (their files give the sources).
"""

import math
from collections.abc import Sequence

from outrider.specs.robot import MotorSpec, TyreSpec

_GRAVITY = 9.81
_GRIP = 0.8  # friction of dry rubber on concrete
_SAG = 0.015  # of the radius, under the wheel's load: Jackal 1.5 %, Husky 1.7 %
_DAMPING_RATIO = 0.25
_POWER_PER_KG = 27.0  # W: 500 W on a Jackal of 18.4 kg
_LATERAL_RATIO = 1.0  # of friction across to along the wheel, as concrete has it


def tyre_figures(load_kg: float, radius: float) -> TyreSpec:
    """Return a tyre that gives some millimetres under its load and does not bounce."""
    stiffness = load_kg * _GRAVITY / (_SAG * radius)
    return TyreSpec(
        stiffness=rounded(stiffness),
        damping=rounded(2 * _DAMPING_RATIO * math.sqrt(stiffness * load_kg)),
        bristle_stiffness=rounded(2 * stiffness),
        bristle_damping=rounded(2 * _DAMPING_RATIO * math.sqrt(2 * stiffness * load_kg)),
        relaxation_length=rounded(radius / 2),
    )


def motor_figures(load_kg: float, radius: float, torque_nm: float = 0.0) -> MotorSpec:
    """Return a motor twice as strong as the traction of its wheel on dry ground, or as given."""
    torque = torque_nm or 2 * _GRIP * load_kg * _GRAVITY * radius
    return MotorSpec(
        power_w=rounded(max(_POWER_PER_KG * load_kg, 1.0)),
        torque_nm=rounded(torque),
        gain=rounded(1.2 * torque),
        integral=rounded(12 * torque),
        time_constant_s=0.05,
        brake_nm=rounded(torque / 2),
        inertia=rounded(load_kg * radius**2 / 2),  # rotor times gear squared, some ten wheels'
    )


def steering_motor_figures(load_kg: float, width: float, wheel_kg: float) -> MotorSpec:
    """Return a servo that can steer a wheel of a stationary car."""
    torque = max(load_kg * _GRAVITY * width, 0.5)
    return MotorSpec(
        power_w=rounded(20 * torque),
        torque_nm=rounded(2 * torque),
        gain=rounded(10 * torque),
        integral=0.0,
        inertia=rounded(max(1e-3, 1e-3 * wheel_kg)),
    )


def effective_track(axles: Sequence[float], track: float) -> float:
    """Return (right - left speed) / yaw rate of a turn on the spot; ``axles`` are the wheels' x.

    All wheels of a side roll at one speed, so those ahead of and behind the centre skid sideways,
    and friction turns their forces against the slip. The yaw moments balance where the sum over
    the wheels of (b r - k x^2) / sqrt(r^2 + x^2) is zero, with b half the track, k the lateral
    ratio of friction and r what the effective half track has beyond b. Two axles at a distance a
    from the centre give r = k a^2 / b (docs/tyres.md).
    """
    half, centre = track / 2, sum(axles) / len(axles)
    squares = [(x - centre) ** 2 for x in axles]
    low, high = 0.0, _LATERAL_RATIO * max(squares) / half
    for _ in range(60):
        extra = (low + high) / 2
        if _yaw_moment(extra, half, squares) < 0.0:
            low = extra
        else:
            high = extra
    return 2 * (half + high)


def _yaw_moment(extra: float, half: float, squares: Sequence[float]) -> float:
    return sum(
        (half * extra - _LATERAL_RATIO * square) / math.sqrt(extra**2 + square)
        for square in squares
        if extra or square
    )


def rounded(value: float, digits: int = 3) -> float:
    """Return a figure as a person would write it down."""
    return float(f"{value:.{digits}g}")
