"""Bars of IMU ranges with the mean marked, as figures 7 and 8 of Farley et al."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from outrider.evaluation.measures.imu import AxisFigures
from outrider.evaluation.report.pyplot import OTHER, OURS, THIRD, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = (OURS, OTHER, THIRD, "#6b7785")
Bars = Sequence[tuple[str, AxisFigures, AxisFigures]]  # name, angular velocity, acceleration


def draw_imu(path: Path, data: Bars) -> Path:
    """Draw bars per axis, side by side for each set of data."""
    plt = pyplot()
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.3), constrained_layout=True)
    for number, (name, angular, linear) in enumerate(data):
        colour = _COLOURS[number % len(_COLOURS)]
        _bars(left, angular, number, len(data), (name, colour))
        _bars(right, linear, number, len(data), (name, colour))
    for panel, title in ((left, "angular velocity, rad/s"), (right, "linear acceleration, m/s²")):
        panel.set_xticks(range(3), ["X", "Y", "Z"])
        panel.set_title(title, fontsize=9)
        panel.grid(visible=False, axis="x")
        panel.axhline(0, color="#8793a0", lw=0.8)
        panel.use_sticky_edges = False
        panel.margins(y=0.14)
    left.legend(loc="best", fontsize=8)
    return save(figure, path)


def _bars(
    axes: "Axes", figures: AxisFigures, number: int, count: int, look: tuple[str, str]
) -> None:
    width = 0.8 / count
    places = [axis + (number - (count - 1) / 2) * width for axis in range(3)]
    axes.bar(
        places,
        figures.range,
        width * 0.86,
        figures.bottom,
        color=look[1],
        label=look[0],
        alpha=0.85,
    )
    axes.scatter(places, figures.mean, marker="_", s=90, color="white", zorder=3)
    for place, top, size in zip(places, figures.top, figures.range, strict=True):
        axes.annotate(
            f"{size:.2f}", (place, top), (0, 2), textcoords="offset points", ha="center", fontsize=7
        )
