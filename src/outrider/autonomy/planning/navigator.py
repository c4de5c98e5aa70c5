"""Navigation: goal to plan, plan to commands, and recovery when stuck."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.component import Output
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.mapping.mapper import grid_message, map_of
from outrider.autonomy.planning.bump import BumpWatch
from outrider.autonomy.planning.costmap import CostMap
from outrider.autonomy.planning.current_pose import CurrentPose
from outrider.autonomy.planning.global_planner import GlobalPlanner
from outrider.autonomy.planning.local_map import LocalMap
from outrider.autonomy.planning.local_planner import LocalPlanner
from outrider.autonomy.planning.recovery import Attempt, Recovery
from outrider.autonomy.planning.spec import (
    NavigationSpec,
)
from outrider.autonomy.poses import path_message
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import Array, Pose, yaw_of
from outrider.messages import types as ros
from outrider.messages.plain_values import pose_of
from outrider.messages.types import Message, message_class


@dataclass(slots=True, eq=False)
class _Journey:
    """The state of one goal."""

    message: ros.PoseStamped
    place: Array  # x, y in the map
    yaw: float | None
    plan: Array | None = None  # (n, 2) in the map
    planned_ns: int = -(10**18)
    best: float = math.inf  # the nearest to the goal so far ...
    best_ns: int = -1  # ... and since when
    blocked_ns: int = -1  # since when nothing was free
    attempt: Attempt | None = None
    attempt_until_ns: int = 0
    bumped: Array | None = None  # x, y, yaw where something unseen held the robot
    tried: list[str] = field(default_factory=list)


class Navigator:
    """Drives to the newest goal and reports the result."""

    name = "navigation"
    inputs: ClassVar[Mapping[str, str]] = ports(
        "health", "tf", "odometry", "ground", "obstacles", "map", "goal"
    )
    outputs: ClassVar[Mapping[str, str]] = ports(
        "cmd_vel", "plan", "global_costmap", "local_costmap", "result"
    )

    def __init__(
        self,
        spec: NavigationSpec,
        frames: tuple[str, str] = ("map", "odom"),
        watched: str = "odometry",
    ) -> None:
        """``frames`` are those of map and odometry; ``watched`` is the component relied on."""
        self._spec = spec
        self._frames = frames
        self._watched = watched
        self._where = CurrentPose()
        self._ground: ros.PointCloud2 | None = None
        self._map = GridMap(np.full((2, 2), -1, np.int8), 0.05, np.zeros(3))
        self._planner = GlobalPlanner(spec.planner, spec.footprint, spec.inflation)
        self._local = LocalMap(spec.local_map, spec.footprint, spec.inflation)
        self._chooser = LocalPlanner(spec.local_planner, spec.footprint, 1.0 / spec.rate_hz)
        self._recovery = Recovery(spec.recovery)
        self._bumps = BumpWatch(spec.bump)
        self._journey: _Journey | None = None
        self._last = np.zeros(2)  # the command before
        self._odometry_health = Health("starting")
        self._due_ns = 0
        self.health = Health("starting", "waiting for odometry")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process goals, poses, maps and clouds."""
        match port:
            case "health":
                if message.component == self._watched:
                    self._odometry_health = Health(message.level, message.reason)
            case "tf":
                self._take_transforms(message)
            case "odometry":
                self._where.odometry = message
            case "ground":
                self._ground = message
            case "obstacles":
                self._look(message)
            case "map":
                self._map = map_of(message)
            case "goal":
                self._set_out(message)
        return ()

    def tick(self, now_ns: int) -> Iterable[Output]:
        """Command the robot if it is time."""
        if now_ns < self._due_ns:
            return ()
        self._due_ns = now_ns + to_ns(1.0 / self._spec.rate_hz)
        journey = self._journey
        if journey is None:
            return ()
        trouble = self._trouble(now_ns)
        if trouble:
            self.health = Health("poor", trouble)
            return [self._drive(0.0, 0.0)]
        self.health = GOOD
        return self._go(journey, now_ns)

    def _trouble(self, now_ns: int) -> str:
        if self._where.age_s(now_ns) > self._spec.stale_s:
            return "no recent odometry: the robot waits"
        if self._odometry_health.level == "lost":
            return f"odometry is lost ({self._odometry_health.reason}): the robot waits"
        if self._odometry_health.level == "poor":
            return f"odometry is poor ({self._odometry_health.reason}): the robot waits"
        return ""

    def _take_transforms(self, message: ros.TFMessage) -> None:
        for item in message.transforms:
            if (item.header.frame_id, item.child_frame_id) == self._frames:
                self._where.T_map_odom = pose_of(item.transform)

    def _look(self, obstacles: ros.PointCloud2) -> None:
        ground = self._ground
        if self._where.odometry is None or ground is None:
            return
        # the cloud is of the moment of a pose that comes right after it, or came right before
        pose = self._where.pose()
        self._local.look(read_cloud(obstacles).xyz, read_cloud(ground).xyz, pose)

    def _set_out(self, message: ros.PoseStamped) -> None:
        q, p = message.pose.orientation, message.pose.position
        rotation = np.array([q.x, q.y, q.z, q.w])
        turned = float(np.abs(rotation).sum()) > 0.5
        yaw = yaw_of(rotation) if turned else None  # no rotation: any heading will do
        self._journey = _Journey(message, np.array([p.x, p.y]), yaw)
        self._recovery.reset()
        self._bumps.reset()

    def _go(self, journey: _Journey, now_ns: int) -> list[Output]:
        plane = self._where.plane(now_ns)
        here = self._where.to_map(plane)
        far = float(np.hypot(*(journey.place - here[:2])))
        if far < self._spec.tolerance:
            return self._arrive(journey, here, now_ns)
        if journey.attempt is not None:
            return self._try(journey, plane, now_ns)
        said = self._plan(journey, here, now_ns)
        self._note_progress(journey, far, now_ns)
        command = None
        if journey.plan is not None:
            path = self._where.path_to_odom(journey.plan)
            command = self._chooser.command(self._local.costmap, plane, self._last, path)
        if command is not None:
            journey.blocked_ns = -1
            if self._bumps.held(now_ns, plane[:2], float(self._last[0])):
                return [*said, *self._back_off(journey, plane, now_ns)]
            if not self._stuck(journey, now_ns):
                return [*said, self._drive(*command)]
        elif journey.blocked_ns < 0:
            journey.blocked_ns = now_ns
        spec = self._spec.recovery
        waited = now_ns - journey.blocked_ns > to_ns(spec.patience_s) and command is None
        if waited or self._stuck(journey, now_ns):
            return [*said, *self._escape(journey, now_ns)]
        return [*said, self._drive(0.0, 0.0)]

    def _plan(self, journey: _Journey, here: Array, now_ns: int) -> list[Output]:
        old_s = (now_ns - journey.planned_ns) / NS_PER_S
        if old_s < self._spec.replan_s:
            return []
        journey.planned_ns = now_ns
        journey.plan = self._planner.plan(self._map, here[:2], journey.place)
        if journey.plan is None:
            return []
        poses = [Pose(np.array([x, y, 0.0])) for x, y in journey.plan[::4].tolist()]
        said: list[Output] = [("plan", path_message(poses, now_ns, self._frames[0]))]
        for port, costmap, frame in (
            ("global_costmap", self._planner.costmap, self._frames[0]),
            ("local_costmap", self._local.costmap, self._frames[1]),
        ):
            if costmap is not None:
                said.append((port, _costs(costmap, now_ns, frame)))
        return said

    def _note_progress(self, journey: _Journey, far: float, now_ns: int) -> None:
        left = far
        if journey.plan is not None:
            left = float(np.hypot(*np.diff(journey.plan, axis=0).T).sum())
        if journey.best_ns < 0 or left < journey.best - self._spec.recovery.progress_m:
            journey.best, journey.best_ns = left, now_ns
            if journey.tried:
                self._recovery.reset()
                journey.tried.clear()

    def _stuck(self, journey: _Journey, now_ns: int) -> bool:
        return now_ns - journey.best_ns > to_ns(self._spec.recovery.progress_s)

    def _escape(self, journey: _Journey, now_ns: int) -> list[Output]:
        attempt = self._recovery.next()
        if attempt is None:
            what = "no path leads there" if journey.plan is None else "the path stays blocked"
            tried = ", ".join(dict.fromkeys(journey.tried))
            return self._end(journey, now_ns, "failed", f"{what}; tried: {tried}")
        return self._begin_attempt(journey, attempt, now_ns)

    def _back_off(self, journey: _Journey, plane: Array, now_ns: int) -> list[Output]:
        """Back off from an obstacle that was felt but not seen."""
        journey.bumped = plane
        self._bumps.reset()
        attempt = self._recovery.back_off(self._spec.bump.back_m)
        if attempt is None:
            return self._end(journey, now_ns, "failed", "something unseen blocks the robot")
        return self._begin_attempt(journey, attempt, now_ns)

    def _begin_attempt(self, journey: _Journey, attempt: Attempt, now_ns: int) -> list[Output]:
        journey.tried.append(attempt.name)
        journey.attempt = attempt
        journey.attempt_until_ns = now_ns + to_ns(attempt.duration_s)
        if attempt.clears:
            self._local.clear()
        return [self._drive(0.0, 0.0)]

    def _try(self, journey: _Journey, plane: Array, now_ns: int) -> list[Output]:
        attempt = journey.attempt
        assert attempt is not None
        free = self._chooser.free(self._local.costmap, plane, attempt.command)
        if now_ns < journey.attempt_until_ns and (free or attempt.clears):
            return [self._drive(*attempt.command)]
        journey.attempt = None
        self._bumps.reset()
        if journey.bumped is not None:
            self._local.block(journey.bumped)
            journey.bumped = None
        journey.blocked_ns, journey.best_ns = now_ns, now_ns
        journey.planned_ns = -(10**18)
        return [self._drive(0.0, 0.0)]

    def _arrive(self, journey: _Journey, here: Array, now_ns: int) -> list[Output]:
        if journey.yaw is not None:
            off = math.remainder(journey.yaw - here[2], 2 * math.pi)
            if abs(off) > self._spec.yaw_tolerance:
                spec = self._spec.local_planner
                turn = min(spec.max_yaw_rate, max(spec.min_turn, 1.5 * abs(off)))
                return [self._drive(0.0, math.copysign(turn, off))]
        return self._end(journey, now_ns, "reached", "")

    def _end(self, journey: _Journey, now_ns: int, outcome: str, reason: str) -> list[Output]:
        self._journey = None
        result = message_class("outrider_msgs/msg/GoalResult")(
            ros.header(now_ns, self._frames[0]), outcome, reason, journey.message.pose
        )
        if outcome == "failed":
            self.health = Health("poor", reason)
        return [self._drive(0.0, 0.0), ("result", result)]

    def _drive(self, speed: float, yaw_rate: float) -> Output:
        spec = self._spec.local_planner
        dt = 1.0 / self._spec.rate_hz
        change = np.array([spec.acceleration, spec.yaw_acceleration]) * dt
        wanted = np.array([speed, yaw_rate])
        if speed == 0.0 and yaw_rate == 0.0:
            self._last = wanted  # stopping is never delayed
        else:
            self._last = self._last + np.clip(wanted - self._last, -change, change)
        v, w = self._last.tolist()
        return "cmd_vel", ros.Twist(ros.Vector3(v, 0.0, 0.0), ros.Vector3(0.0, 0.0, w))


def _costs(costmap: CostMap, now_ns: int, frame: str) -> ros.OccupancyGrid:
    origin = np.array([*costmap.origin, 0.0])
    return grid_message(GridMap(costmap.values(), costmap.resolution, origin), now_ns, frame)
