"""The figures shown in tables: key, label and unit."""

import statistics
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from outrider.evaluation.runs.statistics import figures_of, spread, worst
from outrider.scenarios.result import Result


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of a table."""

    key: str  # dotted, as in a result
    label: str
    unit: str = ""
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A figure over several runs."""

    figure: FigureRow
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the runs."""
        return statistics.fmean(self.values)

    @property
    def spread(self) -> float:
        """The standard deviation between them."""
        return spread(self.values)

    @property
    def worst(self) -> float:
        """The worst of them."""
        return worst(self.figure.key, self.values)

    def text(self, value: float) -> str:
        """Return a value as tables show it."""
        return f"{value:,.{self.figure.digits}f}"


_DISTANCE = FigureRow("distance_m", "distance", "m", 2)
_COLLISIONS = FigureRow("collisions", "collisions", "", 1)
_CELLS = ("occupied", "clear", "unknown")
FIGURES = (
    FigureRow("sim_time_s", "simulated time", "s", 2),
    FigureRow("wall_time_s", "wall time", "s", 2),
    FigureRow("real_time_factor", "real-time factor", "", 2),
    FigureRow("start_time_s", "start time", "s", 2),
    FigureRow("resources.cpu_percent", "CPU", "% of one core", 1),
    FigureRow("resources.memory_mb", "memory", "MB", 0),
    FigureRow("resources.threads", "threads", "", 1),
    FigureRow("resources.gpu_memory_mb", "GPU framebuffer", "MB", 0),
    FigureRow("resources.gpu_percent", "GPU multiprocessor", "%", 1),
    _DISTANCE,
    _COLLISIONS,
    FigureRow("waypoints.reached", "waypoints reached", "", 1),
    FigureRow("localization.position_m.max", "position error, largest", "m"),
    FigureRow("localization.position_m.mean", "position error, mean", "m"),
    FigureRow("localization.position_m.median", "position error, median", "m"),
    FigureRow("localization.rotation_deg.max", "rotation error, largest", "deg"),
    FigureRow("localization.rotation_deg.mean", "rotation error, mean", "deg"),
    FigureRow("localization.rotation_deg.median", "rotation error, median", "deg"),
    FigureRow("localization.ate_m", "ATE (RMSE, aligned)", "m"),
    FigureRow("localization.rpe_m_per_m", "RPE per metre", "m"),
    FigureRow("localization.checkpoint_sum_mm2", "error sum at checkpoints", "mm²", 0),
    *(FigureRow(f"mapping.occupied_as_{to}", f"occupied as {to}", "cells", 1) for to in _CELLS),
    *(
        FigureRow(f"mapping.clear_as_{to}", f"clear as {to}", "cells", 1)
        for to in ("clear", "occupied", "unknown")
    ),
)


def table(results: Sequence[Result]) -> list[Row]:
    """Return the rows that runs have figures for."""
    found = figures_of(results)
    return [Row(f, tuple(found[f.key])) for f in rows_for(found)]


def rows_for(keys: Collection[str]) -> list[FigureRow]:
    """Return the rows for figures that there are; each of several robots has its own."""
    robots = robots_in(keys)
    rows = [row for figure in FIGURES for row in (figure, *_of_each(figure, robots))]
    if len(robots) > 1:
        rows.remove(_DISTANCE)  # that of the first robot
    return [row for row in rows if row.key in keys]


def _of_each(figure: FigureRow, robots: Sequence[str]) -> list[FigureRow]:
    """Return a row per robot, where each has a figure and there are several."""
    if figure not in (_DISTANCE, _COLLISIONS) or len(robots) < 2:
        return []
    return [
        replace(figure, key=f"robots.{name}.{figure.key}", label=f"{figure.label}, {name}")
        for name in robots
    ]


def robots_in(keys: Iterable[str]) -> list[str]:
    """Return the names of the robots that have figures."""
    first, last = "robots.", ".distance_m"
    return [k[len(first) : -len(last)] for k in keys if k.startswith(first) and k.endswith(last)]
