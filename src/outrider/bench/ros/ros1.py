"""ROS 1: the latency of a cloud, the cost of a full load, and of an idle bridge."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from outrider.bench.measurement import Measurement
from outrider.bench.ros import measures as ros_measures
from outrider.bench.ros import ros1_node
from outrider.bench.ros.load import CLOUD, POINTS, bare
from outrider.bench.ros.measures import COUNT, LISTEN_S, PERIOD_S, Process, ages_at
from outrider.bridges.bridge import Bridge
from outrider.bridges.ros1.bridge import Ros1Bridge
from outrider.bus.bus import Bus

_PYTHON = "/usr/bin/python3"  # where Debian has rospy


class Ros1:
    """Benchmarks of the ROS 1 bridge, beside rospy itself in the same run."""

    name, peer = "ROS 1", "rospy"
    idle_bridge = "ros1:master=own,port=0"
    fed_bridge = "ros1:master=own,port=0,sim_time=false"
    settle_s, linger_s = 1.0, 2.0

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other; what needs rospy is left out where there is none."""
        if shutil.which("rostopic") and Path(_PYTHON).exists():
            yield ros_measures.latency(self)
            yield from ros_measures.load(self)
        yield ros_measures.idle(self)
        yield ros_measures.step(self)

    def listen(self, bridge: Bridge, seconds: float, *topics: str) -> Process:
        """Start a listener of rospy."""
        return _started(bridge, "listen", seconds, *topics)

    def peer_ages(self) -> list[float]:
        """Return how old clouds are from one process of rospy to another."""
        with ros_measures.started(self, bare(Bus())) as bridge:
            listener = self.listen(bridge, LISTEN_S, f"/points={CLOUD}")
            talker = _started(bridge, "talk", "/points", 22 * POINTS, COUNT, PERIOD_S)
            ages = ages_at(listener)["/points"]
            talker.wait(timeout=30)
        return ages


def _started(bridge: Bridge, *arguments: object) -> Process:
    """Start a node of rospy that knows the bridge's own master."""
    uri = cast(Ros1Bridge, bridge).node.master
    env = {
        "PATH": os.environ["PATH"],
        "ROS_MASTER_URI": uri,
        "ROS_HOSTNAME": "localhost",
        "HOME": os.environ.get("HOME", "/tmp"),
    }
    command = [_PYTHON, ros1_node.__file__, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
