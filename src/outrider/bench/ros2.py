"""ROS 2: how long a cloud is on its way, what a full load costs, and what an idle bridge does."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outrider.bench import ros2_node
from outrider.bench.measurement import Measurement, middle
from outrider.bridges.bridge import Outside, make_bridge
from outrider.bus.bus import Bus
from outrider.core.clock import Schedule
from outrider.messages.store import store
from outrider.messages.types import Image, Message, PointCloud2, PointField, header
from outrider.scenarios.bridging import outside_of
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run

_CLOUD, _IMAGE = "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/Image"
_POINTS = 14_400
_COUNT, _PERIOD_S = 60, 0.05
_LOAD_S = 60.0
_JACKAL = "world: empty\nrobots: [{model: jackal, motion: {type: drive, speed: 0.3}}]"


class Ros2:
    """Benchmarks of the ROS 2 bridge, beside rclpy itself in the same run."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other; without rclpy there is nothing to measure."""
        try:
            import rclpy  # noqa: F401 - only to see whether it is there
        except ImportError:
            return
        yield self._latency()
        yield from self._load()
        yield self._idle()

    def _latency(self) -> Measurement:
        """Send a cloud of 14,400 points from the bus to a callback in another process."""
        ours, spread = middle(_ages_from_bus())
        peer, _ = middle(_ages_from_rclpy())
        return Measurement(
            "ROS 2: VLP-16 cloud of 14,400 points, publish to callback", ours * 1e3, "ms", "lower",
            spread * 1e3, {"rclpy to rclpy": peer * 1e3}, limit=5.0,
        )  # fmt: skip

    def _load(self) -> Iterator[Measurement]:
        """Send clouds and stereo pictures for a minute, against the clock."""
        _, cpu_alone = _loaded(0.0)
        loaded, cpu = _loaded(_LOAD_S)
        yield Measurement(
            "ROS 2: messages lost, 10 Hz cloud and 20 Hz stereo 1024x768", loaded.lost, "",
            "lower", limit=0.5,
        )  # fmt: skip
        yield Measurement(
            "ROS 2: real-time factor under that load", loaded.factor, "x", "higher", limit=0.9
        )
        yield Measurement(
            "ROS 2: cost of that load", (cpu - cpu_alone) * 100, "% of a core", "lower"
        )

    def _idle(self) -> Measurement:
        share = _paused_share("ros2") - _paused_share("")
        return Measurement(
            "ROS 2: a bridge nobody listens to", max(share, 0.0) * 100, "% of a core", "lower",
            limit=2.0,
        )  # fmt: skip


def _domain() -> int:
    return 1 + os.getpid() % 100


def _cloud(time_ns: int) -> Message:
    fields = [PointField(name, 4 * i, 7, 1) for i, name in enumerate(("x", "y", "z", "intensity"))]
    fields.append(PointField("ring", 16, 4, 1))
    fields.append(PointField("time", 18, 7, 1))
    return PointCloud2(
        header(time_ns, "velodyne"), 1, _POINTS, fields, False, 22, 22 * _POINTS, _NOISE, True
    )


_NOISE = np.random.default_rng(1).integers(0, 255, 22 * _POINTS, np.uint8)
_PICTURE = np.random.default_rng(2).integers(0, 255, 1024 * 768 * 3, np.uint8)


def _picture(time_ns: int) -> Message:
    return Image(header(time_ns, "camera"), 768, 1024, "rgb8", 0, 3072, _PICTURE)


