"""ROS 2: the latency of a cloud, the cost of a full load, and of an idle bridge."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from outrider.bench.measurement import Measurement
from outrider.bench.ros import measures as ros_measures
from outrider.bench.ros import ros2_node
from outrider.bench.ros.load import CLOUD, cloud
from outrider.bench.ros.measures import COUNT, LISTEN_S, PERIOD_S, Process, ages_at
from outrider.bridges.bridge import Bridge
from outrider.messages.store import store

_DOMAIN = 1 + os.getpid() % 100


class Ros2:
    """Benchmarks of the ROS 2 bridge, beside rclpy itself in the same run."""

    name, peer = "ROS 2", "rclpy"
    idle_bridge = fed_bridge = f"ros2:domain={_DOMAIN}"
    settle_s = 4.0  # the other end must have found us, too: it may take a heartbeat of 3 s
    linger_s = 3.0

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other; without rclpy there is nothing to measure."""
        if find_spec("rclpy") is None:
            return
        yield ros_measures.latency(self)
        yield from ros_measures.load(self)
        yield ros_measures.idle(self)
        yield ros_measures.step(self)

    def listen(self, _bridge: Bridge | None, seconds: float, *topics: str) -> Process:
        """Start a listener of rclpy."""
        return _started("listen", seconds, *topics)

    def peer_ages(self) -> list[float]:
        """Return how old clouds are from one process of rclpy to another."""
        with tempfile.NamedTemporaryFile(suffix=".cdr") as file:
            Path(file.name).write_bytes(store().serialize_cdr(cloud(0), CLOUD))
            listener = self.listen(None, LISTEN_S, f"/points={CLOUD}")
            talker = _started("talk", "/points", CLOUD, file.name, COUNT, PERIOD_S)
            ages = ages_at(listener)["/points"]
            talker.wait()
        return ages


def _started(action: str, *arguments: object) -> Process:
    env = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    command = [sys.executable, ros2_node.__file__, action, str(_DOMAIN), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
