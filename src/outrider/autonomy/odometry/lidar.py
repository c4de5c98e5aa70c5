"""LiDAR odometry without an IMU: KISS-ICP."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.extra import needed
from outrider.autonomy.frame_tree import FrameTree
from outrider.autonomy.health import GOOD, Complaints, Health
from outrider.autonomy.odometry.drift import Drift
from outrider.autonomy.odometry.lidar_scans import ScanReader
from outrider.autonomy.poses import odometry_message, rotation_vector, transform_message
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Pose
from outrider.core.structure import number
from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class LidarSpec:
    """Parameters of KISS-ICP. Its deskewing helps in fast turns and harms on rough ground."""

    type: Literal["lidar"] = "lidar"
    voxel_size: float = number(0.5, above=0.0)
    min_range: float = number(0.9, least=0.0)
    max_range: float = number(100.0, above=0.0)
    cloud_range: float = number(30.0, above=0.0)
    scan_period_s: float = number(0.1, above=0.0)
    deskew: bool = False


class LidarOdometry(Silent):
    """Registers every scan to a local map; the motion before leads."""

    name = "lidar odometry"
    inputs: ClassVar[Mapping[str, str]] = {
        "tf_static": "tf2_msgs/msg/TFMessage",
        "points": "sensor_msgs/msg/PointCloud2",
    }
    outputs: ClassVar[Mapping[str, str]] = {
        "cloud": "sensor_msgs/msg/PointCloud2",
        "tf": "tf2_msgs/msg/TFMessage",
        "odometry": "nav_msgs/msg/Odometry",
    }

    def __init__(
        self, spec: LidarSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is where it begins."""
        self._complaints = Complaints(self.name)
        self._tree = FrameTree(frames[1])
        self._reader = ScanReader(self._tree, self._complaints, spec.scan_period_s)
        self._frames = frames
        self._cloud_range = spec.cloud_range
        self._drift = Drift()
        self._last: tuple[int, Pose] | None = None
        self._T_odom_start = T_odom_start or Pose()
        self._deskew = spec.deskew
        self._icp: Any = _kiss(spec)
        self.health = Health("starting", "waiting for the first scan")

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:  # noqa: ARG002
        """Take frames and scans."""
        if port == "tf_static":
            self._tree.take(message)
            return ()
        scan = self._reader.read(message)
        if scan is None:
            self.health = Health("lost", self._reader.problem)
            return ()
        span_s = max(1e-9, (scan.end_ns - scan.start_ns) / NS_PER_S)
        seconds = scan.points.seconds
        times = seconds / span_s if self._deskew and seconds is not None else np.empty(0)
        xyz, _ = self._icp.register_frame(scan.points.xyz, times)
        T_lidar = Pose.from_matrix(self._icp.last_pose)  # it starts where the sensor started
        T_base_lidar = scan.T_base_lidar
        self.health = GOOD
        pose = self._T_odom_start @ T_base_lidar @ T_lidar @ T_base_lidar.inverse()
        near = T_base_lidar.apply(xyz[(xyz * xyz).sum(axis=1) < self._cloud_range**2])
        cloud = write_cloud(near, scan.end_ns, self._frames[1])
        return [*self._say(pose, scan.end_ns), ("cloud", cloud)]

    def _say(self, pose: Pose, now_ns: int) -> list[Output]:
        last, self._last = self._last, (now_ns, pose)
        twist = None
        if last is not None and now_ns > last[0]:
            step = last[1].inverse() @ pose
            self._drift.move(step)
            span_s = (now_ns - last[0]) / NS_PER_S
            twist = (step.position / span_s, rotation_vector(step.rotation) / span_s)
        covariance = self._drift.covariance
        message = odometry_message(pose, covariance, now_ns, self._frames, twist)
        return [("tf", transform_message(pose, now_ns, self._frames)), ("odometry", message)]


def _kiss(spec: LidarSpec) -> Any:
    config = needed("kiss_icp.config").KISSConfig()
    config.data.max_range = spec.max_range
    config.data.min_range = spec.min_range
    config.data.deskew = spec.deskew
    config.mapping.voxel_size = spec.voxel_size
    config.registration.max_num_threads = 1  # the same sums every time
    return needed("kiss_icp.kiss_icp").KissICP(config)
