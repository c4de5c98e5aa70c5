"""The worst runs of a sweep, and the commands that open them in the editor."""

import math
import shlex
from collections.abc import Sequence

from outrider.core.structure import Data
from outrider.evaluation.runs.figures import FIGURES
from outrider.evaluation.runs.statistics import worst
from outrider.scenarios.code_trust import component_files
from outrider.sweeps.load import LoadedSweep
from outrider.sweeps.settings import replay_command, settings
from outrider.sweeps.table import measure_names, measures
from outrider.sweeps.verdict import begun, judge

EXPECTATIONS = "expectations"  # how far a run is from the nearest limit that it is expected to keep
_MOST_TELLING = (
    "localization.position_m.max",
    "localization.ate_m",
    "waypoints.reached",
    "collisions",
)


def worst_runs(lines: Sequence[Data], figure: str, count: int = 5) -> list[Data]:
    """Return the worst runs: failed ones first, then by a figure."""
    sign = _sign(figure)

    def rank(line: Data) -> tuple[bool, float, int]:
        if figure == EXPECTATIONS:
            margin = judge(line, None).margin
            return bool(line["completed"]), math.inf if margin is None else margin, line["run"]
        return bool(line["completed"]), sign * measures(line).get(figure, 0.0), line["run"]

    return sorted(filter(begun, lines), key=rank)[:count]


def telling_figure(found: LoadedSweep, lines: Sequence[Data]) -> str:
    """Return what ranks runs: the file's figure, the margin to what is expected, a usual figure."""
    if found.sweep.worst_by:
        return found.sweep.worst_by
    if len({judge(line, None).margin for line in lines} - {None}) > 1:
        return EXPECTATIONS
    names = varying(lines)
    known = (*_MOST_TELLING, *(figure.key for figure in FIGURES))
    return next((name for name in known if name in names), "sim_time_s")


def varying(lines: Sequence[Data]) -> list[str]:
    """Return the measures that are not the same in all runs, each once if it has two names."""
    found = [measures(line) for line in lines]
    columns = {
        tuple(figures.get(name) for figures in found): name
        for name in reversed(measure_names(lines))  # of two names the first stays
    }
    return [name for column, name in reversed(columns.items()) if len({*column} - {None}) > 1]


def replay_line(found: LoadedSweep, line: Data) -> str:
    """Return the command that opens a run in the editor, ready for a shell."""
    point = found.sweep.set | line["point"] | {"seed": line["seed"]}
    code = bool(component_files(found.scenario))
    return shlex.join(replay_command(found.source, settings(point), trust=code))


def _sign(figure: str) -> float:
    """Return what turns a figure into one whose smallest values are the worst."""
    return 1.0 if worst(figure, (0.0, 1.0)) == 0.0 else -1.0
