"""Sweeps: two workers against one, memory, the start of a run; environments for learning."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from outrider.bench.learning.environments import Environments
from outrider.bench.measurement import Measurement, middle
from outrider.core.files.yaml_file import yaml_text
from outrider.core.structure import Data
from outrider.sweeps.job import Job, jobs_of
from outrider.sweeps.load import load_sweep
from outrider.sweeps.options import SweepOptions, workers

_RUNS = int(os.environ.get("OUTRIDER_BENCH_RUNS", "8"))  # per worker
_DRIVE = {  # 60 s among the olive trees with a VLP-16, no autonomy
    "scenario": "hratc-path",
    "set": {
        "duration_s": 60,
        "end": [],
        "expect": [],
        "robots.0.sensors": [{"name": "velodyne", "model": "platt-vlp16", "pose": {"z": 0.3}}],
    },
}


@dataclass(frozen=True, slots=True)
class Shift:
    """What a number of workers did."""

    workers: int
    wall_s: float
    lines: Sequence[Data]

    @property
    def runs_per_minute(self) -> float:
        """Throughput after the first run of each worker."""
        return 60 * len(self.lines) / self.wall_s

    def figures(self, name: str) -> list[float]:
        """Return a figure of all runs."""
        return [float(line["result"][name]) for line in self.lines]


class SweepBenchmarks:
    """Benchmarks of sweeps: rows of one table, from each of ``ROWS``."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        for rows in ROWS:
            yield from rows()


def local_workers() -> Iterator[Measurement]:
    """Measure one worker, then two."""
    one, two = _shift(1), _shift(2)
    yield Measurement(
        "sweep, 60 s HRATC LiDAR drives, one worker", one.runs_per_minute, "runs/min", "higher"
    )
    yield Measurement("sweep, two workers", two.runs_per_minute, "runs/min", "higher")
    gain = two.runs_per_minute / one.runs_per_minute
    yield Measurement("sweep, two workers against one", gain, "x", "higher", limit=1.8)
    memory, spread = middle(one.figures("memory_mb") + two.figures("memory_mb"))
    yield Measurement("sweep, memory per worker", memory, "MB", "lower", spread, limit=400)
    start, spread = middle(one.figures("start_time_s"))
    yield Measurement("sweep, start of a run", start, "s", "lower", spread, limit=0.5)
    work = [_work_s(line["result"]) for line in one.lines]
    cost, spread = middle([60 * s for s in work])  # of 60 simulated seconds each
    yield Measurement(
        "sweep, processor time per simulated hour", cost, "s", "lower", spread, limit=3600
    )


def environments() -> Iterator[Measurement]:
    """Measure environments for learning, where Gymnasium and PyBullet are installed."""
    if find_spec("gymnasium") and find_spec("pybullet"):
        yield from Environments()()


ROWS = [local_workers, environments]


def _work_s(result: Data) -> float:
    """Return the processor time of a run, start included."""
    return float(result["wall_time_s"] * result["cpu_percent"] / 100 + result["start_time_s"])


def _shift(count: int) -> Shift:
    """Let workers do some runs after a first one each, in which they build the world."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drive.yaml"
        path.write_text(yaml_text({**_DRIVE, "repeats": count * (_RUNS + 1)}))
        found = load_sweep(path)
        jobs = jobs_of(found)
        with workers(found, SweepOptions(Path(folder) / "out", jobs=count)) as pool:
            _all(pool.run(_shortened(job) for job in jobs[:count]))
            began_s = time.perf_counter()
            lines = _all(pool.run(jobs[count:]))
            return Shift(count, time.perf_counter() - began_s, lines)


def _shortened(job: Job) -> Job:
    return Job(job.run, {"duration_s": 1.0}, job.seed)


def _all(lines: Iterator[Data]) -> list[Data]:
    found = list(lines)
    for line in found:
        if not line["completed"]:
            raise RuntimeError(f"run {line['run']} failed: {line['reason']}")
    return found
