"""Point clouds of a spinning LiDAR as scans in the robot's frame; unusable ones are reported."""

from dataclasses import dataclass

import numpy as np

from outrider.autonomy.clouds import Points, read_cloud
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import WarningLog
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array, Pose
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import PointCloud2

_FEWEST = 100  # points that a scan needs to tell anything
_LONGEST_NS = NS_PER_S  # a scan never takes longer


@dataclass(frozen=True, slots=True, eq=False)
class LidarScan:
    """A cloud with the times of its first and last point, and its sensor's pose on the robot."""

    points: Points
    start_ns: int
    end_ns: int
    T_base_lidar: Pose

    @property
    def in_base(self) -> Array:
        """The points in the robot's frame, each at its own time."""
        return self.T_base_lidar.apply(self.points.xyz)

    @property
    def times_ns(self) -> Array:
        """When each point was measured; the end of the scan if unknown."""
        seconds = self.points.seconds
        if seconds is None:
            return np.full(len(self.points), float(self.end_ns))
        return self.start_ns + seconds * 1e9


class ScanReader:
    """Reads clouds, and reports those that cannot be used."""

    def __init__(self, name: str, base: str, period_s: float) -> None:
        """``name`` is that of the component, ``base`` the robot's frame."""
        self.tree = StaticFrames(base)
        self.warnings = WarningLog(name)
        self._period_ns = to_ns(period_s)
        self.problem = ""

    def read(self, message: PointCloud2) -> LidarScan | None:
        """Return a usable scan, or None with the reason in ``problem``."""
        self.problem = ""
        try:
            points = read_cloud(message)
        except AutonomyError as error:
            self._refuse("layout", str(error))
            return None
        if len(points) < _FEWEST:
            self._refuse("empty", f"a scan has {len(points)} points, too few to register")
            return None
        frame = message.header.frame_id
        pose = self.tree.T_base(frame)
        if pose is None:
            self._refuse("frame", f"/tf_static has no frame '{frame}'")
            return None
        if points.seconds is None:
            self.warnings.say(
                "time", "clouds have no time field: their points are treated as simultaneous"
            )
        start = stamp_ns(message)
        return LidarScan(points, start, start + self._span(points), pose)

    def _span(self, points: Points) -> int:
        if points.seconds is None:
            return 0
        latest = to_ns(float(points.seconds.max()))
        return self._period_ns if latest <= self._period_ns else min(latest, _LONGEST_NS)

    def _refuse(self, kind: str, sentence: str) -> None:
        self.problem = sentence
        self.warnings.say(kind, sentence)
