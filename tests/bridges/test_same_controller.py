"""The same controller over ROS 1 and over ROS 2, in lockstep: the same path."""

import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from ros1_bench import PYTHON, environment, needs_ros1, wait_until

from outrider.bridges.bridge import make_bridge
from outrider.scenarios.bridging import outside_of
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario

NODE = str(Path(__file__).with_name("same_node.py"))
DOMAIN = 101 + os.getpid() % 50
PERIOD_S, SECONDS = 0.02, 8.0

pytestmark = [
    pytest.mark.peer,
    needs_ros1,
    pytest.mark.skipif(find_spec("rclpy") is None, reason="rclpy is not installed"),
]


def _path(kind, tmp_path):
    """Return where the robot was every 0.1 s of simulated time, driven over a bridge."""
    run = Run(Scenario(duration_s=SECONDS), speed=1.0)
    where = {}
    robot = run.simulation.robots["jackal"]

    def note(simulation):
        if simulation.time_ns % 100_000_000 == 0:
            where[simulation.time_ns] = robot.pose.position.copy()

    run.simulation.drivers.append(note)
    text = "ros1:master=own,port=0,sim_time=false" if kind == "ros1" else f"ros2:domain={DOMAIN}"
    outside = outside_of(run.session, run.runner)
    bridge = make_bridge(text, outside)
    bridge.start()
    run.runner.paused = True
    thread = threading.Thread(target=run.go)
    thread.start()
    node = None
    try:
        node = _node(kind, bridge, tmp_path)
        inputs = run.simulation.parts().wake
        wait_until(inputs.is_set, "the node's first command", 30.0)
        outside.services["lockstep"]({"period_s": PERIOD_S, "timeout_s": 5.0})
        lockstep = run.simulation.lockstep
        outside.services["resume"]({})
        thread.join(timeout=90)
        assert not thread.is_alive()
        assert lockstep.missed == 0
    finally:
        if node is not None:
            node.kill()
            node.wait()
        run.runner.stop()
        thread.join(timeout=10)
        bridge.close()
    return np.array([where[key] for key in sorted(where)])


def _node(kind, bridge, home):
    if kind == "ros1":
        env = environment(bridge.node.master, home)
        return subprocess.Popen([PYTHON, NODE, "ros1"], env=env, cwd=home)
    env = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "PYTHONPATH": ""}
    return subprocess.Popen([sys.executable, NODE, "ros2", str(DOMAIN)], env=env, cwd=home)


def test_one_controller_drives_one_path_over_ros_1_and_ros_2(tmp_path):
    first, second = (_path(kind, tmp_path) for kind in ("ros1", "ros2"))
    time.sleep(0.1)
    length = np.linalg.norm(np.diff(first, axis=0), axis=1).sum()
    assert length > 3.0
    assert len(first) == len(second)
    apart = np.linalg.norm(first - second, axis=1).max()
    assert apart < 0.01
