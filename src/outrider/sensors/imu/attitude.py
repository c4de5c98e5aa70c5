"""The attitude that an inertial unit reports: the true one with a filter's residual errors."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.vector_kernels import multiply
from outrider.sensors.triad import Triad

Numbers = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class AttitudeSpec:
    """How attitude is reported. Yaw and tilt errors are in radians."""

    mode: Literal["ahrs", "true", "none"] = "ahrs"
    yaw: Triad = field(default_factory=Triad)  # only its first axis: about the vertical
    tilt: Triad = field(default_factory=Triad)  # first two axes: about x and y of the world


class Attitude(DeclaredState):
    """Simulates the errors of a filter, without running one, like hector's pseudo-AHRS.

    A filter uses the accelerometer as its vertical reference, so an accelerometer bias tilts the
    estimate by bias over g. Yaw has no such reference and drifts independently.
    """

    state_fields = ("yaw", "tilt")

    def __init__(
        self,
        spec: AttitudeSpec,
        accelerometer: Triad,
        gravity: float,
        rate_hz: float,
        random: np.random.Generator,
    ) -> None:
        yaw, tilt = random.spawn(2)
        self.mode = spec.mode
        self.gravity = gravity or 1.0  # without weight there is no vertical to be wrong about
        self.yaw = spec.yaw.errors(yaw, 1)
        self.tilt = spec.tilt.errors(tilt, 2)
        self.covariance = self._covariance(spec, accelerometer, rate_hz)

    def _covariance(self, spec: AttitudeSpec, accelerometer: Triad, rate_hz: float) -> Array:
        if spec.mode == "none":
            return np.array([-1.0, *np.zeros(8)])  # sensor_msgs/Imu: there is no attitude
        if spec.mode == "true":
            return np.zeros(9)
        from_bias = accelerometer.bias_sigma / self.gravity
        tilt = math.hypot(from_bias, spec.tilt.sigma(rate_hz), spec.tilt.bias_sigma)
        yaw = math.hypot(spec.yaw.sigma(rate_hz), spec.yaw.bias_sigma)
        return np.diag([tilt**2, tilt**2, yaw**2]).ravel()


@compiled
def misread(
    rotation: Array, yaw: float, tilt: Array, lean: Array
) -> Numbers:  # pragma: no cover - compiled
    """Turn an attitude about the world's axes, by yaw and by tilts; ``lean`` is in its own axes."""
    qx, qy, qz, qw = rotation
    lx, ly, lz = lean
    # the part of the lean that matters, in the world: rows x and y of the rotation matrix
    east = (
        (1 - 2 * (qy * qy + qz * qz)) * lx
        + 2 * (qx * qy - qz * qw) * ly
        + 2 * (qx * qz + qy * qw) * lz
    )
    north = (
        2 * (qx * qy + qz * qw) * lx
        + (1 - 2 * (qx * qx + qz * qz)) * ly
        + 2 * (qy * qz - qx * qw) * lz
    )
    half_x, half_y = (tilt[0] + north) / 2, (tilt[1] - east) / 2
    norm = math.sqrt(1 + half_x * half_x + half_y * half_y)
    sin, cos = math.sin(yaw / 2) / norm, math.cos(yaw / 2) / norm
    turn = (cos * half_x - sin * half_y, sin * half_x + cos * half_y, sin, cos)
    return multiply(turn, rotation)
