"""An extended Kalman filter of a ground robot: position, heading, speed and gyroscope bias."""

import math

import numpy as np

from outrider.autonomy.odometry.spec import FilterSpec
from outrider.core.frames import Array

X, Y, Z, YAW, SPEED, OFFSET = range(6)


class PlanarFilter:
    """State x y z yaw speed bias; roll and pitch are given."""

    def __init__(self, spec: FilterSpec, start: Array | None = None) -> None:
        """``start`` is x, y, z and yaw."""
        self.spec = spec
        self.state = np.zeros(6)
        if start is not None:
            self.state[:4] = start
        self.covariance = np.diag([0.0, 0.0, 0.0, 0.0, 1e-4, spec.first_offset**2])

    def predict(self, yaw_rate: float, roll: float, pitch: float, dt: float) -> None:
        """Predict over a short time; ``yaw_rate`` is the gyroscope's about the vertical."""
        del roll
        x, spec = self.state, self.spec
        middle = x[YAW] + 0.5 * (yaw_rate - x[OFFSET]) * dt
        cos, sin = math.cos(middle), math.sin(middle)
        ahead, up = math.cos(pitch), -math.sin(pitch)
        way = x[SPEED] * dt
        F = np.eye(6)
        F[X, YAW], F[X, SPEED] = -way * ahead * sin, ahead * cos * dt
        F[Y, YAW], F[Y, SPEED] = way * ahead * cos, ahead * sin * dt
        F[Z, SPEED] = up * dt
        F[YAW, OFFSET] = -dt
        x[X] += way * ahead * cos
        x[Y] += way * ahead * sin
        x[Z] += way * up
        x[YAW] = math.remainder(x[YAW] + (yaw_rate - x[OFFSET]) * dt, 2 * math.pi)
        moving = spec.side_slip**2 * dt * min(1.0, abs(x[SPEED]) / 0.1)
        Q = np.diag(
            [
                moving,
                moving,
                moving,
                (spec.gyro_noise * dt) ** 2,
                spec.acceleration**2 * dt,
                spec.gyro_drift**2 * dt,
            ]
        )
        self.covariance = F @ self.covariance @ F.T + Q

    def measure_speed(self, speed: float) -> None:
        """Update with the wheels' speed."""
        self._update(SPEED, speed - self.state[SPEED], self.spec.wheel_speed**2)

    def measure_heading(self, yaw: float) -> None:
        """Update with a heading from an attitude estimate."""
        error = math.remainder(yaw - self.state[YAW], 2 * math.pi)
        self._update(YAW, error, self.spec.heading**2)

    def measure_rest(self, yaw_rate: float) -> None:
        """Update with a gyroscope reading at rest: it is the bias."""
        self._update(OFFSET, yaw_rate - self.state[OFFSET], self.spec.gyro_noise**2)

    def _update(self, row: int, error: float, variance: float) -> None:
        P = self.covariance
        gain = P[:, row] / (P[row, row] + variance)
        self.state += gain * error
        self.state[YAW] = math.remainder(self.state[YAW], 2 * math.pi)
        keep = np.eye(6)
        keep[:, row] -= gain
        self.covariance = keep @ P @ keep.T + np.outer(gain, gain) * variance
