"""Plots of a run: the trajectory over the map, and the error over the distance."""

from pathlib import Path
from types import ModuleType

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.mapping.map_files import GridMap
from outrider.core.frames import Array, Pose

Track = list[tuple[int, Pose]]


def draw_way(path: Path, poses: Track, truth: Track, grid: GridMap | None) -> None:
    """Draw the estimated trajectory, the true one where known, and the map below."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(7, 6), constrained_layout=True)
    if grid is not None:
        shown = np.select([grid.values < 0, grid.values >= 65], [0.8, 0.0], 1.0)
        rows, columns = shown.shape
        x, y = grid.origin[:2]
        step = grid.resolution
        extent = (x, x + columns * step, y, y + rows * step)
        axes.imshow(shown, cmap="gray", origin="lower", extent=extent, vmin=0, vmax=1)
    if truth:
        aligned = _places(_aligned(truth, poses))
        axes.plot(aligned[:, 0], aligned[:, 1], color="tab:green", lw=3, alpha=0.6, label="true")
    places = _places(poses)
    axes.plot(places[:, 0], places[:, 1], color="tab:red", lw=1.2, label="estimated")
    axes.set(xlabel="x, m", ylabel="y, m", aspect="equal")
    axes.legend(loc="upper right")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw_error(path: Path, poses: Track, truth: Track) -> None:
    """Draw the error of the estimate over the distance."""
    plt = _pyplot()
    aligned = _aligned(truth, poses)
    times = np.array([t for t, _ in poses])
    true = _at(aligned, times)
    error = np.linalg.norm(_places(poses) - true, axis=1)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(true, axis=0), axis=1))])
    figure, axes = plt.subplots(figsize=(7, 3), constrained_layout=True)
    axes.plot(way, 100 * error, color="tab:red", lw=1.2)
    axes.set(xlabel="distance, m", ylabel="position error, cm", ylim=(0, None))
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _aligned(truth: Track, poses: Track) -> Track:
    """Return the true trajectory relative to the start of the estimated one."""
    first_ns, first = poses[0]
    near = min(range(len(truth)), key=lambda i: abs(truth[i][0] - first_ns))
    T = first @ truth[near][1].inverse()
    return [(t, T @ pose) for t, pose in truth if t >= first_ns]


def _at(track: Track, times: Array) -> Array:
    known = np.array([t for t, _ in track])
    places = _places(track)
    return np.stack([np.interp(times, known, places[:, i]) for i in range(3)], axis=1)


def _places(track: Track) -> Array:
    return np.array([pose.position for _, pose in track])


def _pyplot() -> ModuleType:
    needed("matplotlib").use("Agg")
    return needed("matplotlib.pyplot")
