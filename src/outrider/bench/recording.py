"""Recording: what it costs the loop, and how fast messages reach the disk."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from outrider.bench.measurement import Measurement, middle
from outrider.bus.channel import Channel
from outrider.core.errors import RecordingError
from outrider.messages.point_cloud import packed_cloud
from outrider.messages.types import Image, Message, PointCloud2, PointField, header
from outrider.recording.recorder import Recorder, RecordingOptions, Report
from outrider.scenarios.api import load, robot
from outrider.sim.pacing import Pacer
from outrider.sim.simulation import Simulation

_SECONDS = 3
_REPEATS = 5
_FLAT_OUT_S = 20
_LIMIT_PERCENT = 15.0
_CHANNELS = {
    "/front/left/image_raw": ("sensor_msgs/msg/Image", 20),
    "/front/right/image_raw": ("sensor_msgs/msg/Image", 20),
    "/mid/points": ("sensor_msgs/msg/PointCloud2", 10),
}
_POINTS = 28_800  # of a VLP-16's revolution at 10 Hz
_SHARE = "a core's time in the loop that recording takes, MCAP, stereo 20 Hz and clouds 10 Hz"


class Recording:
    """A driving Jackal; stereo 1024x768 at 20 Hz and clouds at 10 Hz are given to the bus."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        with tempfile.TemporaryDirectory(prefix="outrider-bench-") as folder:
            yield from self._cost(Path(folder))
            yield from self._flat_out(Path(folder))

    def _cost(self, folder: Path) -> Iterator[Measurement]:
        """Drive in real time with and without a recorder, in turns."""
        stage = _Stage()
        stage.drive(1.0, speed=0.0)
        shares, own, missing = [], [], 0
        for number in range(_REPEATS):
            alone = stage.drive(_SECONDS, speed=1.0)
            with stage.recorder(folder / f"{number}.mcap", lossless=False) as recorder:
                recorded = stage.drive(_SECONDS, speed=1.0)
            wall, cpu = (100.0 * (r - a) / _SECONDS for r, a in zip(recorded, alone, strict=True))
            shares.append(wall)
            own.append(cpu)
            missing += recorder.report.dropped.total() + stage.missing(recorder.report, _SECONDS)
            recorder.report.files[0].unlink()
        for name, found in (
            (_SHARE, shares),
            ("of that, the loop's own work, without waiting for the interpreter", own),
        ):
            share, spread = middle(found)
            yield Measurement(name, share, "%", "lower", spread, limit=_LIMIT_PERCENT)
        yield Measurement("messages left out in real time", float(missing), "", "lower", limit=0.5)

    def _flat_out(self, folder: Path) -> Iterator[Measurement]:
        """Record as fast as it goes, without losses."""
        for name in ("flat.mcap", "flat.bag", "flat.rosbag2"):
            stage = _Stage()
            began = time.perf_counter()
            with stage.recorder(folder / name, lossless=True) as recorder:
                stage.drive(_FLAT_OUT_S, speed=0.0)
            seconds = time.perf_counter() - began
            lost = recorder.report.dropped.total() + stage.missing(recorder.report, _FLAT_OUT_S)
            if lost:
                raise RecordingError(f"{name}: {lost} messages are not in it, flat out")
            yield Measurement(
                f"written without losses, flat out, {name.partition('.')[2]}",
                _said_bytes(recorder.report, stage) / seconds / 1e6,
                "MB/s",
                "higher",
                limit=stage.bytes_per_s() / 1e6,  # less, and minutes in real time have gaps
            )


