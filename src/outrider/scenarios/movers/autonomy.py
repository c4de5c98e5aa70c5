"""The autonomy stack in a simulation: messages in, commands out, later compared with truth."""

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.component import StackComponent
from outrider.autonomy.extra import needed
from outrider.autonomy.live import Live
from outrider.autonomy.pipeline import StampedOutput
from outrider.autonomy.waypoints.follower import WaypointFollower
from outrider.core.frames import Pose, yaw_of
from outrider.core.structure import Data
from outrider.messages.plain_values import pose_from, pose_of, stamp_ns
from outrider.scenarios.localization import localization_errors
from outrider.scenarios.movers.driven_robot import driven
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation

MakeParts: TypeAlias = Callable[[], Sequence[StackComponent]]  # new ones for every start

_TRUTH_NS = 20_000_000


class AutonomyDriver:
    """Runs between steps, so that the same seed gives the same run bit for bit."""

    def __init__(self, session: Session, own_parts: MakeParts = list) -> None:
        """``own_parts`` makes components that take the place of the stack's."""
        self._session = session
        self._own_parts = own_parts
        self._live: Live | None = None
        self._started = False
        self._attach(session.simulation)
        self._begin()

    def figures(self) -> Data:
        """Return what a result says about it."""
        return {
            "localization": localization_errors(self._estimated, self._true),
            "autonomy": {
                "waypoints": [
                    {
                        "x": item.point.x,
                        "y": item.point.y,
                        "outcome": item.outcome,
                        "reason": item.reason,
                        "seconds": item.seconds,
                    }
                    for item in (self._follower.outcomes if self._follower else ())
                ],
                "health": dict(self._health),
            },
        }

    def _attach(self, simulation: Simulation) -> None:
        # bound methods: what others have in the loop goes over to a changed simulation by itself
        simulation.drivers.append(self._drive)
        simulation.conditions.append(self._judge)

    def _begin(self) -> None:
        scenario = self._session.scenario
        spec = scenario.autonomy
        if self._live is not None:
            self._live.close()
        if spec is None:  # another scenario was opened
            self._live, self._follower, self._robot = None, None, ""
            return
        entry = driven(scenario)
        if spec.stereo is not None:  # more threads only spin beside the renderer
            needed("cv2").setNumThreads(1)
        self._live = Live(
            assemble_stack(
                spec,
                namespace=entry.namespace or "",
                prefix=f"{entry.namespace.strip('/')}/" if entry.namespace else "",
                start=self._start(entry),
                own=self._own_parts(),
            ),
            self._session.bus,
        )
        self._live.listeners.append(self._hear)
        placed = self._live.pipeline.placed
        parts = [item.component for item in placed]
        self._follower = next((p for p in parts if isinstance(p, WaypointFollower)), None)
        self._robot = entry.name
        spoken = [item.topics["odometry"] for item in placed if "odometry" in item.topics]
        self._odometry_topic = spoken[0] if spoken else ""
        self._T_map_odom = Pose()
        self._estimated: list[tuple[int, Pose]] = []
        self._true: list[tuple[int, Pose]] = []
        self._health: dict[str, str] = {}

    def _start(self, entry: RobotEntry) -> Pose:
        """Return where the map puts the robot: as the scenario says, not as the ground truth is."""
        spec = self._session.scenario.autonomy
        assert spec is not None
        if spec.start is not None:
            x, y, yaw_deg = spec.start
            return Pose.from_rpy([x, y, 0.0], [0.0, 0.0, math.radians(yaw_deg)])
        pose = self._session.simulation.robots[entry.name].start
        x, y = pose.position[:2].tolist()
        return Pose.from_rpy([x, y, 0.0], [0.0, 0.0, yaw_of(pose.rotation)])

    def _drive(self, simulation: Simulation) -> None:
        if simulation.steps == 0 and self._started:
            self._begin()
        self._started = True
        if self._live is not None:
            self._live.step(simulation.time_ns)
        if simulation.time_ns % _TRUTH_NS == 0 and self._robot:
            self._true.append((simulation.time_ns, simulation.robots[self._robot].pose))

    def _judge(self, _simulation: Simulation) -> bool | None:
        follower = self._follower
        if follower is None or not follower.finished:
            return None
        return all(item.outcome == "reached" for item in follower.results)

    def _hear(self, said: StampedOutput, _now_ns: int) -> None:
        message = said.message
        if said.topic == "/tf":
            for item in message.transforms:
                if item.header.frame_id == "map":
                    self._T_map_odom = pose_of(item.transform)
        elif said.topic == self._odometry_topic:
            pose = self._T_map_odom @ pose_from(message.pose.pose)
            self._estimated.append((stamp_ns(message), pose))
        elif message.__msgtype__ == "outrider_msgs/msg/ComponentHealth":
            self._health[message.component] = f"{message.level} {message.reason}".strip()
