"""The core loop: the cost of a step, its growth with robots, the time to the first message."""

import json
import subprocess
import sys
from collections.abc import Iterator

import mujoco

from outrider.bench import bare_mujoco, terrain
from outrider.bench.measurement import Measurement, median_time, middle

_STEPS = 400  # one second of simulated time at the default step
_REPEATS = 15
_SMALL, _LARGE = 95, 1171  # cells a side: 18,050 and 2,742,482 triangles


class CoreLoop:
    """Steps per second, real-time factors and the cost of several robots."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from self._steps("18k triangles", _SMALL)
        yield from self._steps("2.7M triangles", _LARGE)
        yield self._five()
        yield from self._start()

    def _steps(self, what: str, cells: int) -> Iterator[Measurement]:
        simulation = terrain.driving(cells, 1)
        seconds, spread = median_time(lambda: simulation.run(1.0), _REPEATS)
        per_step, around = seconds / _STEPS * 1e6, spread / _STEPS * 1e6
        peers = {"MuJoCo, its own wheels": self._bare(cells)}
        yield Measurement(
            f"whole step, Husky, {what}", per_step, "us", "lower", around, peers, limit=50.0
        )
        yield Measurement(
            f"real-time factor, Husky, {what}",
            1 / seconds,
            "x",
            "higher",
            spread / seconds**2,
            limit=50.0,
        )

    def _bare(self, cells: int) -> float:
        model, data = bare_mujoco.make(cells)

        def second() -> None:
            for _ in range(_STEPS):
                mujoco.mj_step(model, data)

        return median_time(second, _REPEATS)[0] / _STEPS * 1e6

    def _five(self) -> Measurement:
        one, five = terrain.driving(_SMALL, 1), terrain.driving(_SMALL, 5)
        one_s, _ = median_time(lambda: one.run(1.0), _REPEATS)
        seconds, spread = median_time(lambda: five.run(1.0), _REPEATS)
        return Measurement(
            "five Huskies against one", seconds / one_s, "x", "lower", spread / one_s, limit=5.0
        )

    def _start(self) -> Iterator[Measurement]:
        """Start the demo in new processes; the first one may have to compile kernels."""
        starts, memory = [], []
        for _ in range(4):
            result = _demo()
            starts.append(float(result["start_time_s"]))
            memory.append(float(result["memory_mb"]))
        value, spread = middle(starts[1:])
        yield Measurement("command to first message", value, "s", "lower", spread, limit=3.0)
        value, spread = middle(memory[1:])
        yield Measurement("memory, headless demo", value, "MB", "lower", spread, limit=350.0)


def _demo() -> dict[str, float]:
    command = [sys.executable, "-m", "outrider", "run", "--headless", "--speed", "0"]
    answer = subprocess.run(
        [*command, "--duration", "1", "--json"], check=True, capture_output=True, text=True
    )
    result: dict[str, float] = json.loads(answer.stdout)
    return result
