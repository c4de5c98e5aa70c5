"""One controller, three ways in: inside the process, as a rospy node, as an rclpy node."""

import math
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from ros1_bench import PYTHON, environment, needs_ros1
from ros2_domain import free_domain
from waiting import wait_until

from outrider.messages.types import Twist, Vector3
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run

pytestmark = pytest.mark.peer

ODOMETRY = "/jackal_velocity_controller/odom"
SECONDS = 6.0

# The logic itself knows no ROS: what stands around it is the node.
CONTROLLER = """
import math

def control(x, y, qz, qw):
    yaw = 2 * math.atan2(qz, qw)
    goal = (1.5, 0.8) if x < 1.0 else (2.5, -0.4)
    error = math.remainder(math.atan2(goal[1] - y, goal[0] - x) - yaw, math.tau)
    return 0.6 * max(0.0, math.cos(error)), 1.5 * error
"""
NODE = """
def react(m):
    p, q = m.pose.pose.position, m.pose.pose.orientation
    command = Twist()
    command.linear.x, command.angular.z = control(p.x, p.y, q.z, q.w)
    publisher.publish(command)
"""
ROS1 = f"""
import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
{CONTROLLER}
rospy.init_node("driver")
publisher = rospy.Publisher("/cmd_vel", Twist, queue_size=10)
{NODE}
rospy.Subscriber("{ODOMETRY}", Odometry, react)
rospy.spin()
"""
ROS2 = f"""
import sys
import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
{CONTROLLER}
rclpy.init(domain_id=int(sys.argv[1]))
node = rclpy.create_node("driver")
publisher = node.create_publisher(Twist, "/cmd_vel", 10)
{NODE}
node.create_subscription(Odometry, "{ODOMETRY}", react, 10)
rclpy.spin(node)
"""


class Course:
    """A Jackal that waits for a command at every message of its odometry."""

    def __init__(self, bridges: str) -> None:
        text = f"world: empty\nrobots: [{{model: jackal}}]\nduration_s: null\nbridges: [{bridges}]"
        self.run = Run(loads(text), speed=0)
        self.bus = self.run.simulation.bus
        self.services = self.run.runner.services()
        self.run.runner.paused = True
        self._thread = threading.Thread(target=self.run.go)
        self._thread.start()

    def path(self, ready) -> np.ndarray:
        """Return where it went, once the other end is there."""
        end = time.monotonic() + 60
        while not ready() and time.monotonic() < end:
            self.services["step"]({"steps": 8})  # the other end learns of us as time goes on
            time.sleep(0.1)
        wait_until(self._quiet, "what was said so far to be answered")
        box = self.bus.subscribe("/ground_truth/state", kept="all")
        self.services["lockstep"]({"period_s": 0.02, "timeout_s": 10.0})
        self.services["reset"]({})
        self.services["resume"]({})
        found = []
        while not found or found[-1][0] < SECONDS:
            item = box.poll()
            if item is None:
                time.sleep(0.005)
                assert time.monotonic() < end + 60, f"stuck at {found[-1:]}"
                continue
            place = item[1].pose.pose.position
            found.append((item[0] * 1e-9, place.x, place.y))
        lockstep = self.run.simulation.lockstep
        assert lockstep.missed == 0
        return np.array([row for row in found if row[0] <= SECONDS])

    def _quiet(self) -> bool:
        """Tell whether a second passes without a command."""
        commands = self.bus.channel("/cmd_vel")
        before = commands.count
        time.sleep(1.0)
        return commands.count == before

    def close(self) -> None:
        self.services["lockstep"]({})
        self.run.runner.stop()
        self._thread.join(timeout=60)


def inside() -> np.ndarray:
    names: dict = {}
    exec(CONTROLLER, names)
    course = Course("")
    box = course.bus.subscribe(ODOMETRY, kept="all", wake=(wake := threading.Event()))
    closed = threading.Event()

    def react() -> None:
        while not closed.is_set():
            wake.wait(0.1)
            wake.clear()
            while (item := box.poll()) is not None:
                pose = item[1].pose.pose
                q, p = pose.orientation, pose.position
                forward, turn = names["control"](p.x, p.y, q.z, q.w)
                command = Twist(Vector3(forward, 0.0, 0.0), Vector3(0.0, 0.0, turn))
                course.bus.publish("/cmd_vel", command, item[0])

    thread = threading.Thread(target=react)
    thread.start()
    try:
        return course.path(lambda: True)
    finally:
        course.close()
        closed.set()
        thread.join()


def outside(bridge: str, command: list[str], env: dict[str, str]) -> np.ndarray:
    course = Course(f"'{bridge}'")
    node = None
    try:
        if "ROS_MASTER_URI" in env:
            wait_until(lambda: course.run.bridges, "the bridge")
            env["ROS_MASTER_URI"] = course.run.bridges[0].node.master
        node = subprocess.Popen(command, env=env)
        heard = course.bus.subscribe("/cmd_vel", kept="latest")
        return course.path(lambda: heard.latest is not None)
    finally:
        if node is not None:
            node.kill()
            node.wait()
        course.close()


@needs_ros1
def test_the_same_controller_takes_the_same_path_inside_on_ros_1_and_on_ros_2(tmp_path):
    pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
    domain = free_domain()
    local = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    paths = {
        "inside": inside(),
        "ros1": outside("ros1:master=own,port=0", [PYTHON, "-c", ROS1], environment("", tmp_path)),
        "ros2": outside(f"ros2:domain={domain}", [sys.executable, "-c", ROS2, str(domain)], local),
    }
    assert math.dist(paths["inside"][-1, 1:], (0.0, 0.0)) > 1.5
    for name in ("ros1", "ros2"):
        assert len(paths[name]) == len(paths["inside"])
        apart = np.linalg.norm(paths[name][:, 1:] - paths["inside"][:, 1:], axis=1)
        assert apart.max() < 0.01, f"{name} is {apart.max()} m away"
