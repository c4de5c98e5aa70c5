"""A map compared with the truth, cell by cell: six counts, as in J. Platt's thesis."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.mapping.map_files import GridMap

OUTCOMES = ("occupied", "clear", "unknown")
_FREE, _OCCUPIED = 25, 65  # map_saver's thresholds, in percent


def confusion(found: GridMap, truth: GridMap) -> dict[str, int]:
    """Return how many cells of the true map were found occupied, clear or unknown."""
    values = resampled(found, truth)
    said = np.where(values < 0, 2, np.where(values >= _OCCUPIED, 0, 1))
    said[(values > _FREE) & (values < _OCCUPIED)] = 2
    counts = {}
    for name, cells in (("occupied", truth.values >= _OCCUPIED), ("clear", truth.values == 0)):
        for number, outcome in enumerate(OUTCOMES):
            counts[f"{name}_as_{outcome}"] = int(np.count_nonzero(said[cells] == number))
    return counts


def resampled(found: GridMap, onto: GridMap) -> NDArray[np.int8]:
    """Return a map's values at the centres of another's cells; unknown outside."""
    rows, columns = onto.values.shape
    x = onto.origin[0] + (np.arange(columns) + 0.5) * onto.resolution - found.origin[0]
    y = onto.origin[1] + (np.arange(rows) + 0.5) * onto.resolution - found.origin[1]
    c, s = math.cos(found.origin[2]), math.sin(found.origin[2])
    column = np.floor((c * x[None, :] + s * y[:, None]) / found.resolution).astype(np.int64)
    row = np.floor((c * y[:, None] - s * x[None, :]) / found.resolution).astype(np.int64)
    high, wide = found.values.shape
    known = (row >= 0) & (row < high) & (column >= 0) & (column < wide)
    out = np.full((rows, columns), -1, np.int8)
    out[known] = found.values[row[known], column[known]]
    return out
