"""LiDAR-inertial odometry: scans registered to a local map, predicted by gyroscope and wheels."""

import math
from collections import deque
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.odometry.deskew import deskew, per_point
from outrider.autonomy.odometry.lidar_scans import LidarScan, ScanReader
from outrider.autonomy.odometry.motion_filter import MotionFilter
from outrider.autonomy.odometry.robot_imu import RobotImu
from outrider.autonomy.odometry.scan_map import ScanMap
from outrider.autonomy.odometry.spec import (
    LidarInertialSpec,
)
from outrider.autonomy.poses import odometry_message, transform_message
from outrider.autonomy.stamps import StampOrder
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Imu, Message, Odometry

_MOST_WAITING = 1_000


class LidarInertialOdometry(Silent):
    """Registers every scan; without a match, gyroscope and wheels continue for a while."""

    name = "lidar-inertial odometry"
    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "imu", "wheels", "points")
    outputs: ClassVar[Mapping[str, str]] = ports("cloud", "tf", "odometry")

    def __init__(
        self, spec: LidarInertialSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is the initial pose."""
        self._spec = spec
        self._frames = frames
        self._reader = ScanReader(self.name, frames[1], spec.scan_period_s)
        self._start = T_odom_start or Pose()
        self._map = ScanMap(spec.registration)
        self._inertia = RobotImu(self._reader.tree, self._reader.warnings, spec.standstill)
        self._gyro = self._inertia.gyro
        self._rest_offset = self._gyro.offset
        self._filter: MotionFilter | None = None
        self._order = StampOrder(spec.longest_gap_s)
        self._now_ns = 0  # of the filter
        # measurements that came before the gyroscope's reading of their time
        self._wheels: deque[tuple[int, float]] = deque(maxlen=_MOST_WAITING)
        self._scan: LidarScan | None = None
        self._scanned_ns = 0
        self.health = Health("starting", "waiting for the robot to stand still")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, IMU readings, wheel speeds and scans."""
        if port == "tf_static":
            self._reader.tree.take(message)
        elif port == "imu":
            return self._take_imu(message)
        elif port == "wheels":
            self._take_wheels(message)
        elif port == "points":
            scan = self._reader.read(message)
            if scan is not None and self._filter is not None:
                return self._take_scan(scan, self._filter)
        return ()

    def _take_imu(self, message: Imu) -> Iterable[Output]:
        now_ns = self._inertia.take(message)
        if now_ns is None:
            return ()
        if self._filter is not None:
            self._use_wheels(self._filter)
            return [*self._use_scan(self._filter), *self._without_scans(now_ns, self._filter)]
        pose = self._inertia.level(self._start)
        if pose is not None:
            self._filter = MotionFilter(self._spec.motion, pose)
            self._rest_offset = self._gyro.offset
            self._now_ns = self._scanned_ns = now_ns
        return ()

    def _take_wheels(self, message: Odometry) -> None:
        speed = float(message.twist.twist.linear.x)
        if not math.isfinite(speed):
            self._reader.warnings.say("wheels", "a wheel speed is not a number; left out")
        elif self._spec.wheels and self._filter is not None:
            self._wheels.append((stamp_ns(message), speed))
            self._use_wheels(self._filter)

    def _use_wheels(self, motion: MotionFilter, until_ns: int | None = None) -> None:
        """Use the wheel speeds of times that the gyroscope knows, or until a time in any case."""
        while self._wheels:
            time_ns, speed = self._wheels[0]
            if not self._gyro.covers(time_ns) and (until_ns is None or time_ns > until_ns):
                return
            self._wheels.popleft()
            self._advance(max(self._now_ns, time_ns), motion)
            motion.measure_wheels(speed)

    def _take_scan(self, scan: LidarScan, motion: MotionFilter) -> list[Output]:
        late = [] if self._scan is None else self._register(self._scan, motion)
        self._scan = scan
        return [*late, *self._use_scan(motion)]

    def _use_scan(self, motion: MotionFilter) -> list[Output]:
        """Register the scan that waits, once the gyroscope knows how the robot turned in it."""
        scan = self._scan
        if scan is None or not self._gyro.covers(scan.end_ns):
            return []
        self._scan = None
        return self._register(scan, motion)

    def _advance(self, to_ns: int, motion: MotionFilter) -> None:
        """Predict up to a time."""
        dt = (to_ns - self._now_ns) / NS_PER_S
        if dt <= 0.0:
            return
        _, turns = self._gyro.turns(self._now_ns, to_ns)
        motion.predict(-turns[0], dt)
        self._now_ns = to_ns

    def _register(self, scan: LidarScan, motion: MotionFilter) -> list[Output]:
        if self._order.jump(scan.end_ns):
            self._reader.warnings.say("jump", "scans jumped in time; the map is kept")
            self._now_ns = min(self._now_ns, scan.end_ns)
        self._use_wheels(motion, scan.end_ns)
        self._advance(scan.end_ns, motion)
        xyz = self._deskewed(scan, motion)
        far = (xyz * xyz).sum(axis=1)
        spec = self._spec
        near = (far > spec.min_range**2) & (far < spec.max_range**2)
        prepared = self._map.prepare(xyz[near])
        match = self._map.match(prepared, motion.pose)
        if match is not None and match.share < spec.least_share:
            share = f"{100 * match.share:.0f} %"
            self.health = Health("poor", f"only {share} of a scan matches the map")
            return self._say(scan.end_ns, motion)
        if match is not None:
            motion.measure_pose(match.pose, match.information)
            self._gyro.offset = self._rest_offset + motion.gyro_offset
        self._map.insert(prepared, motion.pose)
        self._scanned_ns = scan.end_ns
        self.health = GOOD
        cloud = write_cloud(xyz[far < spec.cloud_range**2], scan.end_ns, self._frames[1])
        return [*self._say(scan.end_ns, motion), ("cloud", cloud)]

    def _deskewed(self, scan: LidarScan, motion: MotionFilter) -> Array:
        if scan.points.seconds is None:
            return scan.in_base
        knots, turns = self._gyro.turns(scan.start_ns, scan.end_ns)
        times = scan.times_ns
        left_s = (times - scan.end_ns) / NS_PER_S
        moves = left_s[:, None] * motion.velocity
        return deskew(scan.in_base, per_point(times, knots, turns), moves)

    def _without_scans(self, now_ns: int, motion: MotionFilter) -> Iterable[Output]:
        """Continue by gyroscope and wheels when no scans arrive."""
        silent_s = (now_ns - self._scanned_ns) / NS_PER_S
        if silent_s < 2.5 * self._spec.scan_period_s or now_ns <= self._now_ns:
            return ()
        self._advance(now_ns, motion)
        reason = self._reader.problem or f"no scan for {silent_s:.1f} s"
        lost = silent_s > self._spec.longest_gap_s
        self.health = Health("lost" if lost else "poor", f"{reason}: by gyroscope and wheels")
        return self._say(now_ns, motion)

    def _say(self, now_ns: int, motion: MotionFilter) -> list[Output]:
        pose = motion.pose
        P = motion.covariance[:6, :6]
        order = [3, 4, 5, 0, 1, 2]  # ROS has moves first
        _, turns = self._gyro.turns(now_ns - 50_000_000, now_ns)
        twist = (motion.velocity, -turns[0] / 0.05)
        message = odometry_message(pose, P[np.ix_(order, order)], now_ns, self._frames, twist)
        return [("tf", transform_message(pose, now_ns, self._frames)), ("odometry", message)]
