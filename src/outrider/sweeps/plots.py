"""Plots of a sweep: a measure against each parameter."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from outrider.core.structure import Data
from outrider.evaluation.report.pyplot import OTHER, OURS, plain_powers, pyplot, save
from outrider.sweeps.spec import LogUniform, Parameter
from outrider.sweeps.table import measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = 3
_SIZE = 3.2, 2.4  # inches


def plot_measure(
    path: Path, name: str, lines: Sequence[Data], parameters: dict[str, Parameter]
) -> Path:
    """Draw a measure against each parameter; failed runs are crosses."""
    columns = min(_COLUMNS, len(parameters))
    rows = -(-len(parameters) // columns)
    size = _SIZE[0] * columns, _SIZE[1] * rows
    figure, axes = pyplot().subplots(
        rows, columns, figsize=size, squeeze=False, layout="constrained", sharey=True
    )
    for place, (key, parameter) in zip(axes.flat, parameters.items(), strict=False):
        _plot_one(place, name, lines, key)
        if isinstance(parameter, LogUniform):
            place.set_xscale("log")
            plain_powers(place.xaxis)
    for place in axes.flat[len(parameters) :]:
        place.axis("off")
    for row in axes:
        row[0].set_ylabel(_short(name))
    return save(figure, path)


def _plot_one(axes: "Axes", name: str, lines: Sequence[Data], key: str) -> None:
    found = [(line, measures(line)) for line in lines]
    found = [(line, figures) for line, figures in found if name in figures]
    for good, colour, mark in ((True, OURS, "o"), (False, OTHER, "x")):
        some = [(line, figures) for line, figures in found if line["completed"] == good]
        across = [_number_or_text(line["point"][key]) for line, _ in some]
        axes.plot(across, [f[name] for _, f in some], mark, color=colour, ms=4, alpha=0.7)
    axes.set_xlabel(_short(key))


def _short(name: str) -> str:
    """Return the end of a dotted name, as long as a small plot has room for."""
    return ".".join(name.split(".")[-2:])


def _number_or_text(value: object) -> float | str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return str(value)
