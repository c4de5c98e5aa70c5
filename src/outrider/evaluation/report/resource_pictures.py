"""Resource use over time, and bar charts next to other simulators."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from outrider.evaluation.measures.resources import COLUMNS
from outrider.evaluation.report.pyplot import OURS, pyplot, save

_PANELS = (("cpu_percent", "CPU, % of one core"), ("memory_mb", "memory, MB"))


def draw_resources(path: Path, runs: Sequence[tuple[str, list[tuple[float, ...]]]]) -> Path:
    """Draw CPU, memory and speed over wall time, a line per run."""
    plt = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(8.6, 2.6), constrained_layout=True)
    shades = plt.get_cmap("Blues")(np.linspace(0.45, 0.95, max(1, len(runs))))
    for (name, rows), shade in zip(runs, shades, strict=False):
        table = np.array(rows, np.float64).reshape(-1, len(COLUMNS))
        wall, sim = table[:, 0], table[:, 1]
        marker = "o" if len(wall) < 3 else None
        for panel, (column, _) in zip(axes, _PANELS, strict=False):
            panel.plot(
                wall,
                table[:, COLUMNS.index(column)],
                color=shade,
                lw=1.1,
                marker=marker,
                ms=3,
                label=name,
            )
        speed = np.diff(sim, prepend=0.0) / np.maximum(np.diff(wall, prepend=0.0), 1e-9)
        axes[2].plot(wall, speed, color=shade, lw=1.1, marker=marker, ms=3)
    for panel, label in zip(
        axes, (*(text for _, text in _PANELS), "real-time factor"), strict=True
    ):
        panel.set(xlabel="wall time, s", title=label)
        panel.set_ylim(0, 1.12 * max(panel.get_ylim()[1], 1e-9))
        panel.title.set_fontsize(9)
    axes[2].axhline(1.0, color="#8793a0", lw=0.8, ls="--")
    return save(figure, path)


def draw_beside(path: Path, groups: Sequence[tuple[str, Sequence[tuple[str, float]]]]) -> Path:
    """Draw one small bar chart per figure: simulators side by side, ours in colour."""
    plt = pyplot()
    figure, axes = plt.subplots(
        1, len(groups), figsize=(2.9 * len(groups), 2.4), constrained_layout=True, squeeze=False
    )
    for panel, (title, bars) in zip(axes[0], groups, strict=True):
        names, values = zip(*bars, strict=True)
        colours = [OURS if number == 0 else "#b8c2cd" for number in range(len(values))]
        drawn = panel.bar(range(len(values)), values, color=colours, width=0.62)
        panel.bar_label(drawn, fmt=_short, padding=2, fontsize=8)
        panel.set_xticks(range(len(values)), [name.replace("ROS-", "ROS-\n") for name in names])
        panel.set(title=title, ylim=(0, 1.18 * max([*values, 1e-9])))
        panel.title.set_fontsize(9)
        panel.grid(visible=False)
    return save(figure, path)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
