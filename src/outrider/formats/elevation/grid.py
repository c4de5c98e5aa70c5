"""Elevations on a regular grid of metres or degrees, with holes filled."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import Array

_USUAL_VOIDS = (-9999.0, -32768.0, -32767.0)
_IMPOSSIBLE = 1e5  # m: nothing on Earth is so high or so deep


@dataclass(frozen=True, slots=True, eq=False)
class DemGrid:
    """``values[row, column]`` in metres, the first row in the north, the first column in the west.

    ``extent`` is from the first to the last sample, west to east and south to north, in metres or
    degrees; ``centre`` is the latitude and longitude of the middle, if known.
    """

    values: Array
    extent: tuple[float, float]
    centre: tuple[float, float] | None = None
    in_degrees: bool = False
    notes: tuple[str, ...] = ()


def filled(path: Path, values: NDArray[np.generic], void: float | None) -> tuple[Array, list[str]]:
    """Return elevations without holes, and notes that say how many there were."""
    heights = np.array(values, np.float64)
    missing = ~np.isfinite(heights) | (np.abs(np.nan_to_num(heights)) > _IMPOSSIBLE)
    for value in {*_USUAL_VOIDS, *([] if void is None else [float(void)])}:
        missing |= heights == value
    count = int(missing.sum())
    if count == heights.size:
        raise FormatError(f"{path}: it has no elevations, only 'no data'")
    if not count:
        return heights, []
    share = count / heights.size
    note = f"{path}: {count} samples without data ({share:.2%}) were filled from those around"
    return _pulled(heights, missing), [note]


def _pulled(heights: Array, missing: NDArray[np.bool_]) -> Array:
    """Fill holes from ever coarser means: small holes smoothly, large ones at least sensibly."""
    weights = (~missing).astype(np.float64)
    sums = np.where(missing, 0.0, heights)
    if missing.any():
        coarse_sums, coarse_weights = _halved(sums), _halved(weights)
        means = coarse_sums / np.maximum(coarse_weights, 1e-300)
        coarse = _pulled(means, coarse_weights == 0)
        fine = np.repeat(np.repeat(coarse, 2, axis=0), 2, axis=1)
        fine = _smoothed(fine[: heights.shape[0], : heights.shape[1]])
        return np.where(missing, fine, heights)
    return heights


def _halved(values: Array) -> Array:
    """Return the sums of blocks of 2 x 2."""
    padded = np.pad(values, [(0, n % 2) for n in values.shape])
    sums: Array = padded[::2, ::2] + padded[1::2, ::2] + padded[::2, 1::2] + padded[1::2, 1::2]
    return sums


def _smoothed(values: Array) -> Array:
    """Return means over 3 x 3, so that blocks leave no steps."""
    for axis in (0, 1):
        width = [(1, 1) if k == axis else (0, 0) for k in (0, 1)]
        padded = np.pad(values, width, mode="edge")
        n = values.shape[axis]
        parts = [padded.take(range(k, k + n), axis=axis) for k in range(3)]
        values = (parts[0] + parts[1] + parts[2]) / 3
    return values
