"""Whether a standing position is on top of an object, with no way down."""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.scene.scene import Scene

_CELL = 0.05  # m
_REACH = 80  # cells to every side: what goes on for 4 m is a bridge, a platform or the ground
_STEP = 0.1  # m between cells that is still a way down: 60 degrees, or a low kerb
_HEADROOM = 0.3  # m above the place: what is higher is not its surface
_AROUND = 0.5  # of the edge: so much of it must be a drop onto lower ground, not into the void
_LOW, _HIGH = slice(None, -1), slice(1, None)

Cells: TypeAlias = NDArray[np.bool_]


def is_island(scene: Scene, x: float, y: float, level: float) -> bool:
    """Tell whether all ways from a place of this height end at a drop onto lower ground."""
    if not np.isfinite(scene.ground_below(np.array([[x, y]]), level - _STEP)).all():
        return False  # there is nothing below it
    side = np.arange(-_REACH, _REACH + 1) * _CELL
    cells = np.stack(np.meshgrid(x + side, y + side, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = scene.ground_below(cells, level + _HEADROOM).reshape(len(side), len(side))
    reached = _reached(heights)
    edge = _grown(reached, np.full(heights.shape, 0.0)) & ~reached
    if not edge.any() or _touches_rim(reached):
        return False
    drop = edge & (heights < heights[reached].min() - _STEP)
    return float(drop.sum()) >= _AROUND * float(edge.sum())


def _reached(heights: Array) -> Cells:
    """Return the cells that can be driven to from the middle, as far as the rim of all cells."""
    reached = np.zeros(heights.shape, bool)
    middle = len(heights) // 2
    reached[middle, middle] = math.isfinite(heights[middle, middle])
    while not _touches_rim(reached):
        grown = _grown(reached, heights)
        if (grown == reached).all():
            break
        reached = grown
    return reached


def _grown(cells: Cells, heights: Array) -> Cells:
    """Return the cells with those beside them that are not a step higher or lower."""
    grown = cells.copy()
    level_x = np.abs(np.diff(heights, axis=0)) < _STEP
    level_y = np.abs(np.diff(heights, axis=1)) < _STEP
    grown[_HIGH] |= cells[_LOW] & level_x
    grown[_LOW] |= cells[_HIGH] & level_x
    grown[:, _HIGH] |= cells[:, _LOW] & level_y
    grown[:, _LOW] |= cells[:, _HIGH] & level_y
    return grown


def _touches_rim(cells: Cells) -> bool:
    return bool(cells[[0, -1]].any() or cells[:, [0, -1]].any())
