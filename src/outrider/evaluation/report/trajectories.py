"""Trajectories, maps and errors along the way."""

from pathlib import Path

import numpy as np

from outrider.core.frames import Array
from outrider.evaluation.measures.checkpoints import ErrorCurve, checkpoint_curve
from outrider.evaluation.measures.pose_error import absolute_errors, aligned, paired
from outrider.evaluation.measures.trajectory import Trajectory
from outrider.evaluation.report.curve_pictures import draw_checkpoints, draw_errors
from outrider.evaluation.report.document import Block, Heading, ReportImage
from outrider.evaluation.report.map_pictures import draw_grids, draw_ways
from outrider.evaluation.runs.folder import SavedRun, true_map_of
from outrider.evaluation.runs.map_accuracy import places_of
from outrider.scenarios.movers.driven_robot import driven
from outrider.scenarios.scenario import RobotEntry, Scenario


def ways_and_maps(
    folder: Path, runs: list[SavedRun], scenario: Scenario, real: ErrorCurve | None
) -> list[Block]:
    """Return figures of maps and trajectories, and the errors along them."""
    pictures = folder / "figures"
    truth = true_map_of(folder)
    planned = np.array(places_of(_planned_robot(scenario), scenario), np.float64)
    blocks: list[Block] = [Heading("Path and map")]
    grids = [grid for run in runs if (grid := run.grid()) is not None]
    if grids and truth is not None:
        path = draw_grids(pictures / "grids.png", grids, truth, planned)
        blocks.append(
            ReportImage(
                path,
                f"Aggregated occupancy grids of {len(grids)} runs; black:"
                " occupied in all, grey: unknown; red: the truth.",
            )
        )
    true = [(name, way) for run in runs for name, way in run.truth().items() if len(way)]
    estimated = [way for run in runs if (way := _estimate(run, scenario)) is not None]
    if true:
        path = draw_ways(pictures / "ways.png", true, estimated, truth, planned)
        blocks.append(
            ReportImage(
                path,
                "True and estimated paths of all runs on the true map."
                if estimated
                else "The paths of all robots in all runs.",
            )
        )
    return [*blocks, *_curves(pictures, runs, scenario, real)]


def _planned_robot(scenario: Scenario) -> RobotEntry:
    return scenario.robots[0] if scenario.autonomy is None else driven(scenario)


def _estimate(run: SavedRun, scenario: Scenario) -> Trajectory | None:
    found = _pair(run, scenario)
    return None if found is None else found[0]


def _pair(run: SavedRun, scenario: Scenario) -> tuple[Trajectory, Trajectory] | None:
    """Return the estimated trajectory, aligned to the true one at its start, and the true one."""
    estimate = run.estimate()
    if estimate is None or scenario.autonomy is None:
        return None
    known, true = paired(estimate, run.truth()[driven(scenario).name])
    return None if len(known) < 2 else (aligned(known, true), true)


def _curves(
    pictures: Path, runs: list[SavedRun], scenario: Scenario, real: ErrorCurve | None
) -> list[Block]:
    lines: list[tuple[str, Array, Array, Array]] = []
    sums: list[tuple[str, ErrorCurve]] = []
    for run in runs:
        pair = _pair(run, scenario)
        if pair is not None:
            errors = absolute_errors(*pair)
            name = f"seed {run.result['seed']}"
            lines.append((name, pair[1].distances, errors.position_m, errors.rotation_deg))
            sums.append((name, checkpoint_curve(*pair)))
    if not lines:
        return []
    return [
        Heading("Localization errors over distance"),
        ReportImage(draw_errors(pictures / "errors.svg", lines), "Errors of every run."),
        ReportImage(
            draw_checkpoints(pictures / "checkpoints.svg", sums, real),
            "Squared position errors added up over checkpoints one metre apart.",
        ),
    ]