class _Stage:
    """A simulation, and messages that are made once and said again and again."""

    def __init__(self) -> None:
        self.simulation = Simulation(load("empty"), [robot("jackal")])
        self.simulation.robots["jackal"].drive(0.5)
        self._messages = {name: _messages(kind) for name, (kind, _) in _CHANNELS.items()}
        self._channels: dict[str, Channel] = {}
        for name, (kind, rate) in _CHANNELS.items():
            if not name.startswith("/front"):
                self._channels[name] = self.simulation.bus.declare(name, kind, rate_hz=rate)
            else:  # the Jackal's own, whose pictures nobody is to take here
                other = name.replace("/front", "/stage")
                self._channels[name] = self.simulation.bus.declare(other, kind, rate_hz=rate)

    def recorder(self, path: Path, *, lossless: bool) -> Recorder:
        topics = tuple(channel.name for channel in self._channels.values())
        others = ("/clock", "/tf*", "/imu/data", "/ground_truth/*")
        options = RecordingOptions(path, (*topics, *others), lossless=lossless)
        return Recorder(self.simulation.bus, options, now_ns=lambda: self.simulation.time_ns)

    def missing(self, report: Report, seconds: int) -> int:
        """Return how many pictures and clouds are not in a recording of so long."""
        said = {self._channels[name].name: rate * seconds for name, (_, rate) in _CHANNELS.items()}
        return sum(abs(count - report.counts[topic]) for topic, count in said.items())

    def bytes_per_s(self) -> float:
        """Return what is said in a second of real time."""
        return float(
            sum(rate * self._messages[name][0].data.nbytes for name, (_, rate) in _CHANNELS.items())
        )

    def size(self, topic: str) -> int:
        """Return the bytes of one message of a topic."""
        for name, channel in self._channels.items():
            if channel.name == topic:
                return int(self._messages[name][0].data.nbytes)
        return 0

    def drive(self, seconds: float, *, speed: float) -> tuple[float, float]:
        """Step for some simulated time; return the wall and CPU seconds of the steps."""
        pacer = Pacer(speed)
        pacer.start(self.simulation.time_ns)
        end_ns = self.simulation.time_ns + round(seconds * 1e9)
        wall = cpu = 0.0
        while self.simulation.time_ns < end_ns:
            began, worked = time.perf_counter(), time.thread_time()
            self.simulation.step()
            self._speak(self.simulation.time_ns)
            wall += time.perf_counter() - began
            cpu += time.thread_time() - worked
            pacer.wait(self.simulation.time_ns)
        return wall, cpu

    def _speak(self, now_ns: int) -> None:
        for name, (_, rate) in _CHANNELS.items():
            period_ns = round(1e9 / rate)
            if now_ns % period_ns == 0:
                several = self._messages[name]
                self._channels[name].publish(several[now_ns // period_ns % len(several)], now_ns)


def _messages(kind: str) -> list[Message]:
    random = np.random.default_rng(1)
    make = _image if kind == Image.__msgtype__ else _cloud
    return [make(random) for _ in range(4)]


def _image(random: np.random.Generator) -> Image:
    """Return a soft picture under the noise that our cameras have."""
    x, y = np.meshgrid(np.linspace(0, 6, 1024), np.linspace(0, 4, 768))
    soft = 128 + 80 * np.sin(x)[..., None] * np.cos(y)[..., None] * np.array([1.0, 0.8, 0.5])
    noisy = np.clip(soft + random.normal(0, 0.007 * 255, soft.shape), 0, 255).astype(np.uint8)
    return Image(header(0, "camera"), 768, 1024, "rgb8", 0, 3072, noisy.ravel())


def _cloud(random: np.random.Generator) -> PointCloud2:
    """Return points as a VLP-16 has them: x y z intensity, and 6 bytes more."""
    fields = [PointField(name, 4 * k, 7, 1) for k, name in enumerate(("x", "y", "z", "intensity"))]
    data = np.zeros((_POINTS, 22), np.uint8)
    values = random.normal(0, 20, (_POINTS, 4)).astype(np.float32)
    data[:, :16] = values.view(np.uint8).reshape(_POINTS, 16)
    return packed_cloud(header(0, "mid"), data.ravel(), fields, 22)


def _said_bytes(report: Report, stage: _Stage) -> float:
    return float(sum(count * stage.size(topic) for topic, count in report.counts.items()))
