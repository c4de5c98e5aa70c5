"""Figures over the map: detected obstacles and trajectories."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.mapping.map_files import GridMap
from outrider.core.frames import Array
from outrider.evaluation.measures.confusion import resampled
from outrider.evaluation.measures.trajectory import Trajectory
from outrider.evaluation.report.pyplot import OURS, THIRD, TRUE, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHADES = (1.0, 0.82, 0.0)  # clear, unknown, occupied
_MARGIN = 1.5  # m around what is shown


def draw_grids(path: Path, grids: Sequence[GridMap], truth: GridMap, planned: Array) -> Path:
    """Draw the maps of all runs on top of each other, the true outline in red, and the plan."""
    stack = np.mean([_shades(resampled(grid, truth)) for grid in grids], axis=0)
    plt = pyplot()
    figure, axes = plt.subplots(figsize=_size(truth), constrained_layout=True)
    axes.imshow(stack, cmap="gray", origin="lower", extent=_extent(truth), vmin=0, vmax=1)
    if (truth.values >= 65).any():
        axes.contour(
            truth.values >= 65,
            [0.5],
            colors=["#c62828"],
            extent=_extent(truth),
            linewidths=0.8,
            origin="lower",
        )
    if len(planned):
        axes.plot(planned[:, 0], planned[:, 1], "--", color=OURS, lw=1.2, label="waypoints")
        axes.plot(planned[0, 0], planned[0, 1], "o", color=OURS, ms=5)
    axes.plot([], [], color="#c62828", lw=0.8, label="true outline")
    _frame(axes, truth, planned)
    _legend(axes)
    return save(figure, path)


def draw_ways(
    path: Path,
    true: Sequence[tuple[str, Trajectory]],
    estimated: Sequence[Trajectory],
    truth: GridMap | None,
    planned: Array,
) -> Path:
    """Draw true (each with its robot) and estimated trajectories of all runs, and the plan."""
    plt = pyplot()
    figure, axes = plt.subplots(
        figsize=(7, 5.2) if truth is None else _size(truth), constrained_layout=True
    )
    if truth is not None:
        shown = np.where(truth.values >= 65, 0.72, 1.0)
        axes.imshow(shown, cmap="gray", origin="lower", extent=_extent(truth), vmin=0, vmax=1)
    named: set[str] = set()
    for name, way in true:
        x, y = _thinned(way.positions)
        axes.plot(x, y, color=TRUE, lw=2.6, alpha=0.55, label=None if named else "true")
        if name not in named and len({robot for robot, _ in true}) > 1:
            axes.annotate(name, (x[0], y[0]), (0, -9), textcoords="offset points", fontsize=8)
        named.add(name)
    for number, way in enumerate(estimated):
        x, y = _thinned(way.positions)
        axes.plot(x, y, color="#b3261e", lw=0.9, label=None if number else "estimated")
    if len(planned) > 1:
        axes.plot(
            planned[1:, 0],
            planned[1:, 1],
            "D",
            color=THIRD,
            ms=4.5,
            mec="white",
            mew=0.6,
            label="waypoints",
        )
    everything = np.concatenate([way.positions[:, :2] for _, way in true] or [planned])
    _frame(axes, truth, everything)
    _legend(axes)
    return save(figure, path)


def _shades(values: NDArray[np.int8]) -> Array:
    clear, unknown, occupied = _SHADES
    return np.select([values < 0, values >= 65], [unknown, occupied], clear)


def _extent(grid: GridMap) -> tuple[float, float, float, float]:
    rows, columns = grid.values.shape
    x, y = grid.origin[:2].tolist()
    return x, x + columns * grid.resolution, y, y + rows * grid.resolution


def _size(grid: GridMap) -> tuple[float, float]:
    x0, x1, y0, y1 = _extent(grid)
    return 7.0, float(np.clip(7.0 * (y1 - y0) / (x1 - x0), 3.0, 7.5)) + 0.4


def _frame(axes: "Axes", grid: GridMap | None, points: Array) -> None:
    """Show the whole map if there is one, otherwise the driven area, with equal axes."""
    axes.grid(visible=False)
    axes.set(xlabel="x, m", ylabel="y, m", aspect="equal")
    if grid is not None:
        x0, x1, y0, y1 = _extent(grid)
        axes.set(xlim=(x0, x1), ylim=(y0, y1))
    elif len(points):
        low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))


def _legend(axes: "Axes") -> None:
    """Name the lines above the map, where nothing is covered."""
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3)


def _thinned(positions: Array, most: int = 3000) -> tuple[Array, Array]:
    step = max(1, len(positions) // most)
    return positions[::step, 0], positions[::step, 1]
