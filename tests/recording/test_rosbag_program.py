"""Debian's rosbag reads our bags and plays them into ROS 1."""

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bridges"))
from recording_bench import IMAGE, IMU, record_all
from ros1_bench import PYTHON, environment, needs_ros1, program, ros
from waiting import stop_program

from outrider.bridges.bridge import make_bridge
from outrider.bridges.ros1.master import Master
from outrider.recording.replay import Replay, ReplayOptions
from outrider.scenarios.replaying import outside_of_replay

pytestmark = [pytest.mark.peer, needs_ros1]

_READ = """
import json, sys, rosbag
bag = rosbag.Bag(sys.argv[1])
print(json.dumps([(topic, t.to_nsec(), m._type) for topic, m, t in bag.read_messages()]))
"""
_LISTEN = """
import rospy, sensor_msgs.msg
seen = []
rospy.init_node("listener")
def take(m):
    seen.append(m.header.stamp.to_nsec())
    if len(seen) == 30:
        print(seen, m.angular_velocity.x, flush=True)
        rospy.signal_shutdown("done")
rospy.Subscriber("/imu/data", sensor_msgs.msg.Imu, take, queue_size=1000)
print("ready", flush=True)
rospy.spin()
"""


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    path = tmp_path_factory.mktemp("bag") / "drive.bag"
    world, _ = record_all(path)
    return path, world


def test_rosbag_reads_every_message_at_its_time(bag):
    path, world = bag
    done = subprocess.run(
        [PYTHON, "-c", _READ, str(path)], check=True, capture_output=True, timeout=150
    )
    found = json.loads(done.stdout)
    assert sorted((topic, t) for topic, t, _ in found) == sorted(
        (topic, log) for topic, log, _, _ in world.said
    )
    assert {kind for topic, _, kind in found if topic == IMAGE} == {"sensor_msgs/Image"}


def test_rosbag_info_and_check_are_content(bag):
    told = subprocess.run(
        ["rosbag", "info", "--yaml", str(bag[0])], check=True, capture_output=True, timeout=150
    ).stdout.decode()
    assert "messages: 397" in told
    assert "compression: lz4" in told
    assert shutil.which("rosbag")


def test_rosbag_plays_it_into_ros(bag, tmp_path):
    path, world = bag
    master = Master("127.0.0.1", 0)
    master.start()
    script = tmp_path / "listen.py"
    script.write_text(_LISTEN)
    listening = subprocess.Popen(
        [PYTHON, str(script)],
        env=environment(master.uri, tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert listening.stdout.readline() == "ready\n"
        play = ("rosbag", "play", "--quiet", "--wait-for-subscribers", "--topics", IMU)
        with program(master.uri, tmp_path, *play, "--bags", str(path)):
            said, _ = listening.communicate(timeout=150)
    finally:
        stop_program(listening)
        master.close()
    rows = [(m, v) for topic, _, m, v in world.said if topic == IMU]
    stamps, last = said.rsplit(" ", 1)
    found = eval(stamps)
    start = [m for m, _ in rows].index(found[0])
    assert found == [m for m, _ in rows[start : start + 30]]
    assert float(last) == rows[start + 29][1]["angular_velocity"]["x"]


def test_our_replay_plays_it_into_ros_as_well(bag, tmp_path):
    path, world = bag
    with Replay(path, ReplayOptions(speed=1.0, loop=True)) as replay:
        bridge = make_bridge("ros1:master=own,port=0", outside_of_replay(replay))
        bridge.start()
        thread = threading.Thread(target=replay.run)
        thread.start()
        try:
            said = ros(bridge.master.uri, tmp_path, "rostopic", "echo", "-n1", "/mid/points/header")
            kind = ros(bridge.master.uri, tmp_path, "rostopic", "type", IMAGE)
        finally:
            replay.transport.stop()
            thread.join(60.0)
            bridge.close()
    assert 'frame_id: "mid"' in said
    assert kind == "sensor_msgs/Image\n"
    assert world.said
