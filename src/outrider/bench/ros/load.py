"""The load of a ROS bridge in a benchmark: clouds and stereo images at their rates."""

import time
from collections.abc import Callable

import numpy as np

from outrider.bridges.bridge import Outside
from outrider.bus.bus import Bus
from outrider.core.structure import Data
from outrider.messages.point_cloud import packed_cloud
from outrider.messages.types import Image, Message, PointField, header
from outrider.sim.simulation import Simulation

CLOUD, IMAGE = "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/Image"
POINTS = 14_400
_NOISE = np.random.default_rng(1).integers(0, 255, 22 * POINTS, np.uint8)
_PICTURE = np.random.default_rng(2).integers(0, 255, 1024 * 768 * 3, np.uint8)


def cloud(time_ns: int) -> Message:
    """Return a cloud as a VLP-16 gives in a tenth of a second."""
    fields = [PointField(name, 4 * i, 7, 1) for i, name in enumerate(("x", "y", "z", "intensity"))]
    fields += [PointField("ring", 16, 4, 1), PointField("time", 18, 7, 1)]
    return packed_cloud(header(time_ns, "velodyne"), _NOISE, fields, 22)


def picture(time_ns: int) -> Message:
    """Return one half of a stereo pair of 1024x768."""
    return Image(header(time_ns, "camera"), 768, 1024, "rgb8", 0, 3072, _PICTURE)


def bare(bus: Bus) -> Outside:
    """Return what a bridge sees where there is nothing but a bus."""

    def nothing(_: Data) -> Data:
        return {"paused": False, "speed": 1.0, "steps": 0}

    names = ("status", "pause", "resume", "reset", "step", "stop")
    return Outside(bus, dict.fromkeys(names, nothing), time.monotonic_ns, list)


def wait(ready: Callable[[], bool], most_s: float = 30.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + most_s
    while not ready() and time.monotonic() < end:
        time.sleep(0.01)


class Feeder:
    """A driver that puts ready-made clouds and pictures on the bus at their rates."""

    def __init__(self, bus: Bus) -> None:
        rows = (
            ("/points", CLOUD, 10, cloud),
            ("/left", IMAGE, 20, picture),
            ("/right", IMAGE, 20, picture),
        )
        self.channels = {
            name: (bus.declare(name, kind, rate_hz=hz), round(1e9 / hz), make)
            for name, kind, hz, make in rows
        }
        self._next_ns = dict.fromkeys(self.channels, 0)
        self.sent = dict.fromkeys(self.channels, 0)

    def __call__(self, simulation: Simulation) -> None:
        """Say what is due."""
        for name, (channel, period_ns, make) in self.channels.items():
            if simulation.time_ns >= self._next_ns[name]:
                channel.offer(make, simulation.time_ns)
                self._next_ns[name] += period_ns
                self.sent[name] += 1

    @property
    def heard(self) -> bool:
        """Whether somebody listens to all of it."""
        return all(channel.info().subscribers for channel, _, _ in self.channels.values())
