"""Nodes of the real AutoMiny, unchanged, with both sets of topics: rospy and the car's messages."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ros1_bench import PYTHON, generated, needs_ros1, program, rospy, running
from waiting import wait_until

from outrider.props.textures import lanes
from outrider.scenarios.load import load
from outrider.scenarios.scenario import RobotEntry

pytestmark = [pytest.mark.peer, needs_ros1]
BRIDGE = "ros1:master=own,port=0"
EXAMPLES = Path(__file__).parents[3] / "examples" / "autominy"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("ros")


@pytest.fixture(scope="module")
def messages(home):
    return str(generated(home, "autominy_msgs"))


AUTOMINY = """
from autominy_msgs.msg import SpeedCommand, SteeringCommand, Tick
speed = rospy.Publisher("/actuators/speed", SpeedCommand, queue_size=1)
steering = rospy.Publisher("/actuators/steering", SteeringCommand, queue_size=1)
rospy.Subscriber("/sensors/arduino/ticks", Tick, lambda m: ticks.append(m.value))
commands = SpeedCommand(value=0.5), SteeringCommand(value=0.2)
"""
OLDER = """
from std_msgs.msg import Int16, UInt8
speed = rospy.Publisher("/manual_control/speed", Int16, queue_size=1)
steering = rospy.Publisher("/steering", UInt8, queue_size=1)
rospy.Subscriber("/ticks", UInt8, lambda m: ticks.append(m.data))
commands = Int16(200), UInt8(120)
"""
BEFORE = """
import rospy, time
rospy.init_node("driver")
ticks = []
"""
AFTER = """
while not (ticks and speed.get_num_connections() and steering.get_num_connections()):
    time.sleep(0.02)
end = rospy.get_time() + 4.0
while rospy.get_time() < end:
    speed.publish(commands[0])
    steering.publish(commands[1])
    rospy.sleep(0.05)
print(sum(ticks))
"""


def ticks_of(node, car, home):
    """Return the ticks that a node counts while it drives for four seconds."""
    return int(rospy(car.uri, home, BEFORE + node + AFTER).split()[-1])


def test_a_node_of_the_real_autominy_drives_the_simulated_one(home, messages):
    head = f"import sys; sys.path.insert(0, {messages!r})\n"
    with running(robots=(RobotEntry("autominy"),)) as car:
        counted = ticks_of(head + AUTOMINY, car, home)
        x, y, _ = car.pose("autominy").position
    assert math.hypot(x, y) > 0.8
    assert y > 0.05  # to the left
    assert counted * 0.0027 == pytest.approx(2.0, abs=0.6)  # metres per tick, about 2 m


@pytest.mark.slow
def test_a_lane_follower_keeps_the_car_between_the_lines_of_its_lane_round_a_bend(home, messages):
    middle, radii = (lanes.INNER + lanes.OUTER) / 2, []
    with running(world="autominy-lab-minimal", robots=(RobotEntry("autominy"),)) as car:
        node = (PYTHON, str(EXAMPLES / "lane_follower.py"))

        def round_the_bend():
            x, y, _ = car.pose("autominy").position
            radii.append(math.hypot(x, max(y - lanes.STRAIGHT / 2, 0.0)))
            return x < 0

        with program(car.uri, home, *node, PYTHONPATH=messages):
            wait_until(round_the_bend, "half of the bend", 200)
    assert len(radii) > 20
    assert min(radii) > lanes.INNER
    assert max(radii) < middle


def test_a_node_for_the_older_cars_drives_with_plain_numbers(home):
    scenario = replace(load(EXAMPLES / "older_topics.yaml"), bridges=(BRIDGE,), duration_s=None)
    with running(scenario) as car:
        start = car.pose("autominy").position.copy()
        counted = ticks_of(OLDER, car, home)
        moved = car.pose("autominy").position - start
    assert np.linalg.norm(moved[:2]) > 0.8
    assert moved[0] < -0.05  # it looks along y: to the left
    assert counted / 173 == pytest.approx(2.0, abs=0.6)  # ticks per metre, about 2 m
