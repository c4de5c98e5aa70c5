"""A Kalman filter around scan registration: motion fills in what the scan cannot observe."""

import numpy as np

from outrider.autonomy.odometry.spec import MotionSpec
from outrider.autonomy.poses import from_rotation_vector
from outrider.core.frames import Array, Pose, matrix_from_quaternion, multiply, rotation_vector

# Errors, in the robot's own axes.
TURN, MOVE, SPEED, OFFSET = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)


class MotionFilter:
    """Pose, velocity and perhaps the gyroscope's offset, with the covariance of their errors."""

    def __init__(self, spec: MotionSpec, pose: Pose) -> None:
        self.spec = spec
        self.pose = pose
        self.velocity = np.zeros(3)  # m/s, in the robot's own axes
        self.gyro_offset = np.zeros(3)  # rad/s, to be taken off the gyroscope's readings
        known = [1e-6] * 6 + [1e-4] * 3
        self.covariance = np.diag(known + [spec.gyro_offset**2] * 3 * (spec.gyro_offset > 0.0))

    def predict(self, turn: Array, dt: float) -> None:
        """Predict over a time in which the gyroscope measured a rotation vector."""
        move = self.velocity * dt
        rotation = multiply(self.pose.rotation, from_rotation_vector(turn))
        self.pose = Pose(self.pose.apply(move), rotation)
        R = matrix_from_quaternion(from_rotation_vector(turn)).T  # into the new axes
        F = np.eye(len(self.covariance))
        F[TURN, TURN] = F[MOVE, MOVE] = F[SPEED, SPEED] = R
        F[MOVE, SPEED] = R * dt
        F[MOVE, TURN] = R @ -_cross(move)
        self.velocity = R @ self.velocity
        a, spec = self.spec.acceleration, self.spec
        Q = np.zeros_like(F)
        Q[TURN, TURN] = np.eye(3) * spec.gyro_noise**2 * dt
        Q[MOVE, MOVE] = np.eye(3) * (0.5 * a * dt * dt) ** 2
        Q[SPEED, SPEED] = np.eye(3) * (a * dt) ** 2
        Q[MOVE, SPEED] = Q[SPEED, MOVE] = np.eye(3) * 0.5 * a * a * dt**3
        if spec.gyro_offset > 0.0:
            F[TURN, OFFSET] = -np.eye(3) * dt
            Q[OFFSET, OFFSET] = np.eye(3) * spec.offset_drift**2 * dt
        self.covariance = F @ self.covariance @ F.T + Q

    def measure_wheels(self, speed: float) -> None:
        """Update with the wheels' forward speed; sideways and vertical speeds are nearly zero."""
        H = np.zeros((3, len(self.covariance)))
        H[:, SPEED] = np.eye(3)
        spec = self.spec
        R: Array = np.diag([spec.wheel_speed**2, spec.side_speed**2, spec.side_speed**2])
        self._update(H, np.array([speed, 0.0, 0.0]) - self.velocity, R)

    def measure_pose(self, pose: Pose, information: Array) -> None:
        """Update with a registered pose; information is about rotation, then translation."""
        off = self.pose.inverse() @ pose
        error = np.concatenate([rotation_vector(off.rotation), off.position])
        H = np.zeros((6, len(self.covariance)))
        H[:, :6] = np.eye(6)
        claimed = information * self.spec.scan_trust + np.eye(6) * 1e-3
        R = np.linalg.inv(claimed).astype(np.float64)
        self._update(H, error, R)

    def _update(self, H: Array, error: Array, R: Array) -> None:
        P = self.covariance
        gain = np.linalg.solve(H @ P @ H.T + R, H @ P).T
        step = gain @ error
        keep = np.eye(len(P)) - gain @ H
        self.covariance = keep @ P @ keep.T + gain @ R @ gain.T
        turned = multiply(self.pose.rotation, from_rotation_vector(step[TURN]))
        self.pose = Pose(self.pose.apply(step[MOVE]), turned)
        self.velocity = self.velocity + step[SPEED]
        if self.spec.gyro_offset > 0.0:
            self.gyro_offset = self.gyro_offset + step[OFFSET]


def _cross(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
