"""One run with all measures: the result, whose keys are a contract, and the traces behind it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outrider.autonomy.mapping.map_files import GridMap
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.frames import Array
from outrider.core.structure import Data
from outrider.evaluation.measures.checkpoints import checkpoint_curve
from outrider.evaluation.measures.confusion import confusion
from outrider.evaluation.measures.imu import axis_figures
from outrider.evaluation.measures.pose_error import aligned, localization_figures, paired
from outrider.evaluation.measures.rates import sensor_rates
from outrider.evaluation.measures.resources import ResourceWatch, resource_figures
from outrider.evaluation.measures.trajectory import Trajectory
from outrider.evaluation.runs.facts import facts
from outrider.evaluation.runs.map_accuracy import true_map
from outrider.evaluation.runs.observer import ObservedPoses, Observer
from outrider.evaluation.runs.reachable_waypoints import check_way_points
from outrider.evaluation.runs.reasons import reason
from outrider.scenarios.conditions import robots_hit
from outrider.scenarios.expectations import with_run_verdicts
from outrider.scenarios.movers.driven_robot import driven
from outrider.scenarios.result import Result
from outrider.scenarios.run import Run, Watch
from outrider.scenarios.scenario import Collides, Scenario
from outrider.sim.simulation import Simulation
from outrider.world.assembly import WORLD

Rows = list[tuple[float, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """The raw data behind a run's figures."""

    truth: dict[str, Trajectory]  # by robot
    estimate: Trajectory
    imu: dict[str, Array]  # by robot/sensor: time, rates, specific forces
    grid: GridMap | None
    resources: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A finished run, successful or not."""

    scenario: Scenario
    result: Result
    traces: Traces


def check_ends(scenario: Scenario) -> None:
    """Refuse a scenario without a duration."""
    if scenario.duration_s is None:
        raise ConfigError(
            f"{scenario.name}: duration_s: the scenario never ends; give it a duration"
        )


def measured_run(
    scenario: Scenario,
    *,
    watch: Watch | None = None,
    truth_folder: Path | None = None,
    **options: Any,
) -> Measured:
    """Run a scenario to its end and measure it; errors on the way become its result.

    ``options`` are those of ``Run``. A scenario that cannot even begin raises.
    """
    check_ends(scenario)
    run = Run(scenario, **options)
    check_way_points(run.scenario, run.simulation)
    observer = Observer(run.scenario, run.simulation, run.session.bus)
    used = ResourceWatch(lambda: run.simulation.time_s)
    used.start()
    try:
        result = run.go(watch)
    except OutriderError as error:
        result = run.result() | {"completed": False, "error": str(error)}
    finally:
        rows = used.stop()
    traces = _traces(observer.heard, rows)
    return Measured(run.scenario, _with_figures(run, result, traces, truth_folder), traces)


def _traces(heard: ObservedPoses, rows: Rows) -> Traces:
    return Traces(
        {name: Trajectory.of(poses) for name, poses in heard.truth.items()},
        Trajectory.of(heard.estimate),
        {name: np.array(rows, np.float64).reshape(-1, 7) for name, rows in heard.imu.items()},
        heard.grid,
        rows,
    )


def _with_figures(run: Run, result: Result, traces: Traces, truth_folder: Path | None) -> Result:
    scenario = run.scenario
    navigates = scenario.autonomy is not None and scenario.autonomy.reactive is None
    if navigates:
        result = result | {"localization": _localization(traces, driven(scenario).name)}
    if traces.grid is not None:
        truth = true_map(scenario, truth_folder)
        result = result | {"mapping": confusion(traces.grid, truth)}
    result = result | {
        "met": _first_collision(run),
        "waypoints": _waypoints(result),
        "resources": resource_figures(traces.resources),
        "sensors": sensor_rates(run.simulation.sensors, run.simulation.time_s),
        "imu": {name: imu_figures(rows) for name, rows in traces.imu.items() if len(rows)},
        "facts": facts(),
    }
    result = with_run_verdicts(scenario, result)
    return result | {"reason": reason(result)}


def imu_figures(rows: Array) -> Data:
    """Return mean and range per axis of IMU samples: time, three rates, three forces."""
    out = {}
    for name, part in (("angular_velocity", rows[:, 1:4]), ("acceleration", rows[:, 4:7])):
        found = axis_figures(part)
        out[name] = {"mean": found.mean.tolist(), "range": found.range.tolist()}
    return out


def _localization(traces: Traces, robot: str) -> Data | None:
    figures = localization_figures(traces.estimate, traces.truth[robot])
    if figures is None:
        return None
    known, true = paired(traces.estimate, traces.truth[robot])
    curve = checkpoint_curve(aligned(known, true), true)
    last = float(curve.sum_mm2[-1]) if len(curve.sum_mm2) else 0.0
    return figures | {"checkpoints": len(curve.sum_mm2), "checkpoint_sum_mm2": last}


def _waypoints(result: Result) -> dict[str, int] | None:
    points = result.get("autonomy", {}).get("waypoints", [])
    if not points:
        return None
    return {"reached": sum(item["outcome"] == "reached" for item in points), "of": len(points)}


def _first_collision(run: Run) -> Data | None:
    """Return the first collision, if collisions end or fail the run."""
    simulation, scenario = run.simulation, run.scenario
    ends = any(isinstance(condition, Collides) for condition in scenario.end)
    if not ends and not any(expect.figure == "collisions" for expect in scenario.expect):
        return None
    for event in simulation.collisions:
        for robot in robots_hit(simulation, event):
            what = event.second if _is_part(simulation, event.bodies[0], robot) else event.first
            return {"robot": robot, "what": what, "time_s": event.time_ns * 1e-9}
    return None


def _is_part(simulation: Simulation, body: int, robot: str) -> bool:
    assembly = simulation.rig.assembly
    return body != WORLD and assembly.models[assembly.bodies[body].model] == robot
