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


def effective_track(
    axles: Sequence[float], track: float, centre_of_mass: float | None = None
) -> float:
    """Return (right - left speed) / yaw rate of a turn on the spot; ``axles`` are the wheels' x.

    All wheels of a side roll at one speed, so those ahead of and behind the turn's centre skid
    sideways, and friction turns their forces against the slip. With x from that centre, their
    loads N, half the track b, the lateral ratio of friction k, and r what the effective half track
    has beyond b, the sums over the wheels of N x / sqrt(r^2 + x^2) and of
    N (b r - k x^2) / sqrt(r^2 + x^2) are zero. Two axles at a distance a from a centre of mass in
    their middle give r = k a^2 / b (docs/tyres.md); elsewhere it turns about a point nearer to the
    heavier axle, and more easily.
    """
    half, loads = track / 2, _loads(axles, centre_of_mass)
    low, high = 0.0, _LATERAL_RATIO * (max(axles) - min(axles)) ** 2 / half
    for _ in range(60):
        extra = (low + high) / 2
        if _yaw_moment(extra, half, axles, loads) < 0.0:
            low = extra
        else:
            high = extra
    return 2 * (half + high)


def _loads(axles: Sequence[float], centre_of_mass: float | None) -> list[float]:
    """Return the share of the weight on each wheel, as tyres of one stiffness carry it."""
    middle = sum(axles) / len(axles)
    spread = sum((x - middle) ** 2 for x in axles)
    off = 0.0 if centre_of_mass is None or not spread else (centre_of_mass - middle) / spread
    return [max(1 / len(axles) + off * (x - middle), 0.0) for x in axles]


def _yaw_moment(extra: float, half: float, axles: Sequence[float], loads: Sequence[float]) -> float:
    centre = _turn_centre(extra, axles, loads)
    return sum(
        load * (half * extra - _LATERAL_RATIO * square) / math.sqrt(extra**2 + square)
        for load, square in zip(loads, ((x - centre) ** 2 for x in axles), strict=True)
        if extra or square
    )


def _turn_centre(extra: float, axles: Sequence[float], loads: Sequence[float]) -> float:
    """Return the x at which the sideways forces of the wheels cancel out."""
    low, high = min(axles), max(axles)
    for _ in range(60):
        centre = (low + high) / 2
        if _side_force(extra, centre, axles, loads) > 0.0:
            low = centre
        else:
            high = centre
    return (low + high) / 2


def _side_force(
    extra: float, centre: float, axles: Sequence[float], loads: Sequence[float]
) -> float:
    slips = ((load, x - centre) for load, x in zip(loads, axles, strict=True))
    return sum(load * x / math.hypot(extra, x) for load, x in slips if extra or x)


def rounded(value: float, digits: int = 3) -> float:
    """Return a figure as a person would write it down."""
    return float(f"{value:.{digits}g}")
