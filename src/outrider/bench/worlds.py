"""Worlds: start-up time and memory of the large ones, and hitches on a long drive."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from outrider.bench.measurement import Measurement, middle
from outrider.core.structure import Data

_WARM = 3


class Worlds:
    """Benchmarks of the library's large worlds and of terrain without end."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other, each in processes of its own."""
        with tempfile.TemporaryDirectory() as folder:
            yield from self._lunar(Path(folder))
            yield from self._warm("hratc", 1.5, Path(folder))
            yield from self._endless(Path(folder))

    def _lunar(self, folder: Path) -> Iterator[Measurement]:
        first = _start("lunar", folder)
        yield Measurement("lunar, cold start", first["start_time_s"], "s", "lower", limit=15.0)
        again = [_start("lunar", folder) for _ in range(_WARM)]
        value, spread = middle([run["start_time_s"] for run in again])
        yield Measurement("lunar, warm start", value, "s", "lower", spread, limit=4.0)
        value, spread = middle([run["memory_mb"] for run in again])
        yield Measurement("lunar, memory", value, "MB", "lower", spread, limit=900.0)

    def _warm(self, name: str, limit: float, folder: Path) -> Iterator[Measurement]:
        _start(name, folder)
        value, spread = middle([_start(name, folder)["start_time_s"] for _ in range(_WARM)])
        yield Measurement(f"{name}, warm start", value, "s", "lower", spread, limit=limit)

    def _endless(self, folder: Path) -> Iterator[Measurement]:
        """Cross a kilometre of 15 x 15 km at 20 m/s; the map is made before, as a user has it."""
        found = _answer([sys.executable, "-m", "outrider.bench.long_drive", str(folder)], folder)
        yield Measurement(
            "15 x 15 km, first start from a map", found["start_s"], "s", "lower", limit=10.0
        )
        yield Measurement(
            "15 x 15 km, memory on 1 km", found["memory_mb"], "MB", "lower", limit=1500
        )
        yield Measurement(  # a hitch would be a step that takes longer than it lasts
            "15 x 15 km, longest step, processor time",
            found["worked_us"],
            "us",
            "lower",
            limit=found["step_us"],
        )
        yield Measurement("15 x 15 km, longest step, wall time", found["longest_us"], "us", "lower")
        yield Measurement("15 x 15 km, median step at 20 m/s", found["median_us"], "us", "lower")


def _start(world: str, folder: Path) -> Data:
    """Start a Jackal in a world; by its name alone, a scenario of the same name would start."""
    file = folder / f"start-{world}.yaml"
    file.write_text(f"world: {world}\nrobots: [{{model: jackal}}]\n")
    command = [sys.executable, "-m", "outrider", "run", str(file), "--headless", "--no-ui"]
    return _answer([*command, "--speed", "0", "--duration", "0.1", "--json"], folder)


def _answer(command: list[str], folder: Path) -> Data:
    """Run a process with a cache of its own and return what it prints as JSON."""
    env = {**os.environ, "OUTRIDER_CACHE": str(folder / "cache")}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    found: Data = json.loads(done.stdout)
    return found
