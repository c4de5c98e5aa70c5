"""The result of one benchmark, and how times are measured."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from outrider.core.registry import Registry
from outrider.core.structure import Data

BENCHMARKS = Registry(
    "benchmark",
    {
        "spine": "outrider.bench.core_loop:CoreLoop",
        "speed": "outrider.bench.speed:Speed",
        "growth": "outrider.bench.growth:Growth",
        "sensors": "outrider.bench.sensors:SensorBench",
        "formats": "outrider.bench.formats:Formats",
        "ros1": "outrider.bench.ros.ros1:Ros1",
        "cameras": "outrider.bench.pictures.cameras:Cameras",
        "worlds": "outrider.bench.worlds:Worlds",
        "ros2": "outrider.bench.ros.ros2:Ros2",
        "recording": "outrider.bench.recording:Recording",
        "features": "outrider.bench.features:Features",
        "autonomy": "outrider.bench.autonomy:Autonomy",
        "ui": "outrider.bench.editor:EditorCost",
        "web": "outrider.bench.web.web:Web",
        "udp": "outrider.bench.udp.udp:Udp",
        "learning": "outrider.bench.learning.environments:Environments",
        "sweep": "outrider.bench.sweep:SweepBenchmarks",
        "weather": "outrider.bench.weather:WeatherCost",
    },
)

TOGETHER = {"ros": ("ros1", "ros2")}  # names that stand for several


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure with its spread, beside peers measured in the same run and the limit to reach."""

    name: str
    value: float
    unit: str
    better: Literal["higher", "lower"]
    spread: float = 0.0  # half the distance from the lower to the upper quartile
    peers: dict[str, float] = field(default_factory=dict)
    limit: float | None = None

    @property
    def ratio_to_best_peer(self) -> float | None:
        """How many times better than the best peer (above 1 is better)."""
        if not self.peers:
            return None
        if self.better == "higher":
            return self.value / max(self.peers.values())
        return min(self.peers.values()) / self.value

    @property
    def ratio_to_limit(self) -> float | None:
        """How many times better than the limit (above 1 keeps it)."""
        if self.limit is None:
            return None
        if self.better == "higher":
            return self.value / self.limit
        return self.limit / max(self.value, self.limit / 1000)  # a count of none is no infinity

    def as_json(self) -> Data:
        """Return the keys of the contract, and the spread and the limit."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "better": self.better,
            "spread": self.spread,
            "peers": self.peers,
            "limit": self.limit,
            "ratio_to_best_peer": self.ratio_to_best_peer,
            "ratio_to_limit": self.ratio_to_limit,
        }


def median_time(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Return the median wall time of some work in seconds, and its spread."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return middle(times)


def least_processor_time(work: Callable[[], object], repeats: int) -> float:
    """Return the least processor time of some work, of all threads: what else runs hardly counts.

    Not for work that waits.
    """
    return _least(work, repeats, time.process_time)


def least_time(work: Callable[[], object], repeats: int) -> float:
    """Return the least wall time of some work: on a busy machine it depends on what else runs."""
    return _least(work, repeats, time.perf_counter)


def _least(work: Callable[[], object], repeats: int, clock: Callable[[], float]) -> float:
    times = []
    for _ in range(repeats):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def middle(values: list[float]) -> tuple[float, float]:
    """Return the median and half the distance between the quartiles."""
    if len(values) < 2:
        return values[0], 0.0
    low, mid, high = statistics.quantiles(values, n=4)
    return mid, (high - low) / 2
