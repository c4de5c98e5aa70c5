"""Points as a range image: rows from low to high, as the sensor saw them."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

Rows = NDArray[np.int32]


def arrange(xyz: Array, heights: int, columns: int, span_rad: tuple[float, float]) -> Rows:
    """Return the index of the nearest point for each row and column, -1 for none.

    Rows are equal steps of elevation within ``span_rad`` about the origin, columns of azimuth.
    """
    flat = np.hypot(xyz[:, 0], xyz[:, 1])
    elevation = np.arctan2(xyz[:, 2], flat)
    low, high = span_rad
    row = np.floor((elevation - low) / (high - low) * heights).astype(np.int64)
    azimuth = np.arctan2(xyz[:, 1], xyz[:, 0])
    column = np.floor((azimuth + np.pi) / (2 * np.pi) * columns).astype(np.int64) % columns
    inside = np.flatnonzero((row >= 0) & (row < heights))
    order = inside[np.argsort(-flat[inside], kind="stable")]  # near ones are written last
    image = np.full((heights, columns), -1, np.int32)
    image[row[order], column[order]] = order
    return image
