"""Wheel and IMU odometry: wheel speed and gyroscope, fused by a Kalman filter."""

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.odometry.planar_filter import SPEED, PlanarFilter
from outrider.autonomy.odometry.spec import WheelImuSpec
from outrider.autonomy.poses import odometry_message, transform_message
from outrider.autonomy.stamps import StampOrder
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Pose, matrix_from_quaternion, yaw_of
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Imu, Message, Odometry


class WheelImuOdometry(Silent):
    """Publishes at the rate of the IMU."""

    name = "wheel and imu odometry"
    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "wheels", "imu")
    outputs: ClassVar[Mapping[str, str]] = ports("tf", "odometry")

    def __init__(
        self, spec: WheelImuSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is the initial pose."""
        start = T_odom_start or Pose()
        yaw = yaw_of(start.rotation)
        self._spec = spec
        self._frames = frames
        self._warnings = WarningLog(self.name)
        self._tree = StaticFrames(frames[1])
        self._filter = PlanarFilter(spec.filter, np.array([*start.position, yaw]))
        self._start_yaw = yaw
        self._first_heading: float | None = None
        self._order = StampOrder(spec.longest_gap_s)
        self._last_ns: int | None = None
        self._rest_since_ns: int | None = None
        self._wheels_ns: int | None = None
        self.health = Health("starting", "waiting for wheels and IMU")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, wheel speeds and IMU readings."""
        if port == "tf_static":
            self._tree.take(message)
        elif port == "wheels":
            self._take_wheels(message)
        elif port == "imu":
            return self._take_imu(message)
        return ()

    def _take_wheels(self, message: Odometry) -> None:
        speed = float(message.twist.twist.linear.x)
        if not math.isfinite(speed):
            self._warnings.say("wheels", "a wheel speed is not a number; left out")
            return
        now_ns = stamp_ns(message)
        self._wheels_ns = now_ns
        self._filter.measure_speed(speed)
        turning = abs(float(message.twist.twist.angular.z)) > 1e-3
        if abs(speed) > 1e-3 or turning:
            self._rest_since_ns = None
        elif self._rest_since_ns is None:
            self._rest_since_ns = now_ns

    def _take_imu(self, message: Imu) -> Iterable[Output]:
        now_ns = stamp_ns(message)
        T = self._tree.T_base(message.header.frame_id)
        if T is None:
            frame = message.header.frame_id
            self._warnings.say("frame", f"/tf_static has no frame '{frame}'")
            return ()
        w, q = message.angular_velocity, message.orientation
        turn = matrix_from_quaternion(T.rotation) @ np.array([w.x, w.y, w.z])
        attitude = np.array([q.x, q.y, q.z, q.w])
        if not (np.isfinite(turn).all() and np.isfinite(attitude).all()):
            self._warnings.say("imu", "an inertial reading is not a number; left out")
            return ()
        if self._order.jump(now_ns):
            self._warnings.say("jump", "IMU readings jumped in time: the gap is not counted")
            self._last_ns = None
        return self._advance(now_ns, turn, self._attitude(message, T))

    def _attitude(self, message: Imu, T_base_imu: Pose) -> Pose | None:
        q = message.orientation
        told = float(message.orientation_covariance[0]) != -1.0
        if not told or abs(q.x) + abs(q.y) + abs(q.z) + abs(q.w) < 0.5:
            return None
        return Pose(rotation=np.array([q.x, q.y, q.z, q.w])) @ Pose(
            rotation=T_base_imu.inverse().rotation
        )

    def _advance(self, now_ns: int, turn: np.ndarray, attitude: Pose | None) -> Iterable[Output]:
        last, self._last_ns = self._last_ns, now_ns
        roll, pitch, heading = (0.0, 0.0, None) if attitude is None else attitude.rpy.tolist()
        yaw_rate = (math.sin(roll) * turn[1] + math.cos(roll) * turn[2]) / max(0.1, math.cos(pitch))
        if last is None or self._wheels_ns is None:
            return ()
        self._filter.predict(yaw_rate, roll, pitch, (now_ns - last) / NS_PER_S)
        rest = self._rest_since_ns
        if rest is not None and now_ns - rest > self._spec.rest_s * NS_PER_S:
            self._filter.measure_rest(yaw_rate)
        if self._spec.heading and heading is not None:
            self._heading(heading)
        stale = now_ns - self._wheels_ns > self._spec.longest_gap_s * NS_PER_S
        self.health = Health("poor", "no wheel odometry arrives") if stale else GOOD
        return self._say(now_ns, roll, pitch, turn)

    def _heading(self, heading: float) -> None:
        """Use only changes of the heading: its origin is not that of the map."""
        if self._first_heading is None:
            self._first_heading = heading - self._start_yaw
        self._filter.measure_heading(heading - self._first_heading)

    def _say(self, now_ns: int, roll: float, pitch: float, turn: np.ndarray) -> list[Output]:
        x, y, z, yaw = self._filter.state[:4].tolist()
        pose = Pose.from_rpy([x, y, z], [roll, pitch, yaw])
        speed = np.array([self._filter.state[SPEED], 0.0, 0.0])
        covariance = np.diag([0.0, 0.0, 0.0, 1e-4, 1e-4, 0.0])
        rows = [0, 1, 2, 5]
        covariance[np.ix_(rows, rows)] = self._filter.covariance[:4, :4]
        message = odometry_message(pose, covariance, now_ns, self._frames, (speed, turn))
        return [("tf", transform_message(pose, now_ns, self._frames)), ("odometry", message)]
