"""Error curves over the distance: position and rotation of every run, and sums at checkpoints."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from outrider.core.frames import Array
from outrider.evaluation.measures.checkpoints import ErrorCurve
from outrider.evaluation.report.pyplot import OTHER, OURS, pyplot, save

_MOST = 1200  # points of a line


def draw_errors(path: Path, runs: Sequence[tuple[str, Array, Array, Array]]) -> Path:
    """Draw errors over the distance: name, distance (m), position (m) and rotation (deg) each."""
    plt = pyplot()
    figure, (upper, lower) = plt.subplots(
        2, 1, figsize=(8, 4.6), sharex=True, constrained_layout=True
    )
    shades = plt.get_cmap("Blues")(np.linspace(0.45, 0.95, max(1, len(runs))))
    for (name, way, move, turn), shade in zip(runs, shades, strict=False):
        step = max(1, len(way) // _MOST)
        upper.plot(way[::step], 100 * move[::step], color=shade, lw=1.1, label=name)
        lower.plot(way[::step], turn[::step], color=shade, lw=1.1)
    upper.set(ylabel="position error, cm", ylim=(0, None))
    lower.set(ylabel="rotation error, deg", xlabel="distance covered, m", ylim=(0, None))
    if len(runs) > 1:
        upper.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(8, len(runs)))
    return save(figure, path)


def draw_checkpoints(
    path: Path, curves: Sequence[tuple[str, ErrorCurve]], real: ErrorCurve | None
) -> Path:
    """Draw the squared error summed over checkpoints, as S. Sobczak et al. do."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 3.2), constrained_layout=True)
    for number, (_, curve) in enumerate(curves):
        label = None if number else "simulated"
        axes.plot(
            curve.distance_m, curve.sum_mm2, "-o", color=OURS, ms=2.5, lw=1, alpha=0.7, label=label
        )
    if real is not None:
        axes.plot(real.distance_m, real.sum_mm2, "-s", color=OTHER, ms=3, lw=1.4, label="real")
    axes.set(xlabel="distance covered, m", ylabel="sum of squared errors, mm²", ylim=(0, None))
    axes.legend(loc="upper left")
    return save(figure, path)
