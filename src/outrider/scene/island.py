"""Whether a standing position is on top of an object, with no way down."""

from typing import TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
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


def is_island(scene: Scene, x: float, y: float, level: float, width: float) -> bool:
    """Tell whether all ways from a place of this height end at a drop onto lower ground.

    The top of a wall is one too: what is narrower than ``width`` is no way.
    """
    if not np.isfinite(scene.ground_below(np.array([[x, y]]), level - _STEP)).all():
        return False  # there is nothing below it
    side = np.arange(-_REACH, _REACH + 1) * _CELL
    cells = np.stack(np.meshgrid(x + side, y + side, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = scene.ground_below(cells, level + _HEADROOM).reshape(len(side), len(side))
    reached = _reached(heights)
    edge = _grown(reached, np.full(heights.shape, 0.0)) & ~reached
    if not edge.any() or (_touches_rim(reached) and _is_wide(heights, width)):
        return False
    drop = edge & (heights < heights[reached].min() - _STEP)
    return float(drop.sum()) >= _AROUND * float(edge.sum())


def _is_wide(heights: Array, width: float) -> bool:
    """Tell whether a way of some width leads from the middle to the rim of all cells."""
    cells, middle = max(1, round(width / 2 / _CELL)), len(heights) // 2
    way = _spread(_only(heights.shape, middle, 0), heights, to_rim=False)
    inner: Cells = np.all(sliding_window_view(way, (2 * cells + 1,) * 2), axis=(2, 3))
    near = _only(inner.shape, len(inner) // 2, cells) & inner
    return _touches_rim(_spread(near, np.where(inner, 0.0, np.nan), to_rim=True))


def _reached(heights: Array) -> Cells:
    """Return the cells that can be driven to from the middle, as far as the rim of all cells."""
    return _spread(_only(heights.shape, len(heights) // 2, 0), heights, to_rim=True)


def _only(shape: tuple[int, ...], middle: int, around: int) -> Cells:
    """Return the cells in the middle, and so many around it."""
    cells = np.zeros(shape, bool)
    near = slice(max(0, middle - around), middle + around + 1)
    cells[near, near] = True
    return cells


def _spread(cells: Cells, heights: Array, *, to_rim: bool) -> Cells:
    """Return the cells that can be driven to from others; ``to_rim``: until the rim is reached."""
    reached = cells & np.isfinite(heights)
    while not (to_rim and _touches_rim(reached)):
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
