"""The result of a run: the JSON object that is a contract, and its mean over several runs."""

import math
import time
from collections.abc import Mapping
from typing import Any, TypeAlias

import psutil

from outrider.core.structure import Data
from outrider.scenarios.expectations import verdicts
from outrider.scenarios.run_metrics import RunMetrics
from outrider.scenarios.scenario import Scenario
from outrider.sim.runner import Runner

Result: TypeAlias = Data


class Meter:
    """Wall and processor time of this process since ``start``."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self.start()

    def start(self) -> None:
        """Begin to count."""
        self._wall_s, self._cpu_s = time.perf_counter(), time.process_time()

    def read(self) -> dict[str, float]:
        """Return what has been used since."""
        wall_s = time.perf_counter() - self._wall_s
        cpu_s = time.process_time() - self._cpu_s
        return {
            "wall_time_s": wall_s,
            "cpu_percent": 100 * cpu_s / wall_s if wall_s > 0 else 0.0,
            "memory_mb": self._process.memory_info().rss / 1e6,
            "threads": self._process.num_threads(),
        }


def make_result(
    scenario: Scenario,
    metrics: RunMetrics,
    runner: Runner,
    used: Mapping[str, float],
    start_s: float,
) -> Result:
    """Return the result of a run; sections that do not apply are None."""
    simulation = runner.simulation
    judged = verdicts(scenario, metrics)
    figures = {name: metrics.figures(name) for name in simulation.robots}
    first = next(iter(figures.values()), {"distance_m": 0.0})
    return {
        "scenario": scenario.name,
        "seed": scenario.seed,
        "completed": completed(scenario, runner) and all(item["met"] for item in judged),
        "sim_time_s": simulation.time_s,
        "wall_time_s": used["wall_time_s"],
        "real_time_factor": runner.simulated_s / max(1e-9, used["wall_time_s"]),
        "cpu_percent": used["cpu_percent"],
        "memory_mb": used["memory_mb"],
        "threads": used["threads"],
        "distance_m": first["distance_m"],
        "start_time_s": start_s,
        "localization": None,
        "mapping": None,
        "state_hash": simulation.state_hash,
        "steps": simulation.steps,
        "total_sim_time_s": runner.simulated_s,  # over all resets
        "paused_time_s": runner.paused_s,
        "dropped_time_s": runner.pacer.dropped_s,
        "collisions": sum(int(values["collisions"]) for values in figures.values()),
        "ignored_commands": sum(robot.ignored_commands for robot in simulation.robots.values()),
        "component_faults": simulation.components.faults,
        "robots": figures,
        "expectations": judged,
    }


def completed(scenario: Scenario, runner: Runner) -> bool:
    """Return whether a run came to a good end: a goal if it has one, else the end of its time."""
    finished = runner.simulation.finished
    if finished is not None:
        return finished
    if any(condition.success for condition in scenario.end):
        return False
    if scenario.autonomy is not None and scenario.autonomy.waypoints is not None:
        return False  # the last waypoint was not come to
    return scenario.duration_s is None or runner.simulation.time_s >= scenario.duration_s - 1e-9


def json_ready(value: object) -> Any:
    """Return a copy without NaN and infinity, which JSON cannot say."""
    if isinstance(value, Mapping):
        return {key: json_ready(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_ready(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
