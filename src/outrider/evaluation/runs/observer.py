"""Records true poses, estimates and IMU data of a run, as a recorder would."""

from collections.abc import Callable
from dataclasses import dataclass, field

from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.mapping.mapper import map_of
from outrider.autonomy.topics import topics as autonomy_topics
from outrider.bus.bus import Bus
from outrider.core.frames import Pose
from outrider.messages.plain_values import pose_from, pose_of, stamp_ns
from outrider.messages.types import Message
from outrider.scenarios.movers.driven_robot import driven
from outrider.scenarios.scenario import Scenario
from outrider.sim.simulation import Simulation

_IMU = "sensor_msgs/msg/Imu"


@dataclass(slots=True, eq=False)
class ObservedPoses:
    """The recorded data of a run, in order."""

    truth: dict[str, list[tuple[int, Pose]]] = field(default_factory=dict)  # by robot
    estimate: list[tuple[int, Pose]] = field(default_factory=list)  # of the stack's robot
    imu: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)  # by robot/sensor
    grid: GridMap | None = None


class Observer:
    """Takes messages in the publisher's thread and keeps their numbers."""

    def __init__(self, scenario: Scenario, simulation: Simulation, bus: Bus) -> None:
        self.heard = ObservedPoses()
        self._T_map_odom = Pose()
        for name, robot in simulation.robots.items():
            track = self.heard.truth.setdefault(name, [])
            bus.tap(robot.topics["ground_truth"], _poses_into(track))
        for mounted in simulation.mounted:
            for output, topic in mounted.topics.items():
                if mounted.plan.kind.types[output] == _IMU:
                    bus.tap(topic, _samples_into(self.heard.imu.setdefault(mounted.name, [])))
        if scenario.autonomy is not None and scenario.autonomy.reactive is None:
            self._follow_brain(scenario, bus)

    def _follow_brain(self, scenario: Scenario, bus: Bus) -> None:
        assert scenario.autonomy is not None
        space = driven(scenario).namespace or ""
        names = autonomy_topics(space, scenario.autonomy.topics)
        self._odom = f"{space.strip('/')}/odom" if space else "odom"
        bus.tap(names["odometry"], self._estimated)
        bus.tap(names["tf"], self._corrected)
        bus.tap(names["map"], self._mapped)

    def _estimated(self, _: int, message: Message) -> None:
        pose = self._T_map_odom @ pose_from(message.pose.pose)
        self.heard.estimate.append((stamp_ns(message), pose))

    def _corrected(self, _: int, message: Message) -> None:
        for item in message.transforms:
            if item.header.frame_id == "map" and item.child_frame_id == self._odom:
                self._T_map_odom = pose_of(item.transform)

    def _mapped(self, _: int, message: Message) -> None:
        self.heard.grid = map_of(message)


def _poses_into(track: list[tuple[int, Pose]]) -> Callable[[int, Message], None]:
    def take(_: int, message: Message) -> None:
        track.append((stamp_ns(message), pose_from(message.pose.pose)))

    return take


def _samples_into(rows: list[tuple[float, ...]]) -> Callable[[int, Message], None]:
    def take(_: int, message: Message) -> None:
        w, a = message.angular_velocity, message.linear_acceleration
        rows.append((stamp_ns(message) * 1e-9, w.x, w.y, w.z, a.x, a.y, a.z))

    return take
