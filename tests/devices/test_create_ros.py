"""A ROS driver on our serial port: real rospy, the public library pycreate2, nothing of ours."""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pytest
from ros1_bench import PYTHON, needs_ros1, program, rospy
from serial_bench import running
from waiting import free_port, wait_until

NODE = Path(__file__).parents[2] / "examples" / "user_code" / "create_ros_node.py"
ROOM = {"world": "roomba-room", "robots": [{"model": "create"}]}
pytestmark = [pytest.mark.peer, needs_ros1]

DRIVE = """
import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry

rospy.init_node("driver")
command = rospy.Publisher("cmd_vel", Twist, queue_size=1)
twist = Twist()
twist.linear.x = 0.2
place = rospy.wait_for_message("odom", Odometry, 60).pose.pose.position
while place.x < 0.4:
    command.publish(twist)
    place = rospy.wait_for_message("odom", Odometry, 60).pose.pose.position
for _ in range(3):
    command.publish(Twist())
    place = rospy.wait_for_message("odom", Odometry, 60).pose.pose.position
rospy.sleep(1.0)
place = rospy.wait_for_message("odom", Odometry, 60).pose.pose.position
print(place.x, place.y)
"""


def libraries(folder):
    """Return a folder with pycreate2 and pyserial alone: the system's Python has its own rest."""
    folder.mkdir()
    for name in ("pycreate2", "pyserial"):
        try:
            files = distribution(name).files
        except PackageNotFoundError:
            pytest.skip(f"{name} is not installed")
        for top in {file.parts[0] for file in files} - {".."}:
            (folder / top).symlink_to(distribution(name).locate_file(top))
    return str(folder)


def test_a_ros_driver_drives_the_create_over_its_serial_port_and_tells_where_it_is(tmp_path):
    libraries_path, log = libraries(tmp_path / "libraries"), tmp_path / "bytes.txt"
    port = free_port()
    uri, node = f"http://localhost:{port}", (PYTHON, str(NODE), str(tmp_path / "create"))
    with (
        program(uri, tmp_path, "rosmaster", "--core", "-p", str(port)),
        running(ROOM, tmp_path, f",log={log}") as run,
        program(uri, tmp_path, *node, PYTHONPATH=libraries_path),
    ):
        handle = run.simulation.robots["create"]
        start = handle.pose.position.copy()
        said = rospy(uri, tmp_path, DRIVE)
        wait_until(lambda: abs(handle.velocity[0]) < 1e-3, "standing")
        driven = float(np.linalg.norm((handle.pose.position - start)[:2]))
    x, y = map(float, said.split())
    assert 0.4 <= driven < 2.0
    assert x == pytest.approx(driven, abs=0.01)
    assert abs(y) < 0.01
    sent = log.read_text()
    assert " create < 80" in sent  # start
    assert "91 00 c8 00 c8" in sent  # drive direct, 200 mm/s both
    assert " create < 8e 64" in sent  # asks for all sensors
