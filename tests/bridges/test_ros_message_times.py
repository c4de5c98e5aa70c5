"""When messages were measured and when they arrive, by real rospy and rclpy nodes."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from ros1_bench import needs_ros1, rospy, running
from ros2_domain import free_domain
from ros2_live import Live

from outrider.scenarios.load import loads

pytestmark = pytest.mark.peer

LATE_S, PERIOD_S, COUNT = 0.3, 0.1, 20
SPEED = 0.2  # of real time: what a message takes on its way is small in simulated time
TOPICS = ("/late/data", "/soon/data")

# What stands around it is the node: it has the newest time of /clock when a message arrives.
NOTES = f"""
import json
now, found = [0], {{name: [] for name in {TOPICS}}}

def tick(m):
    now[0] = nanoseconds(m.clock)

def note(name):
    return lambda m: found[name].append((nanoseconds(m.header.stamp), now[0])) if now[0] else None

def done():
    return all(len(rows) >= {COUNT} for rows in found.values())
"""
ROS1 = f"""
import rospy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu
{NOTES}
def nanoseconds(t):
    return t.secs * 10**9 + t.nsecs
rospy.init_node("judge")
rospy.Subscriber("/clock", Clock, tick, tcp_nodelay=True)
for name in found:
    rospy.Subscriber(name, Imu, note(name), tcp_nodelay=True)
while not done():
    rospy.rostime.wallsleep(0.05)
print(json.dumps(found))
"""
ROS2 = f"""
import sys
import rclpy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu
from rclpy.qos import qos_profile_sensor_data
{NOTES}
def nanoseconds(t):
    return t.sec * 10**9 + t.nanosec
rclpy.init(domain_id=int(sys.argv[1]))
node = rclpy.create_node("judge")
node.create_subscription(Clock, "/clock", tick, qos_profile_sensor_data)
for name in found:
    node.create_subscription(Imu, name, note(name), qos_profile_sensor_data)
while not done():
    rclpy.spin_once(node, timeout_sec=0.2)
print(json.dumps(found))
"""


SCENARIO = f"""
world: empty
robots:
  - model: jackal
    sensors:
      - name: late
        model: ideal-imu
        rate_hz: 10
        latency_s: {LATE_S}
        topics: {{data: late/data}}
      - {{name: soon, model: ideal-imu, rate_hz: 10, latency_s: 0, topics: {{data: soon/data}}}}
duration_s: null
"""


def judge(said: str) -> None:
    """Stamps are when it was measured; messages arrive after the latency, and not before."""
    for name, rows in json.loads(said.splitlines()[-1]).items():
        stamps, arrived = np.array(rows[:COUNT], np.int64).T * 1e-9
        assert np.diff(stamps) == pytest.approx(PERIOD_S, abs=1e-9)
        assert stamps / PERIOD_S == pytest.approx(np.rint(stamps / PERIOD_S), abs=1e-6)
        late = arrived - stamps
        expected = LATE_S if name == TOPICS[0] else 0.0
        # /clock and the message come on two ways: one may be a few steps ahead of the other
        assert np.median(late) == pytest.approx(expected, abs=0.015), name
        assert late.min() > expected - 0.03, name


@pytest.mark.slow
@needs_ros1
def test_a_rospy_node_gets_messages_with_the_time_of_measurement_after_their_latency(tmp_path):
    scenario = replace(loads(SCENARIO), bridges=("ros1:master=own,port=0",))
    with running(scenario, speed=SPEED) as sim:
        judge(rospy(sim.uri, tmp_path, ROS1))


@pytest.mark.slow
def test_an_rclpy_node_gets_messages_with_the_time_of_measurement_after_their_latency():
    pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
    domain = free_domain("message times")
    env = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    live = Live(SCENARIO, domain, speed=SPEED)
    try:
        command = [sys.executable, "-c", ROS2, str(domain)]
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, timeout=150, check=True
        )
    finally:
        live.close()
    judge(done.stdout)
