"""A LiDAR next to another odometry: its scans as clouds at times that have a pose."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.odometry.deskew import deskew
from outrider.autonomy.odometry.lidar_scans import LidarScan, ScanReader
from outrider.autonomy.odometry.spec import LidarCloudSpec
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import Array
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message, Odometry


class LidarCloud(Silent):
    """Moves every scan to the time of the next pose, by that pose's velocity."""

    name = "lidar cloud"
    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "points", "odometry")
    outputs: ClassVar[Mapping[str, str]] = ports("cloud")

    def __init__(self, spec: LidarCloudSpec, base: str) -> None:
        self._spec = spec
        self._reader = ScanReader(self.name, base, spec.scan_period_s)
        self._scan: LidarScan | None = None  # waits for a pose
        self.health = Health("starting", "waiting for a scan")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, scans and poses."""
        if port == "tf_static":
            self._reader.tree.take(message)
        elif port == "points":
            self._scan = self._reader.read(message)
            self.health = GOOD if self._scan else Health("lost", self._reader.problem)
        elif self._scan is not None:
            return self._place(self._scan, message)
        return ()

    def _place(self, scan: LidarScan, odometry: Odometry) -> Iterable[Output]:
        now_ns = stamp_ns(odometry)
        if now_ns < scan.end_ns - to_ns(self._spec.scan_period_s):
            return ()
        self._scan = None
        if abs(now_ns - scan.end_ns) > to_ns(self._spec.patience_s):
            return ()
        xyz = _moved(scan, odometry, now_ns)
        far = (xyz * xyz).sum(axis=1)
        kept = (far > self._spec.min_range**2) & (far < self._spec.max_range**2)
        return [("cloud", write_cloud(xyz[kept], now_ns, self._reader.tree.base))]


def _moved(scan: LidarScan, odometry: Odometry, now_ns: int) -> Array:
    """Return the points as if all had been measured at a time."""
    linear, angular = odometry.twist.twist.linear, odometry.twist.twist.angular
    left_s = ((scan.times_ns - now_ns) / NS_PER_S)[:, None]
    turns = left_s * np.array([angular.x, angular.y, angular.z])
    moves = left_s * np.array([linear.x, linear.y, linear.z])
    return deskew(scan.in_base, turns, moves)
