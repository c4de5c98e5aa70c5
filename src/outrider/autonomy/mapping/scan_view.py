"""A 2D LiDAR as input for grid and planner: obstacles and free space."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.mapping.spec import ScanViewSpec
from outrider.autonomy.scans import beams
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import Array, Pose
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import LaserScan, Message, Odometry

_BEFORE = 0.05  # m that the free way ends before what was hit


class ScanView(Silent):
    """Publishes obstacles and free ground as segmentation does, from planar scans."""

    name = "scan view"
    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "scan", "odometry")
    outputs: ClassVar[Mapping[str, str]] = ports("obstacles", "ground")

    def __init__(self, spec: ScanViewSpec, base: str) -> None:
        self._spec = spec
        self._tree = StaticFrames(base)
        self._warnings = WarningLog(self.name)
        self._scan: LaserScan | None = None  # waits for a pose
        self.health = Health("starting", "waiting for a scan")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, scans and poses."""
        if port == "tf_static":
            self._tree.take(message)
        elif port == "scan":
            self._scan = message
        elif self._scan is not None and stamp_ns(message) >= stamp_ns(self._scan):
            scan, self._scan = self._scan, None
            return self._view(scan, message)
        return ()

    def _view(self, scan: LaserScan, odometry: Odometry) -> Iterable[Output]:
        T_base_scan = self._tree.T_base(scan.header.frame_id)
        late_ns = stamp_ns(odometry) - stamp_ns(scan)
        angles, ranges = beams(scan)
        if T_base_scan is None:
            return self._refuse(f"/tf_static has no frame '{scan.header.frame_id}'")
        if not len(ranges):
            return self._refuse("a scan has no usable beam")
        if late_ns > to_ns(self._spec.patience_s):
            return ()
        self.health = GOOD
        reach = min(float(scan.range_max), self._spec.max_range)
        rays = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
        placed = _since(odometry, late_ns / NS_PER_S) @ T_base_scan
        hits = placed.apply(rays[ranges < reach] * ranges[ranges < reach, None])
        free = placed.apply(rays * np.clip(ranges - _BEFORE, 0.0, reach)[:, None])
        return [self._cloud("ground", free, odometry), self._cloud("obstacles", hits, odometry)]

    def _cloud(self, port: str, points: Array, odometry: Odometry) -> Output:
        return port, write_cloud(points, stamp_ns(odometry), self._tree.base)

    def _refuse(self, sentence: str) -> Iterable[Output]:
        self._warnings.say(sentence, sentence)
        self.health = Health("lost", sentence)
        return ()


def _since(odometry: Odometry, seconds: float) -> Pose:
    """Return the robot's pose some time earlier, relative to a pose."""
    twist = odometry.twist.twist
    turned = Pose.from_rpy([0.0, 0.0, 0.0], [0.0, 0.0, -twist.angular.z * seconds])
    return Pose(np.array([-twist.linear.x * seconds, 0.0, 0.0]), turned.rotation)
