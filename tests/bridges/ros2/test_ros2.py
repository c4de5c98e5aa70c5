"""ROS 2 as it is: rclpy in another process listens, drives, calls and misbehaves."""

import json
import math
import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from outrider.messages.convert import to_dict
from outrider.messages.store import store

pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
from ros2_domain import free_domain
from ros2_live import Live, wait_for
from ros2_peer import Peer, surroundings
from waiting import until

pytestmark = pytest.mark.peer

SCENARIO = """
world: playground
robots:
  - model: jackal
    sensors:
      - {name: velodyne, model: platt-vlp16, link: mid_mount, pose: {z: 0.2}}
      - {name: front, model: sick-lms111, link: front_mount, topics: {scan: front/scan}}
      - {name: eye, model: camera, link: front_mount, set: {width: 160, height: 120}}
duration_s: null
"""
SENSORS = {
    "/front/scan": "sensor_msgs/msg/LaserScan",
    "/mid/points": "sensor_msgs/msg/PointCloud2",
    "/eye/image_raw": "sensor_msgs/msg/Image",
    "/eye/camera_info": "sensor_msgs/msg/CameraInfo",
    "/imu/data": "sensor_msgs/msg/Imu",
    "/navsat/fix": "sensor_msgs/msg/NavSatFix",
    "/joint_states": "sensor_msgs/msg/JointState",
    "/jackal_velocity_controller/odom": "nav_msgs/msg/Odometry",
    "/clock": "rosgraph_msgs/msg/Clock",
}
PAGE = Path(__file__).resolve().parents[3] / "docs" / "ros2.md"
ODOMETRY = "/jackal_velocity_controller/odom"


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    made = Live(SCENARIO, free_domain(), files=folder)
    made.folder = folder
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def peer(live):
    with Peer(free_domain()) as made:
        for name, kind in SENSORS.items():
            made("subscribe", topic=name, type=kind, reliability="BEST_EFFORT", depth=50)
        yield made


@pytest.fixture(autouse=True)
def running(live):
    yield
    live.call("resume")


def recorded(live, peer, name):
    """Return what bus and peer had of a topic, by time stamp: at least two of the same."""
    box = live.outside.bus.subscribe(name, kept="all", depth=100_000)
    peer("clear", topic=name)
    ours, theirs = {}, {}

    def both():
        theirs.update({stamp(message): message for message in peer("messages", topic=name)})
        while (item := box.poll()) is not None:
            message = to_dict(as_sent(item[1]), octets="base64")
            ours[stamp(message)] = message
        return len(ours.keys() & theirs.keys()) >= 2

    wait_for(both)
    box.close()
    return ours, theirs


def as_sent(message):
    """Return a message with its numbers as exact as its type has them."""
    kind = message.__msgtype__
    return store().deserialize_cdr(store().serialize_cdr(message, kind), kind)


def stamp(message: dict) -> tuple[int, int]:
    found = message.get("clock") or message["header"]["stamp"]
    return found["sec"], found["nanosec"]


@pytest.mark.parametrize("name", SENSORS)
def test_a_node_in_another_process_receives_exactly_what_the_bus_carries(live, peer, name):
    ours, theirs = recorded(live, peer, name)
    for moment in ours.keys() & theirs.keys():
        np.testing.assert_equal(theirs[moment], ours[moment])


def test_rates_in_simulated_time_are_those_of_the_sensors(live, peer):
    period = {"/front/scan": None, "/mid/points": 0.1, "/imu/data": 0.02, "/clock": 0.0025}
    gaps = []

    def without_gaps():
        """Look at a second: a reader that may lose messages loses some on a busy machine."""
        gaps.clear()
        for name in period:
            peer("clear", topic=name)
        peer("wait", topic="/mid/points", count=12)
        for name, expected in period.items():
            stamps, _ = peer("stamps", topic=name)
            rate = next(t.rate_hz for t in live.outside.bus.topics() if t.name == name)
            steps = np.diff(stamps) * 1e-9
            assert np.median(steps) == pytest.approx(expected or 1 / rate, rel=1e-6), name
            if name != "/clock" and np.max(steps) > 1.5 * np.median(steps):
                gaps.append(name)
        return not gaps

    assert until(without_gaps), f"gaps in {gaps}"


