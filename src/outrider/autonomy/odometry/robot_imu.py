"""An IMU on a robot: rotation between two times, and the level after a moment at rest."""

import math

import numpy as np

from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import WarningLog
from outrider.autonomy.odometry.gyro_track import GyroTrack
from outrider.autonomy.odometry.spec import StandstillSpec
from outrider.autonomy.odometry.standstill import RestReadings, Standstill
from outrider.core.frames import Pose, matrix_from_quaternion, yaw_of
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Imu


class RobotImu:
    """Reads an IMU in the robot's axes, and reports readings that cannot be used."""

    def __init__(self, tree: StaticFrames, warnings: WarningLog, spec: StandstillSpec) -> None:
        self.gyro = GyroTrack()
        self._tree = tree
        self._warnings = warnings
        self._standstill = Standstill(spec)
        self._rest: RestReadings | None = None

    def take(self, message: Imu) -> int | None:
        """Add a reading; return its time, or None if it cannot be used."""
        frame = message.header.frame_id
        T = self._tree.T_base(frame)
        if T is None:
            self._warnings.say("imu frame", f"/tf_static has no frame '{frame}'")
            return None
        a, w = message.linear_acceleration, message.angular_velocity
        R = matrix_from_quaternion(T.rotation)
        accel, gyro = R @ np.array([a.x, a.y, a.z]), R @ np.array([w.x, w.y, w.z])
        if not (np.isfinite(accel).all() and np.isfinite(gyro).all()):
            self._warnings.say("imu", "an inertial reading is not a number; left out")
            return None
        now_ns = stamp_ns(message)
        self.gyro.take(now_ns, gyro)
        if self._rest is None:
            self._rest = self._standstill.take(now_ns, accel, gyro)
            self._learn(self._rest)
        return now_ns

    def level(self, start: Pose) -> Pose | None:
        """Return a pose with the tilt given by gravity, once the robot has been at rest."""
        if self._rest is None:
            return None
        ax, ay, az = self._rest.acceleration.tolist()
        roll, pitch = math.atan2(ay, az), math.atan2(-ax, math.hypot(ay, az))
        return Pose.from_rpy(start.position, [roll, pitch, yaw_of(start.rotation)])

    def _learn(self, rest: RestReadings | None) -> None:
        if rest is None:
            return
        if rest.sure:
            self.gyro.offset = rest.angular_velocity
        else:
            self._warnings.say("start", "the robot did not stand still: a less accurate start")
