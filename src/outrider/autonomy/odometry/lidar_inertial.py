"""LiDAR-inertial odometry: rko-lio, with a start that waits for the robot to stand still."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.extra import needed
from outrider.autonomy.frame_tree import FrameTree
from outrider.autonomy.health import GOOD, Complaints, Health
from outrider.autonomy.odometry.lidar_scans import Scan, ScanReader, Speaker
from outrider.autonomy.odometry.standstill import Rest, Standstill, StandstillSpec
from outrider.autonomy.poses import rotation_vector
from outrider.autonomy.stamps import Order, stamp_ns
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose
from outrider.core.structure import number
from outrider.messages.types import Imu, Message


@dataclass(frozen=True, slots=True)
class LidarInertialSpec:
    """Parameters of rko-lio; voxels of 0.3 m and one downsampling fit 16 lines outdoors."""

    voxel_size: float = number(0.3, above=0.0)
    min_range: float = number(0.9, least=0.0)
    max_range: float = number(100.0, above=0.0)
    cloud_range: float = number(30.0, above=0.0)  # what is passed on to mapping
    scan_period_s: float = number(0.1, above=0.0)
    max_iterations: int = number(100, least=1)
    fastest: float = number(5.0, above=0.0)  # m/s: beyond, the registration is not believed
    longest_gap_s: float = number(0.5, above=0.0)
    standstill: StandstillSpec = StandstillSpec()


class LidarInertialOdometry(Silent):
    """Registers every scan to a local map, led by the IMU."""

    name = "lidar-inertial odometry"
    inputs = {
        "tf_static": "tf2_msgs/msg/TFMessage",
        "imu": "sensor_msgs/msg/Imu",
        "points": "sensor_msgs/msg/PointCloud2",
    }
    outputs = {
        "cloud": "sensor_msgs/msg/PointCloud2",
        "tf": "tf2_msgs/msg/TFMessage",
        "odometry": "nav_msgs/msg/Odometry",
    }

    def __init__(
        self, spec: LidarInertialSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is where it begins."""
        self._spec = spec
        self._frames = frames
        self._complaints = Complaints(self.name)
        self._tree = FrameTree(frames[1])
        self._reader = ScanReader(self._tree, self._complaints, spec.scan_period_s)
        self._speaker = Speaker(frames, spec.cloud_range)
        self._T_odom_start = T_odom_start or Pose()
        self.health = Health("starting", "waiting for the robot to stand still")
        self._begin(self._T_odom_start)

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:  # noqa: ARG002
        """Take frames, inertial readings and scans."""
        if port == "tf_static":
            self._tree.take(message)
        elif port == "imu":
            self._take_imu(message)
        elif port == "points":
            scan = self._reader.read(message)
            if scan is None:
                self._stumble()
            else:
                return self._register(scan)
        return ()

    def _begin(self, T_odom_world: Pose) -> None:
        """Start a new local map, whose origin lies at a pose in the odometry's frame."""
        spec = self._spec
        lio = needed("rko_lio.lio").LIO
        config = needed("rko_lio.config").LIOConfig
        self._lio: Any = lio(
            config(
                voxel_size=spec.voxel_size,
                min_range=spec.min_range,
                max_range=spec.max_range,
                max_iterations=spec.max_iterations,
                initialization_phase=True,
                double_downsample=False,
                max_num_threads=1,  # sums in the same order every time: runs repeat exactly
            )
        )
        self._T_odom_map = T_odom_world
        self._standstill = Standstill(spec.standstill)
        self._rest: Rest | None = None
        self._scans = 0
        self._order = Order(spec.longest_gap_s)
        self._last: tuple[int, Pose] | None = None

    def _take_imu(self, message: Imu) -> None:
        T = self._tree.T_base(message.header.frame_id)
        if T is None:
            self._complaints.say(
                "imu frame",
                f"nobody on /tf_static says where frame '{message.header.frame_id}' is",
            )
            return
        a, w = message.linear_acceleration, message.angular_velocity
        accel, gyro = np.array([a.x, a.y, a.z]), np.array([w.x, w.y, w.z])
        if not (np.isfinite(accel).all() and np.isfinite(gyro).all()):
            self._complaints.say("imu", "an inertial reading is not a number; left out")
            return
        now_ns = stamp_ns(message)
        if self._rest is None:
            self._rest = self._standstill.take(now_ns, accel, gyro)
            if self._rest is not None and not self._rest.sure:
                self._complaints.say("start", "the robot did not stand still: a worse start")
        elif self._scans == 1:  # the estimate of gravity and offsets: a second's mean is better
            self._feed(now_ns, self._rest.acceleration, self._rest.angular_velocity, T)
        elif self._scans > 1:
            self._feed(now_ns, accel, gyro, T)

    def _feed(self, now_ns: int, accel: Array, gyro: Array, T: Pose) -> None:
        try:
            self._lio.add_imu_measurement(accel, gyro, now_ns, T.matrix)
        except Exception as error:  # its own error types are not public
            self._complaints.say("imu refused", f"an inertial reading was refused: {error}")

    def _register(self, scan: Scan) -> list[Output]:
        if self._rest is None:
            return []
        if self._order.jump(scan.end_ns):
            return self._jumped(scan)
        try:
            self._lio.register_scan(
                scan.points.xyz, scan.times_ns, scan.T_base_lidar.matrix, scan.start_ns,
                scan.end_ns,
            )  # fmt: skip
        except Exception as error:  # as above
            self._complaints.say("scan", f"a scan was refused: {error}")
            self._stumble()
            return []
        self._scans += 1
        pose = self._T_odom_map @ Pose.from_matrix(self._lio.pose())
        if not self._believed(pose, scan.end_ns):
            return self._jumped(scan)
        self._last = (scan.end_ns, pose)
        self.health = GOOD
        return self._speaker.say(pose, scan)

    def _believed(self, pose: Pose, end_ns: int) -> bool:
        if self._last is None:
            return True
        span_s = max(1e-3, (end_ns - self._last[0]) / NS_PER_S)
        step = self._last[1].inverse() @ pose
        turn = float(np.linalg.norm(rotation_vector(step.rotation))) / span_s
        return float(np.linalg.norm(step.position)) / span_s < self._spec.fastest and turn < 6.0

    def _stumble(self) -> None:
        self.health = Health("lost", self._reader.problem or "a scan could not be registered")

    def _jumped(self, scan: Scan) -> list[Output]:
        """Begin again from the last pose: there was a gap, or the registration went astray."""
        self._complaints.say("jump", "scans jumped in time or place; the local map begins anew")
        self.health = Health("lost", "scans jumped in time or place; waiting to stand still")
        last = self._T_odom_start if self._last is None else self._last[1]
        roll, pitch, yaw = last.rpy.tolist()
        upright = Pose.from_rpy(last.position, [0.0, 0.0, yaw])  # gravity is found again
        del roll, pitch
        self._begin(upright)
        self._order.jump(scan.end_ns)
        return []
