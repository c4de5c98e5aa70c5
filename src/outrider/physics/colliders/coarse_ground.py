"""Coarser ground for an engine that visits every cell under a body."""

import numpy as np

from outrider.core.frames import Array
from outrider.world.shapes import HeightField

_CELL = 0.15  # m; a chassis needs nothing finer
_MOST_GAP = 0.005  # m that the coarser ground may lie off the finer one
_WIDE = 0.3  # m
_MOST_WIDE = 200_000  # cells, of which all corners are kept as triangles


def coarsened(field: HeightField) -> HeightField:
    """Return the same ground in cells of about 15 cm if it lies nowhere more than 5 mm off.

    Wheels and rays go on using the surface itself.
    """
    wanted = [max(1, round(size / _CELL)) + 1 for size in field.size]
    shape = tuple(min(n, m) for n, m in zip(field.heights.shape, wanted, strict=True))
    if shape == field.heights.shape:
        return field
    coarse = _resampled(field.heights, shape)
    gap = float(np.abs(_resampled(coarse, field.heights.shape) - field.heights).max())
    return HeightField(coarse, field.size) if gap <= _MOST_GAP else field


def has_wide_cells(field: HeightField) -> bool:
    """Tell whether a body may lie within one cell, where a height field holds it by one point."""
    cells = [int(count) - 1 for count in field.heights.shape]
    wide = max(size / count for size, count in zip(field.size, cells, strict=True)) > _WIDE
    return wide and cells[0] * cells[1] <= _MOST_WIDE


def _resampled(heights: Array, shape: tuple[int, ...]) -> Array:
    """Return the heights at other, evenly spaced places, linear in between."""
    for axis, count in enumerate(shape):
        last = heights.shape[axis] - 1
        places = np.linspace(0, last, count)
        lower = np.floor(places).astype(int).clip(0, last - 1)
        share = np.expand_dims(places - lower, 1 - axis)
        upper = heights.take(lower + 1, axis)
        heights = (1 - share) * heights.take(lower, axis) + share * upper
    return heights
