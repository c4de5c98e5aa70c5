"""Runs the stack on a recording: trajectory and map, evaluated where ground truth is known."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np

from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.mapping.mapper import map_of
from outrider.autonomy.pipeline import Incoming, Pipeline, StampedOutput
from outrider.autonomy.recordings.source import RecordingSource
from outrider.core.errors import AutonomyError, near_match
from outrider.core.frames import Pose
from outrider.messages.plain_values import pose_from, pose_of, stamp_ns
from outrider.messages.types import Message


@dataclass(slots=True, eq=False)
class StackReplay:
    """The result of a replay."""

    poses: list[tuple[int, Pose]] = field(default_factory=list)  # in the map, by time
    truth: list[tuple[int, Pose]] = field(default_factory=list)
    grid: GridMap | None = None
    health: list[tuple[int, str, str, str]] = field(default_factory=list)  # time, who, level, why
    messages: int = 0

    @property
    def length_m(self) -> float:
        """The length of the estimated trajectory."""
        places = np.array([pose.position for _, pose in self.poses]).reshape(-1, 3)
        return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def replay_stack(
    source: RecordingSource,
    pipeline: Pipeline,
    truth_topic: str = "",
    optional: Collection[str] = ("wheels", "tf_static"),
) -> StackReplay:
    """Run a pipeline on a recording; ``optional`` ports of the odometry may be missing in it."""
    _check(source, pipeline, optional)
    out, T_map_odom = StackReplay(), Pose()
    odometry = pipeline.placed[0].topics["odometry"]
    wanted = {*pipeline.inputs, truth_topic}

    def incoming() -> Iterator[Incoming]:
        for topic, message, time_ns in source.messages(wanted):
            out.messages += 1
            if topic == odometry:  # another program's, as recorded
                pose = T_map_odom @ pose_from(message.pose.pose)
                out.poses.append((stamp_ns(message), pose))
            if topic == truth_topic:
                out.truth.append((stamp_ns(message), pose_from(message.pose.pose)))
            else:
                yield topic, message, time_ns

    for said in pipeline.run(incoming()):
        if said.topic == odometry:
            pose = T_map_odom @ pose_from(said.message.pose.pose)
            out.poses.append((stamp_ns(said.message), pose))
        elif said.topic == "/tf":
            T_map_odom = _correction(said.message, T_map_odom)
        else:
            _note(out, said)
    return out


def _check(source: RecordingSource, pipeline: Pipeline, optional: Collection[str]) -> None:
    """Refuse a recording that lacks what the odometry needs."""
    first = pipeline.placed[0]
    known = source.topics
    for port, kind in first.component.inputs.items():
        topic = first.topics[port]
        if topic in known and known[topic].replace("/msg", "") != kind.replace("/msg", ""):
            raise AutonomyError(f"'{topic}' holds {known[topic]}, not {kind}; use --topic")
        if topic not in known and port not in optional:
            hint = near_match(topic, known)
            listed = ", ".join(sorted(known))
            other = ", or --odometry lidar, which needs none" if port == "imu" else ""
            raise AutonomyError(
                f"the recording has no topic '{topic}' for {port}{hint}; use --topic {port}=NAME"
                f"{other}; it has {listed}"
            )


def _correction(message: Message, before: Pose) -> Pose:
    for item in message.transforms:
        if item.header.frame_id == "map":
            return pose_of(item.transform)
    return before


def _note(out: StackReplay, said: StampedOutput) -> None:
    kind = said.message.__msgtype__
    if kind == "nav_msgs/msg/OccupancyGrid":
        out.grid = map_of(said.message)
    elif kind == "outrider_msgs/msg/ComponentHealth":
        m = said.message
        out.health.append((stamp_ns(m), m.component, m.level, m.reason))
