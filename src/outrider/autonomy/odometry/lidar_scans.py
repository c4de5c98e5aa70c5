"""What both LiDAR odometries do with a cloud before and after they register it."""

from dataclasses import dataclass

import numpy as np

from outrider.autonomy.clouds import Points, read_cloud, write_cloud
from outrider.autonomy.component import Output
from outrider.autonomy.frame_tree import FrameTree
from outrider.autonomy.health import Complaints
from outrider.autonomy.odometry.deskew import deskew
from outrider.autonomy.odometry.drift import Drift
from outrider.autonomy.poses import odometry_message, rotation_vector, transform_message
from outrider.autonomy.stamps import stamp_ns
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array, Pose
from outrider.messages.types import PointCloud2

_FEWEST = 100  # points that a scan needs to tell anything
_LONGEST_NS = NS_PER_S  # a scan never takes longer


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A cloud in the robot's frame, with the time of its first and last point."""

    points: Points
    start_ns: int
    end_ns: int
    T_base_lidar: Pose

    @property
    def share(self) -> Array:
        """When each point was measured: 0 at the start, 1 at the end; 1 where nobody says."""
        seconds = self.points.seconds
        if seconds is None:
            return np.ones(len(self.points))
        return seconds / max(1e-9, (self.end_ns - self.start_ns) / NS_PER_S)

    @property
    def times_ns(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """When each point was measured."""
        span = self.end_ns - self.start_ns
        return self.start_ns + np.round(self.share * span).astype(np.int64)


class ScanReader:
    """Reads clouds, and says what is wrong with those that cannot be used."""

    def __init__(self, tree: FrameTree, complaints: Complaints, period_s: float) -> None:
        self._tree = tree
        self._complaints = complaints
        self._period_ns = to_ns(period_s)
        self.problem = ""

    def read(self, message: PointCloud2) -> Scan | None:
        """Return a usable scan; without one, ``problem`` says why."""
        self.problem = ""
        try:
            points = read_cloud(message)
        except AutonomyError as error:
            return self._refuse("layout", str(error))
        if len(points) < _FEWEST:
            return self._refuse("empty", f"a scan has {len(points)} points, too few to tell")
        frame = message.header.frame_id
        pose = self._tree.T_base(frame)
        if pose is None:
            return self._refuse(
                "frame", f"nobody on /tf_static says where frame '{frame}' is on the robot"
            )
        if points.seconds is None:
            self._complaints.say(
                "time", "clouds have no time field: their points are taken as of one moment"
            )
        start = stamp_ns(message)
        return Scan(points, start, start + self._span(points), pose)

    def _span(self, points: Points) -> int:
        if points.seconds is None:
            return 0
        latest = to_ns(float(points.seconds.max()))
        return self._period_ns if latest <= self._period_ns else min(latest, _LONGEST_NS)

    def _refuse(self, kind: str, sentence: str) -> None:
        self.problem = sentence
        self._complaints.say(kind, sentence)


class Speaker:
    """Turns poses of a LiDAR odometry into its messages."""

    def __init__(self, frames: tuple[str, str], farthest: float) -> None:
        self._frames = frames
        self._farthest = farthest
        self._drift = Drift()
        self._last: tuple[int, Pose] | None = None

    def say(self, T_odom_base: Pose, scan: Scan) -> list[Output]:
        """Return odometry, its transform and the deskewed cloud at the end of the scan."""
        last, self._last = self._last, (scan.end_ns, T_odom_base)
        T_end_start, twist = Pose(), (np.zeros(3), np.zeros(3))
        if last is not None and scan.end_ns > last[0]:
            step = last[1].inverse() @ T_odom_base
            span_s = (scan.end_ns - last[0]) / NS_PER_S
            twist = (step.position / span_s, rotation_vector(step.rotation) / span_s)
            T_end_start = T_odom_base.inverse() @ last[1]
            self._drift.move(step)
        covariance = self._drift.covariance
        base = self._frames[1]
        return [
            ("cloud", write_cloud(self._deskewed(scan, T_end_start), scan.end_ns, base)),
            ("tf", transform_message(T_odom_base, scan.end_ns, self._frames)),
            (
                "odometry",
                odometry_message(T_odom_base, covariance, scan.end_ns, self._frames, twist),
            ),
        ]

    def _deskewed(self, scan: Scan, T_end_start: Pose) -> Array:
        xyz = scan.points.xyz
        near = (xyz * xyz).sum(axis=1) < self._farthest**2
        in_base = scan.T_base_lidar.apply(xyz[near])
        if scan.points.seconds is None:
            return in_base
        return deskew(in_base, scan.share[near], T_end_start)
