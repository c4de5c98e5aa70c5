"""A simulator's topics over UDP and our node into the real ROS 1, and to rclpy: rates and bytes."""

import base64
import hashlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from ros1_bench import environment, needs_ros1, ros, rospy, wait_until
from ros2_domain import free_domain
from ros2_peer import Peer
from udp_bench import IMU, NOW_NS, served

from outrider.bridges.ros1.master import Master
from outrider.messages.convert import from_dict
from outrider.messages.types import Clock, PointCloud2, header
from outrider.messages.types import time as stamp

pytestmark = pytest.mark.peer
needs_rclpy = pytest.mark.skipif(
    importlib.util.find_spec("rclpy") is None, reason="rclpy is not installed"
)
SIZE = 500_000
DATA = np.random.default_rng(5).integers(0, 256, SIZE, np.uint8)


@contextmanager
def talking(sim, hz=50):
    """Publish a clock and an IMU at a rate, with a cloud now and then, until the end."""
    stop = threading.Event()
    sim.bus.declare("/clock", "rosgraph_msgs/msg/Clock")

    def talk():
        step = 0
        while not stop.wait(1 / hz):
            step += 1
            now_ns = NOW_NS + step * 1_000_000_000 // hz  # never before the simulator's own
            sim.bus.publish("/clock", Clock(stamp(now_ns)), now_ns)
            imu = {"header": {"stamp": {"sec": step}}, "linear_acceleration": {"z": 9.81}}
            sim.bus.publish("/imu", from_dict(IMU, imu), now_ns)
            if step % 10 == 0:
                cloud = PointCloud2(
                    header(now_ns, "velodyne"), 1, SIZE, [], False, 1, SIZE, DATA, True
                )
                sim.bus.publish("/cloud", cloud, now_ns)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(10)


@contextmanager
def node(sim, *arguments):
    """Run ``outrider udp-bridge`` beside."""
    command = [sys.executable, "-m", "outrider", "udp-bridge", "--simulator", sim.address]
    started = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        started.send_signal(signal.SIGINT)
        try:
            said = started.communicate(timeout=30)[1]
        finally:
            started.kill()
            started.wait()
        assert "Traceback" not in said, said
        assert "lost 0" in said, said


_RECEIVE = """
import hashlib, rospy, sys
from sensor_msgs.msg import PointCloud2
rospy.init_node("reader")
cloud = rospy.wait_for_message("/cloud", PointCloud2, timeout=50)
print(hashlib.md5(cloud.data).hexdigest(), cloud.header.frame_id, cloud.width)
"""

_DRIVE = """
import rospy, sys
from geometry_msgs.msg import Twist
rospy.init_node("driver")
publisher = rospy.Publisher("/cmd_vel", Twist, queue_size=10)
for _ in range(200):
    message = Twist()
    message.linear.x = 0.75
    publisher.publish(message)
    rospy.rostime.wallsleep(0.05)
    if publisher.get_num_connections() and _ > 60:
        break
"""


@pytest.mark.slow
@needs_ros1
def test_ros_1_sees_the_rates_and_the_exact_bytes_and_drives(tmp_path):
    master = Master("127.0.0.1", 0, "localhost")
    master.start()
    try:
        with served() as sim, talking(sim):
            options = f"master={master.uri},host=localhost"
            with node(sim, "--ros1", "--options", options):
                wait_until(
                    lambda: "/imu" in ros(master.uri, tmp_path, "rostopic", "list").split(),
                    "the topics in ROS",
                    60.0,
                )
                md5, frame, width = rospy(master.uri, tmp_path, _RECEIVE).split()
                assert md5 == hashlib.md5(DATA.tobytes()).hexdigest()
                assert (frame, width) == ("velodyne", str(SIZE))
                assert _rate(master.uri, tmp_path, "/imu") == pytest.approx(50.0, rel=0.1)
                box = sim.bus.subscribe("/cmd_vel")
                rospy(master.uri, tmp_path, _DRIVE)
                wait_until(lambda: box.latest, "the command")
                assert box.latest[1].linear.x == 0.75
    finally:
        master.close()


def _rate(uri, home, topic):
    """Return what rostopic hz says, by simulated time."""
    command = ["rostopic", "hz", topic, "-w", "50"]
    started = subprocess.Popen(
        command, env=environment(uri, home), stdout=subprocess.PIPE, text=True
    )
    time.sleep(4.0)
    started.send_signal(signal.SIGINT)
    rates = re.findall(r"average rate: (\S+)", started.communicate(timeout=30)[0])
    assert rates
    return float(rates[-1])


@needs_rclpy
def test_an_rclpy_subscriber_sees_the_exact_bytes_and_drives():
    domain = free_domain()
    with (
        served() as sim,
        talking(sim),
        Peer(domain) as peer,
        node(sim, "--ros2", "--options", f"domain={domain}"),
    ):
        peer("subscribe", topic="/cloud", type="sensor_msgs/msg/PointCloud2")
        peer("subscribe", topic="/imu", type="sensor_msgs/msg/Imu")
        assert peer("wait", topic="/cloud", count=2, timeout=60) >= 2
        found = peer("messages", topic="/cloud", first=0, last=1)[0]
        assert base64.b64decode(found["data"]) == DATA.tobytes()
        assert found["header"]["frame_id"] == "velodyne"
        peer("clear", topic="/imu")
        assert peer("wait", topic="/imu", count=50, timeout=60) >= 50
        stamps = peer("stamps", topic="/imu")[0]
        assert set(np.diff(stamps[:50])) == {1_000_000_000}  # none is missing
        box = sim.bus.subscribe("/cmd_vel")
        twist = {"linear": {"x": 0.5}}
        peer("publish", topic="/cmd_vel", type="geometry_msgs/msg/Twist", message=twist, count=5)
        wait_until(lambda: box.latest, "the command")
        assert box.latest[1].linear.x == 0.5


def test_the_command_says_what_is_missing():
    for arguments in ((), ("--ros1", "--ros2")):
        command = [sys.executable, "-m", "outrider", "udp-bridge", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
        assert done.returncode == 2
        assert "give either --ros1 or --ros2" in done.stderr