def _started(action: str, *arguments: object) -> "subprocess.Popen[str]":
    env = {**os.environ, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    command = [sys.executable, ros2_node.__file__, action, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)


def _ages_from_bus() -> list[float]:
    """Return how old clouds are in the callback, that were published on a bus with a bridge."""
    bus = Bus()
    channel = bus.declare("/points", _CLOUD)
    bridge = make_bridge(f"ros2:domain={_domain()}", _bare(bus))
    bridge.start()
    listener = _started("listen", _domain(), _COUNT * _PERIOD_S + 1.0, f"/points={_CLOUD}")
    _wait(lambda: channel.info().subscribers > 0)
    time.sleep(0.5)
    for _ in range(_COUNT):
        now_ns = time.monotonic_ns()
        channel.publish(_cloud(now_ns), now_ns)
        time.sleep(_PERIOD_S)
    ages = _ages(listener, "/points")
    bridge.close()
    return ages


def _ages_from_rclpy() -> list[float]:
    """Return the same for a publisher of rclpy in a process of its own."""
    with tempfile.NamedTemporaryFile(suffix=".cdr") as file:
        Path(file.name).write_bytes(store().serialize_cdr(_cloud(0), _CLOUD))
        listener = _started("listen", _domain(), _COUNT * _PERIOD_S + 1.0, f"/points={_CLOUD}")
        talker = _started("talk", _domain(), "/points", _CLOUD, file.name, _COUNT, _PERIOD_S)
        ages = _ages(listener, "/points")
        talker.wait()
    return ages


def _ages(listener: "subprocess.Popen[str]", topic: str) -> list[float]:
    out, _ = listener.communicate(timeout=120)
    found: list[int] = json.loads(out.splitlines()[-1])[topic]
    return [age * 1e-9 for age in found]


def _bare(bus: Bus) -> Outside:
    def nothing(_: dict[str, Any]) -> dict[str, Any]:
        return {"paused": False, "speed": 1.0, "steps": 0}

    names = ("status", "pause", "resume", "reset", "step", "stop")
    return Outside(bus, dict.fromkeys(names, nothing), time.monotonic_ns, list)


def _wait(ready: Callable[[], bool], most_s: float = 30.0) -> None:
    end = time.monotonic() + most_s
    while not ready() and time.monotonic() < end:
        time.sleep(0.01)


class Loaded:
    """What came of a loaded run."""

    lost = 0
    factor = 0.0


class _Feeder:
    """A driver that puts ready-made clouds and pictures on the bus at their rates."""

    def __init__(self, bus: Bus) -> None:
        self.channels = {
            "/points": (bus.declare("/points", _CLOUD, rate_hz=10), Schedule(10), _cloud),
            "/left": (bus.declare("/left", _IMAGE, rate_hz=20), Schedule(20), _picture),
            "/right": (bus.declare("/right", _IMAGE, rate_hz=20), Schedule(20), _picture),
        }
        self.next_ns = dict.fromkeys(self.channels, 0)

    def __call__(self, simulation: Any) -> None:
        for name, (channel, schedule, make) in self.channels.items():
            if simulation.time_ns >= self.next_ns[name]:
                channel.offer(make, simulation.time_ns)
                self.next_ns[name] += round(1e9 / schedule.rate_hz)

    @property
    def ready(self) -> bool:
        return all(channel.info().subscribers for channel, _, _ in self.channels.values())


def _loaded(listen_s: float) -> tuple[Loaded, float]:
    """Run a minute at real time; return losses, real-time factor and share of a core."""
    seconds = listen_s or 10.0
    run = Run(replace(loads(_JACKAL), duration_s=None), speed=1.0)
    feeder = _Feeder(run.simulation.bus)
    bridge = make_bridge(f"ros2:domain={_domain()}", outside_of(run.session, run.runner))
    bridge.start()
    topics = [f"/points={_CLOUD}", f"/left={_IMAGE}", f"/right={_IMAGE}"]
    listener = _started("listen", _domain(), seconds + 3, *topics) if listen_s else None
    if listener is not None:
        _wait(lambda: feeder.ready)
        time.sleep(1.0)  # the other end must have found us, too
    run.simulation.drivers.append(feeder)
    thread = threading.Thread(target=run.go)
    wall_s, cpu_s = time.monotonic(), time.process_time()
    thread.start()
    time.sleep(seconds)
    run.runner.stop()
    thread.join()
    wall_s, cpu_s = time.monotonic() - wall_s, time.process_time() - cpu_s
    found = Loaded()
    found.factor = run.simulation.time_s / wall_s
    if listener is not None:
        out, _ = listener.communicate(timeout=120)
        came = {name: len(ages) for name, ages in json.loads(out.splitlines()[-1]).items()}
        sent = {name: channel.count for name, (channel, _, _) in feeder.channels.items()}
        found.lost = sum(sent[name] - came[name] for name in sent)
    bridge.close()
    return found, cpu_s / wall_s


def _paused_share(bridge: str) -> float:
    """Return how much of a core a paused simulation takes."""
    run = Run(replace(loads(_JACKAL), duration_s=None))
    made = None
    if bridge:
        made = make_bridge(f"{bridge}:domain={_domain()}", outside_of(run.session, run.runner))
        made.start()
    run.runner.paused = True
    thread = threading.Thread(target=run.go)
    thread.start()
    time.sleep(1.0)
    wall_s, cpu_s = time.monotonic(), time.process_time()
    time.sleep(5.0)
    share = (time.process_time() - cpu_s) / (time.monotonic() - wall_s)
    run.runner.stop()
    thread.join()
    if made is not None:
        made.close()
    return share