def test_reliable_and_best_effort_readers_both_match(live, peer):
    for reliability in ("RELIABLE", "BEST_EFFORT"):
        with Peer(free_domain()) as other:
            kind = SENSORS["/imu/data"]
            other("subscribe", topic="/imu/data", type=kind, reliability=reliability)
            assert other("wait", topic="/imu/data", count=5) >= 5


def test_a_late_joiner_gets_what_is_latched(live, peer):
    with Peer(free_domain()) as late:
        late(
            "subscribe",
            topic="/robot_description",
            type="std_msgs/msg/String",
            durability="TRANSIENT_LOCAL",
        )
        assert late("wait", topic="/robot_description") == 1
        urdf = late("messages", topic="/robot_description")[0]["data"]
    assert "<robot" in urdf
    assert "front_left_wheel" in urdf


def test_a_node_drives_the_jackal_to_a_goal(live, peer):
    live.call("reset")
    path = peer("drive", odometry=ODOMETRY, command="/cmd_vel", goal=[1.2, 0.6])
    assert math.dist(path[-1], (1.2, 0.6)) < 0.15
    truth = live.run.simulation.robots["jackal"].pose.position
    assert math.dist(truth[:2], (1.2, 0.6)) < 0.25


def test_the_node_of_the_docs_arrives_as_printed(live, tmp_path):
    live.call("reset")
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    env = {**surroundings(None, ""), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    env["ROS_DOMAIN_ID"] = str(free_domain())
    subprocess.run([sys.executable, "-c", code], env=env, check=True, timeout=150)
    truth = live.run.simulation.robots["jackal"].pose.position
    assert math.dist(truth[:2], (1.2, 0.6)) < 0.3


def test_a_stamped_twist_on_cmd_vel_drives_as_well(live):
    live.call("reset")
    kind = "geometry_msgs/msg/TwistStamped"
    with Peer(free_domain()) as other:

        def driven():
            values = {"twist": {"linear": {"x": 0.5}}}
            other("publish", topic="/cmd_vel", type=kind, message=values, count=10, period=0.05)
            return live.run.simulation.robots["jackal"].pose.position[0] > 0.1

        wait_for(driven)


def test_pause_step_resume_and_reset_by_std_srvs(live, peer):
    trigger = "std_srvs/srv/Trigger"
    assert peer("call", service="/outrider/pause", type=trigger)["success"]
    before = live.run.simulation.steps
    assert peer("call", service="/outrider/step", type=trigger)["success"]
    assert live.run.simulation.steps == before + 1
    assert peer("call", service="/outrider/reset", type=trigger)["success"]
    assert live.run.simulation.steps == 0
    answer = peer(
        "call", service="/outrider/set_paused", type="std_srvs/srv/SetBool", request={"data": False}
    )
    assert answer["success"]
    assert live.goes_on()
    refused = peer("call", service="/outrider/step", type=trigger)
    assert not refused["success"]
    assert "paused" in refused["message"]


def asked(peer, *calls):
    """Call any services over the type that every ROS 2 brings."""
    rows = [{"name": name, "string_value": json.dumps(values)} for name, values in calls]
    return peer("call_any", service="/outrider/call", rows=rows)


def test_any_service_is_there_without_further_packages(live, peer, tmp_path):
    sdf = (
        "<sdf version='1.9'><model name='m'><link name='l'><collision name='c'><geometry><box>"
        "<size>.4 .4 .4</size></box></geometry></collision></link></model></sdf>"
    )
    where = {"position": [3.0, 2.0, 0.2], "orientation": [0, 0, 0, 1]}
    answer = asked(peer, ("spawn", {"name": "new_box", "text": sdf, "format": "sdf", **where}))
    assert answer["successful"], answer
    file = live.folder / "saved.yaml"
    heights = live.outside.bus.subscribe("/ground_truth/state", kept="all", depth=100_000)
    push = {"body": "jackal/base_link", "force": [0, 0, 400.0], "duration_s": 0.3}
    answer = asked(peer, ("save_world", {"file": file.name}), ("apply_wrench", push))
    assert answer["successful"], answer
    assert file.exists()
    answer = asked(peer, ("save_world", {"file": str(tmp_path / "elsewhere.yaml")}))
    assert not answer["successful"]
    assert "expected a plain file name" in answer["reason"]
    assert not list(tmp_path.iterdir())
    wait_for(lambda: any(m.pose.pose.position.z > 0.2 for _, m in iter(heights.poll, None)))
    heights.close()
    assert "new_box" in json.loads(asked(peer, ("list_models", {}))["reason"])["models"]
    assert asked(peer, ("remove", {"name": "new_box"}))["successful"]
    for nonsense in (("no_such", {}), ("spawn", {}), ("remove", []), ("get_state", {"name": 7})):
        refused = asked(peer, nonsense, ("pause", {}))
        assert not refused["successful"]
        assert refused["reason"]
    assert not live.run.runner.paused
    live.call("reset")


def test_speed_and_pause_are_parameters(live, peer):
    assert peer("set_parameter", node="/outrider", name="paused", value=True)["successful"]
    assert live.run.runner.paused
    assert peer("set_parameter", node="/outrider", name="paused", value=False)["successful"]
    assert not live.run.runner.paused
    refused = peer("set_parameter", node="/outrider", name="speed", value=-1.0)
    assert not refused["successful"]
    assert "speed" in refused["reason"]


def test_a_renamed_topic_goes_on_under_its_new_name(live, peer):
    live.call("rename_topic", robot="jackal", key="ground_truth", name="/truth")
    peer("subscribe", topic="/truth", type="nav_msgs/msg/Odometry")
    assert peer("wait", topic="/truth", count=3) >= 3
    wait_for(lambda: "/ground_truth/state" not in peer("graph")["topics"])


def test_commands_that_are_no_numbers_are_counted_and_ignored(live, peer):
    live.call("reset")
    robot = live.run.simulation.robots["jackal"]
    before = robot.ignored_commands
    # JSON has no NaN of its own, Python's has
    peer(
        "publish",
        topic="/cmd_vel",
        type="geometry_msgs/msg/Twist",
        message={"linear": {"x": math.nan}},
        count=5,
        period=0.05,
    )
    wait_for(lambda: robot.ignored_commands > before)
    assert live.goes_on()
    assert np.isfinite(robot.pose.position).all()


def test_a_flood_of_commands_does_not_hold_up_the_simulation(live, peer):
    with Peer(free_domain()) as flood:
        kind, before = "geometry_msgs/msg/Twist", live.time_s
        flood("publish", topic="/cmd_vel", type=kind, message={}, count=5000)
        assert live.time_s > before


def test_peers_that_stop_reading_or_die_change_nothing(live):
    with ExitStack() as others:
        stopped, killed = (others.enter_context(Peer(free_domain())) for _ in range(2))
        for other in (stopped, killed):
            other("subscribe", topic="/mid/points", type=SENSORS["/mid/points"])
            assert other("wait", topic="/mid/points", count=1) >= 1
        os.kill(stopped.process.pid, signal.SIGSTOP)
        others.callback(stopped.kill)
        killed.kill()
        before = live.time_s
        wait_for(lambda: live.time_s > before + 2.0)
        fresh = others.enter_context(Peer(free_domain()))
        fresh("subscribe", topic="/mid/points", type=SENSORS["/mid/points"])
        assert fresh("wait", topic="/mid/points", count=3) >= 3
