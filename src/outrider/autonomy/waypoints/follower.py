"""Follows waypoints: the next goal when the last one is reached or has timed out."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from outrider.autonomy.component import Output
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.topics import ports
from outrider.autonomy.waypoints.files import Waypoint
from outrider.autonomy.waypoints.spec import WaypointsSpec
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import quaternion_from_rpy
from outrider.messages import types as ros
from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class WaypointResult:
    """The result of one waypoint."""

    point: Waypoint
    outcome: str  # reached, failed, time-out, or not tried
    reason: str
    seconds: float


class WaypointFollower:
    """Sends goals one at a time, once the robot is localised."""

    name = "waypoints"
    inputs: ClassVar[Mapping[str, str]] = ports("health", "result")
    outputs: ClassVar[Mapping[str, str]] = ports("goal")

    def __init__(self, spec: WaypointsSpec, frame: str = "map", watched: str = "odometry") -> None:
        self._spec = spec
        self._frame = frame
        self._watched = watched
        self._points = spec.load()
        self._next = 0
        self._since_ns: int | None = None  # the goal was sent
        self._rest_until_ns = 0
        self._ready = False
        self.results: list[WaypointResult] = []
        self.health = Health("starting", "waiting for odometry")

    @property
    def finished(self) -> bool:
        """Whether all points are done."""
        return self._next >= len(self._points) and self._since_ns is None

    @property
    def outcomes(self) -> list[WaypointResult]:
        """All results, including the points that were never tried."""
        left = () if self._spec.patrol else self._points[self._next :]
        return [*self.results, *(WaypointResult(point, "not tried", "", 0.0) for point in left)]

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:
        """Process the odometry's health and the results of goals."""
        if port == "health":
            if message.component == self._watched and message.level == "good":
                self._ready = True
        elif self._since_ns is not None:
            self._note(message.outcome, message.reason, time_ns)
        return ()

    def tick(self, now_ns: int) -> Iterable[Output]:
        """Send the next goal if it is time."""
        if self._since_ns is not None:
            if now_ns - self._since_ns > to_ns(self._spec.timeout_s):
                self._note("time-out", f"took more than {self._spec.timeout_s:g} s", now_ns)
            return ()
        if not self._ready or now_ns < self._rest_until_ns or self.finished:
            return ()
        self._since_ns = now_ns
        self.health = GOOD
        return [("goal", self._goal(self._points[self._next], now_ns))]

    def _note(self, outcome: str, reason: str, now_ns: int) -> None:
        assert self._since_ns is not None
        seconds = (now_ns - self._since_ns) / NS_PER_S
        self.results.append(WaypointResult(self._points[self._next], outcome, reason, seconds))
        self._next += 1
        if self._spec.patrol and self._next == len(self._points):
            self._next = 0
        self._since_ns = None
        self._rest_until_ns = now_ns + to_ns(self._spec.wait_s)

    def _goal(self, point: Waypoint, now_ns: int) -> ros.PoseStamped:
        rotation = ros.Quaternion(0.0, 0.0, 0.0, 0.0)  # any heading
        if point.yaw_deg is not None:
            yaw = math.radians(point.yaw_deg)
            rotation = ros.Quaternion(*quaternion_from_rpy(0.0, 0.0, yaw).tolist())
        place = ros.Pose(ros.Point(float(point.x), float(point.y), 0.0), rotation)
        return ros.PoseStamped(ros.header(now_ns, self._frame), place)
