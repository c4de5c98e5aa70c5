"""Compiled: straight lines through the cells of a grid."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

Ints: TypeAlias = NDArray[np.integer]
Floats32: TypeAlias = NDArray[np.float32]


@compiled
def trace_free(
    cells: Floats32,
    x0: float,
    y0: float,
    ends: Array,
    resolution: float,
    blocked: Ints,
    loss: float,
    least: float,
) -> None:  # pragma: no cover
    """Lower the log-odds of the cells from a point (x0, y0) to each of ``ends`` (n, 2), in metres.

    Each cell that a line crosses is lowered once per call, but not those of ``blocked`` (a stamp
    grid: cells that hold its newest number are blocked or done).
    """
    rows, columns = cells.shape
    stamp = blocked[rows - 1, columns - 1]
    for k in range(ends.shape[0]):
        dx, dy = ends[k, 0] - x0, ends[k, 1] - y0
        i, j = int(np.floor(x0 / resolution)), int(np.floor(y0 / resolution))
        i1, j1 = int(np.floor(ends[k, 0] / resolution)), int(np.floor(ends[k, 1] / resolution))
        si, sj = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
        tx = ((i + (si > 0)) * resolution - x0) / dx if dx != 0 else np.inf
        ty = ((j + (sj > 0)) * resolution - y0) / dy if dy != 0 else np.inf
        ddx = abs(resolution / dx) if dx != 0 else np.inf
        ddy = abs(resolution / dy) if dy != 0 else np.inf
        for _ in range(abs(i1 - i) + abs(j1 - j) + 1):
            if 0 <= j < rows and 0 <= i < columns and blocked[j, i] != stamp:
                blocked[j, i] = stamp
                cells[j, i] = max(least, cells[j, i] - loss)
            if tx < ty:
                tx += ddx
                i += si
            else:
                ty += ddy
                j += sj


@compiled
def mark_hits(
    cells: Floats32,
    points: Array,
    resolution: float,
    blocked: Ints,
    stamp: int,
    gain: float,
    most: float,
) -> None:  # pragma: no cover
    """Raise the log-odds of cells with obstacles, once each, and block them with ``stamp``."""
    rows, columns = cells.shape
    blocked[rows - 1, columns - 1] = stamp
    for k in range(points.shape[0]):
        i = int(np.floor(points[k, 0] / resolution))
        j = int(np.floor(points[k, 1] / resolution))
        if 0 <= j < rows and 0 <= i < columns and blocked[j, i] != stamp:
            blocked[j, i] = stamp
            cells[j, i] = min(most, cells[j, i] + gain)


@compiled
def nearest_by_sector(points: Array, sectors: int, out: Array) -> None:  # pragma: no cover
    """Lower ``out`` (sectors,) to the distance of the nearest point (n, 2) in each direction."""
    for k in range(points.shape[0]):
        x, y = points[k, 0], points[k, 1]
        far = np.sqrt(x * x + y * y)
        s = int((np.arctan2(y, x) + np.pi) / (2 * np.pi) * sectors) % sectors
        if far < out[s]:
            out[s] = far


@compiled
def farthest_by_sector(
    points: Array, sectors: int, limit: Array, out: Array
) -> None:  # pragma: no cover
    """Raise ``out`` (sectors,) to the farthest point that lies before ``limit`` (sectors,)."""
    for k in range(points.shape[0]):
        x, y = points[k, 0], points[k, 1]
        far = np.sqrt(x * x + y * y)
        s = int((np.arctan2(y, x) + np.pi) / (2 * np.pi) * sectors) % sectors
        if out[s] < far < limit[s]:
            out[s] = far
