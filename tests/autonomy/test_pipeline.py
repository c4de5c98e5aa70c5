"""Components joined by topics: live or from a list, the same comes out."""

from typing import ClassVar

import numpy as np
import pytest
import room

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.component import Silent
from outrider.autonomy.health import GOOD
from outrider.autonomy.live import Live
from outrider.autonomy.spec import AutonomySpec
from outrider.bus.bus import Bus
from outrider.core.errors import AutonomyError
from outrider.core.frames import yaw_of
from outrider.core.structure import from_data
from outrider.messages.plain_values import pose_from


def messages():
    """A robot that drives an arc for four seconds."""
    yield "/tf_static", room.frames_message(), 0
    for k in range(200):
        now_ns = k * 20_000_000
        yield "/wheels", room.wheel_message(now_ns, 0.5, 0.4), now_ns
        yield "/imu", room.imu_message(now_ns, 0.4), now_ns


def test_a_list_of_messages_gives_poses() -> None:
    said = [
        s for s in assemble_stack(room.DEAD_RECKONING).run(messages()) if s.topic == "/odometry"
    ]
    last = pose_from(said[-1].message.pose.pose)
    t = 199 * 0.02
    assert yaw_of(last.rotation) == pytest.approx(0.4 * t, abs=0.01)
    assert last.position[:2] == pytest.approx(
        [0.5 / 0.4 * np.sin(0.4 * t), 0.5 / 0.4 * (1 - np.cos(0.4 * t))], abs=0.03
    )


def test_a_live_bus_gives_the_same_poses_to_the_last_bit() -> None:
    expected = [
        s.message
        for s in assemble_stack(room.DEAD_RECKONING).run(messages())
        if s.topic == "/odometry"
    ]
    bus = Bus()
    kinds = {"/tf_static": "TFMessage", "/wheels": "Odometry", "/imu": "Imu"}
    packages = {"TFMessage": "tf2_msgs", "Odometry": "nav_msgs", "Imu": "sensor_msgs"}
    for topic, kind in kinds.items():
        bus.declare(topic, f"{packages[kind]}/msg/{kind}")
    live = Live(assemble_stack(room.DEAD_RECKONING), bus)
    box = bus.subscribe("/odometry", kept="all")
    for topic, message, now_ns in messages():
        bus.publish(topic, message, now_ns)
        live.step(now_ns)
    found = []
    while (item := box.poll()) is not None:
        found.append(item[1])
    assert len(found) == len(expected)
    assert all(
        a.pose.pose.position == b.pose.pose.position for a, b in zip(found, expected, strict=True)
    )


def test_health_is_said_when_it_changes() -> None:
    said = [
        s.message
        for s in assemble_stack(room.DEAD_RECKONING).run(messages())
        if s.topic == "/autonomy/health"
    ]
    assert [m.level for m in said] == ["starting", "good"]


def test_the_topics_of_platts_experiments_are_spoken_on() -> None:
    pipeline = assemble_stack(AutonomySpec())
    spoken = {
        "/planner_cloud": "sensor_msgs/msg/PointCloud2",
        "/odometry": "nav_msgs/msg/Odometry",
        "/map": "nav_msgs/msg/OccupancyGrid",
        "/move_base/global_costmap/costmap": "nav_msgs/msg/OccupancyGrid",
        "/move_base/local_costmap/costmap": "nav_msgs/msg/OccupancyGrid",
        "/move_base/NavfnROS/plan": "nav_msgs/msg/Path",
        "/tf": "tf2_msgs/msg/TFMessage",
        "/cmd_vel": "geometry_msgs/msg/Twist",
    }
    assert spoken.items() <= pipeline.outputs.items()
    assert set(pipeline.inputs) == {
        "/tf_static",
        "/imu/data",
        "/jackal_velocity_controller/odom",
        "/mid/points",
        "/goal",
    }
    assert "ground_truth" not in " ".join(pipeline.inputs)


def test_a_namespace_goes_before_all_names_but_those_of_all_robots() -> None:
    pipeline = assemble_stack(AutonomySpec(), namespace="r1", prefix="r1/")
    assert "/r1/mid/points" in pipeline.inputs
    assert "/tf_static" in pipeline.inputs
    assert "/r1/cmd_vel" in pipeline.outputs


def test_an_unknown_port_is_refused_with_a_near_match() -> None:
    with pytest.raises(AutonomyError, match="did you mean 'points'"):
        assemble_stack(AutonomySpec(topics={"pionts": "/x"}))


def test_a_spec_is_read_as_a_scenario_has_it() -> None:
    spec = from_data(
        AutonomySpec,
        {
            "odometry": {"type": "stereo", "min_inliers": 20},
            "slam": None,
            "waypoints": {"points": [[1, 2], [3, 4, 90]]},
        },
        "test",
    )
    assert spec.odometry.type == "stereo"
    assert spec.slam is None
    assert spec.waypoints is not None


class Mine(Silent):
    """Wheels believed blindly."""

    name = "mine"
    inputs: ClassVar = {"wheels": "nav_msgs/msg/Odometry"}
    outputs: ClassVar = {"odometry": "nav_msgs/msg/Odometry"}
    health = GOOD

    def take(self, port, message, time_ns):  # noqa: ARG002
        return [("odometry", message)]


def test_a_part_of_ones_own_takes_the_place_of_the_one_that_says_the_same() -> None:
    pipeline = assemble_stack(AutonomySpec(), own=[Mine()])
    names = [placed.component.name for placed in pipeline.placed]
    assert names[0] == "mine"
    assert "lidar-inertial odometry" not in names
    assert {"obstacle segmentation", "slam", "mapping", "navigation"} <= set(names)
    topic = "/jackal_velocity_controller/odom"
    said = pipeline.feed(topic, room.wheel_message(5, 0.5), 5)
    assert said[0].topic == "/odometry"


def test_a_part_with_a_port_that_nobody_has_is_refused_with_a_near_match() -> None:
    class Odd(Mine):
        inputs: ClassVar = {"wheel": "nav_msgs/msg/Odometry"}

    with pytest.raises(AutonomyError, match=r"mine: .* 'wheel' \(did you mean 'wheels'"):
        assemble_stack(AutonomySpec(), own=[Odd()])


def test_odometry_of_another_program_is_awaited_and_looked_at() -> None:
    pipeline = assemble_stack(
        AutonomySpec(odometry=None, slam=None, mapping=None, segmentation=None)
    )
    assert "/odometry" in pipeline.inputs
    levels = []
    for x in (1.0, float("nan"), 2.0):
        message = room.wheel_message(0, 0.5)
        message.pose.pose.position.x = x
        said = pipeline.feed("/odometry", message, 0)
        levels += [s.message.level for s in said if s.message.component == "odometry"]
    assert levels == ["good", "lost", "good"]
