"""The occupancy grid of all scans, rebuilt when SLAM corrects the trajectory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.mapping.grid import LogOddsGrid
from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.mapping.observation import ScanObservation, look_of
from outrider.autonomy.mapping.spec import MappingSpec
from outrider.autonomy.topics import ports
from outrider.core.clock import to_ns
from outrider.core.frames import Pose, yaw_of
from outrider.messages import types as ros
from outrider.messages.plain_values import pose_from, stamp_ns
from outrider.messages.types import Message, OccupancyGrid, PointCloud2


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    stamp_ns: int
    T_odom_base: Pose
    look: ScanObservation


class Mapper(Silent):
    """Adds each observation at the robot's pose; key frames correct the trajectory."""

    name = "mapping"
    inputs: ClassVar[Mapping[str, str]] = ports("odometry", "corrected", "ground", "obstacles")
    outputs: ClassVar[Mapping[str, str]] = ports("map")

    def __init__(self, spec: MappingSpec, frame: str = "map") -> None:
        self._spec = spec
        self._frame = frame
        self._grid = LogOddsGrid(spec.resolution, spec.odds, (10.0, 10.0))
        self._kept: list[_Kept] = []
        self._newest: dict[str, Message] = {}  # of one moment each
        self._corrections: list[tuple[int, Pose]] = []  # T_map_odom since a time
        self._said_ns = -(10**18)
        self._looked_ns = -(10**18)
        self.health = Health("starting", "waiting for a cloud")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process poses, clouds of the same time, and corrected trajectories."""
        if port == "corrected":
            return self._rebuild(message)
        self._newest[port] = message
        now_ns = stamp_ns(message)
        names = ("odometry", "obstacles", "ground")
        parts = [self._newest[name] for name in names if name in self._newest]
        if len(parts) < 3 or any(stamp_ns(part) != now_ns for part in parts):
            return ()
        if now_ns - self._looked_ns < to_ns(self._spec.period_s):
            return ()
        self._looked_ns = now_ns
        odometry, obstacles, ground = parts
        return self._look(now_ns, pose_from(odometry.pose.pose), obstacles, ground)

    def _look(
        self, now_ns: int, pose: Pose, obstacles: PointCloud2, ground: PointCloud2
    ) -> Iterable[Output]:
        blocking, free = read_cloud(obstacles).xyz, read_cloud(ground).xyz
        look = look_of(blocking, free, pose, self._spec.range)
        kept = _Kept(now_ns, pose, look)
        self._kept.append(kept)
        self._draw(kept)
        self.health = GOOD
        return self._say(now_ns)

    @property
    def grid_map(self) -> GridMap:
        """The current map."""
        return GridMap(
            self._grid.values(), self._grid.resolution, np.array([*self._grid.origin, 0.0])
        )

    def _draw(self, kept: _Kept) -> None:
        pose = self._T_map_odom(kept.stamp_ns) @ kept.T_odom_base
        x, y = pose.position[:2].tolist()
        eye, hits, ends = kept.look.placed(x, y, yaw_of(pose.rotation))
        reach = self._spec.range
        self._grid.cover(eye - reach, eye + reach)
        self._grid.look(eye, hits, ends)

    def _T_map_odom(self, time_ns: int) -> Pose:
        """Return the correction at a time: that of the preceding key frame."""
        found = Pose()
        for since_ns, correction in self._corrections:
            if since_ns > time_ns and self._corrections[0][0] <= time_ns:
                break
            found = correction
            if since_ns > time_ns:
                break
        return found

    def _rebuild(self, message: ros.Path) -> Iterable[Output]:
        """Rebuild the map along a corrected trajectory: poses ``T_map_odom`` by key frame."""
        self._corrections = [(stamp_ns(p), pose_from(p.pose)) for p in message.poses]
        self._grid.clear()
        for kept in self._kept:
            self._draw(kept)
        self._said_ns = -(10**18)
        return self._say(stamp_ns(message))

    def _say(self, now_ns: int) -> Iterable[Output]:
        if now_ns - self._said_ns < to_ns(self._spec.publish_s):
            return ()
        self._said_ns = now_ns
        return [("map", grid_message(self.grid_map, now_ns, self._frame))]


def grid_message(grid: GridMap, stamp_ns: int, frame: str) -> OccupancyGrid:
    """Return a map as a message."""
    rows, columns = grid.values.shape
    x, y, yaw = grid.origin.tolist()
    half = yaw / 2
    origin = ros.Pose(
        ros.Point(x, y, 0.0), ros.Quaternion(0.0, 0.0, float(np.sin(half)), float(np.cos(half)))
    )
    facts = ros.MapMetaData(ros.time(stamp_ns), grid.resolution, columns, rows, origin)
    return OccupancyGrid(ros.header(stamp_ns, frame), facts, grid.values.reshape(-1))


def map_of(message: OccupancyGrid) -> GridMap:
    """Return the map of a message."""
    facts = message.info
    values = np.asarray(message.data, np.int8).reshape(facts.height, facts.width)
    origin = pose_from(facts.origin)
    place = np.array([*origin.position[:2], yaw_of(origin.rotation)])
    return GridMap(values, float(facts.resolution), place)
