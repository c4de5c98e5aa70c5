"""The attitude that an inertial unit reports: the true one with a filter's residual errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.vector_kernels import multiply
from outrider.sensors.triad import Triad

Numbers = tuple[float, float, float, float]

_ZERO = np.zeros(3)


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

    state_fields = ("_yaw", "_tilt")

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
        self._gravity = gravity or 1.0  # without weight there is no vertical to be wrong about
        self._yaw = spec.yaw.errors(yaw, 1)
        self._tilt = spec.tilt.errors(tilt, 2)
        self.covariance = self._covariance(spec, accelerometer, rate_hz)

    def _covariance(self, spec: AttitudeSpec, accelerometer: Triad, rate_hz: float) -> Array:
        if spec.mode == "none":
            return np.array([-1.0, *np.zeros(8)])  # sensor_msgs/Imu: there is no attitude
        if spec.mode == "true":
            return np.zeros(9)
        from_bias = accelerometer.bias_sigma / self._gravity
        tilt = math.hypot(from_bias, spec.tilt.sigma(rate_hz), spec.tilt.bias_sigma)
        yaw = math.hypot(spec.yaw.sigma(rate_hz), spec.yaw.bias_sigma)
        return np.diag([tilt**2, tilt**2, yaw**2]).ravel()

    def estimate(self, rotation: Array, bias: Array | None, dt: float) -> Numbers:
        """Return the attitude as reported, given the true one and the accelerometer's bias."""
        if self.mode == "none":
            return 0.0, 0.0, 0.0, 1.0
        if self.mode == "true":
            x, y, z, w = rotation.tolist()
            return x, y, z, w
        yaw = self._yaw.apply(_ZERO[:1], dt)
        tilt = self._tilt.apply(_ZERO[:2], dt)
        lean = _ZERO if bias is None else bias / self._gravity
        return _misread(rotation, yaw[0], tilt, lean)

    def skip(self, dts: Sequence[float]) -> None:
        """Pass over estimates that nobody wants, each so many seconds after the one before."""
        if self.mode == "ahrs":
            self._yaw.skip(dts)
            self._tilt.skip(dts)


@compiled
def _misread(
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
