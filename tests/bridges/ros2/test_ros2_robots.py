"""Several robots on ROS 2, names changed, and types that no package at the other end has."""

import json

import numpy as np
import pytest

from outrider.messages.store import register, store

pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
from ros2_domain import free_domain
from ros2_live import Live, wait_for
from ros2_peer import Peer

pytestmark = pytest.mark.peer

SCENARIO = """
world: empty
robots:
  - {model: jackal, name: anna, namespace: "robots/{NAME}"}
  - {model: autominy, name: car, namespace: "car_{ID}", pose: {x: 5}}
duration_s: null
"""


@pytest.fixture(scope="module")
def live():
    options = ",namespace=lab,clock_hz=100,remap=/lab/robots/anna/imu/data:=/imu"
    made = Live(SCENARIO, free_domain(), options)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def peer(live):
    made = Peer(free_domain())
    try:
        yield made
    finally:
        made.close()


def test_each_robot_speaks_under_its_own_name(live, peer):
    description, speed = "/lab/robots/anna/robot_description", "/lab/car_1/actuators/speed"
    expected = {"/lab/robots/anna/joint_states", "/lab/car_1/joint_states", "/clock", "/imu"}
    wait_for(lambda: expected | {description, speed} <= set(peer("graph")["topics"]))
    wait_for(lambda: "/lab/outrider" in peer("graph")["nodes"])
    wait_for(lambda: "/lab/outrider/pause" in peer("graph")["services"])
    types = peer("graph")["topics"]
    assert types[description] == ["std_msgs/msg/String"]
    assert types[speed] == ["autominy_msgs/msg/SpeedCommand"]


def test_the_clock_comes_as_often_as_it_is_set(live, peer):
    peer("subscribe", topic="/clock", type="rosgraph_msgs/msg/Clock", depth=100)
    peer("wait", topic="/clock", count=50)
    stamps, _ = peer("stamps", topic="/clock")
    assert np.median(np.diff(stamps)) == 10_000_000
    assert all(stamp % 10_000_000 == 0 for stamp in stamps)


def test_a_plain_number_drives_the_car_where_its_own_types_are_not_installed(live, peer):
    car = live.run.simulation.robots["car"]
    before = car.pose.position[0]

    def driven():
        peer(
            "publish",
            topic="/lab/car_1/actuators/speed",
            type="std_msgs/msg/Float64",
            message={"data": 0.8},
            count=10,
            period=0.05,
        )
        return car.pose.position[0] > before + 0.3

    wait_for(driven)


def test_a_robot_that_comes_later_appears_with_its_topics(live, peer):
    live.call("add_robot", model="husky", name="late", pose={"y": 4})
    wait_for(lambda: "/lab/late/joint_states" in peer("graph")["topics"])
    peer("subscribe", topic="/lab/late/joint_states", type="sensor_msgs/msg/JointState")
    assert peer("wait", topic="/lab/late/joint_states", count=3) >= 3
    live.call("remove", name="late")
    wait_for(lambda: peer("publishers", topic="/lab/late/joint_states") == 0)


def test_what_the_simulation_can_do_is_told_as_json(live, peer):
    answer = peer("call", service="/lab/outrider/status", type="std_srvs/srv/Trigger")
    assert json.loads(answer["message"])["time_s"] > 0


def test_a_type_from_text_needs_no_compiling(live, peer):
    register(
        "made_up_msgs/msg/Thing", "std_msgs/Header header\nfloat32[4] values\nstring<=9[] words"
    )
    live.outside.bus.declare("/thing", "made_up_msgs/msg/Thing", latched=True)
    wait_for(lambda: peer("graph")["topics"].get("/lab/thing") == ["made_up_msgs/msg/Thing"])
    wanted = store().hash_rihs01("made_up_msgs/msg/Thing").removeprefix("RIHS01_")
    assert wanted in peer("hashes", topic="/lab/thing")[0]
    assert not live.bridge.counts().get("/thing")
