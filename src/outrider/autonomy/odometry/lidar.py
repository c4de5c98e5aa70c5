"""LiDAR odometry without an IMU: scans registered to a local map, predicted by the last motion."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.odometry.deskew import deskew
from outrider.autonomy.odometry.lidar_scans import LidarScan, ScanReader
from outrider.autonomy.odometry.motion_filter import MotionFilter
from outrider.autonomy.odometry.scan_map import ScanMap
from outrider.autonomy.odometry.spec import LidarSpec
from outrider.autonomy.poses import odometry_message, transform_message
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose, rotation_vector
from outrider.messages.types import Message


class LidarOdometry(Silent):
    """Registers every scan to a local map."""

    name = "lidar odometry"
    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "points")
    outputs: ClassVar[Mapping[str, str]] = ports("cloud", "tf", "odometry")

    def __init__(
        self, spec: LidarSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is the initial pose."""
        self._spec = spec
        self._frames = frames
        self._reader = ScanReader(self.name, frames[1], spec.scan_period_s)
        self._map = ScanMap(spec.registration)
        self._motion = MotionFilter(spec.motion, T_odom_start or Pose())
        self._turn_rate = np.zeros(3)
        self._now_ns: int | None = None
        self.health = Health("starting", "waiting for the first scan")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames and scans."""
        if port == "tf_static":
            self._reader.tree.take(message)
            return ()
        scan = self._reader.read(message)
        if scan is None:
            self.health = Health("lost", self._reader.problem)
            return ()
        return self._register(scan)

    def _register(self, scan: LidarScan) -> list[Output]:
        motion, before = self._motion, self._motion.pose
        dt = 0.0 if self._now_ns is None else (scan.end_ns - self._now_ns) / NS_PER_S
        self._now_ns = scan.end_ns
        if dt < 0.0:
            self._reader.warnings.say("jump", "scans jumped back in time; the map is kept")
        elif dt > 0.0:
            motion.predict(self._turn_rate * dt, dt)
        xyz = self._deskewed(scan)
        spec, far = self._spec, (xyz * xyz).sum(axis=1)
        prepared = self._map.prepare(xyz[(far > spec.min_range**2) & (far < spec.max_range**2)])
        match = self._map.match(prepared, motion.pose)
        if match is not None and match.share < spec.least_share:
            self._turn_rate = np.zeros(3)
            self.health = Health(
                "lost", f"only {100 * match.share:.0f} % of a scan matches the map"
            )
            return []
        if match is not None:
            motion.measure_pose(match.pose, match.information)
        if dt > 0.0:
            self._turn_rate = rotation_vector((before.inverse() @ motion.pose).rotation) / dt
        self._map.insert(prepared, motion.pose)
        self.health = GOOD
        cloud = write_cloud(xyz[far < spec.cloud_range**2], scan.end_ns, self._frames[1])
        return [*self._say(scan.end_ns), ("cloud", cloud)]

    def _deskewed(self, scan: LidarScan) -> Array:
        if scan.points.seconds is None or not self._spec.deskew:
            return scan.in_base
        left_s = ((scan.times_ns - scan.end_ns) / NS_PER_S)[:, None]
        return deskew(scan.in_base, left_s * self._turn_rate, left_s * self._motion.velocity)

    def _say(self, now_ns: int) -> list[Output]:
        motion = self._motion
        order = [3, 4, 5, 0, 1, 2]  # ROS has moves first
        covariance = motion.covariance[np.ix_(order, order)]
        message = odometry_message(
            motion.pose, covariance, now_ns, self._frames, (motion.velocity, self._turn_rate)
        )
        return [
            ("odometry", message),
            ("tf", transform_message(motion.pose, now_ns, self._frames)),
        ]
