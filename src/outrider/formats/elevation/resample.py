"""Elevations by latitude and longitude, resampled to metres east and north of their centre."""

import math
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.elevation.grid import DemGrid

_A = 6378137.0  # WGS-84
_F = 1 / 298.257223563
_B = _A * (1 - _F)
_E2 = _F * (2 - _F)
_EP2 = _E2 / (1 - _E2)
_ROWS = 256  # worked on at a time, to bound memory
MAX_DEGREES = 5.0


def local_heights(path: Path, grid: DemGrid) -> tuple[Array, tuple[float, float]]:
    """Return heights (rows from north, columns from west) on a grid in metres, and its extent.

    The grid is the largest upright rectangle about the middle that lies inside the data.
    """
    if grid.centre is None:
        raise FormatError(f"{path}: degrees cannot become metres without a latitude")
    if max(grid.extent) > MAX_DEGREES:
        raise FormatError(
            f"{path}: {grid.extent[0]:.3g} x {grid.extent[1]:.3g} degrees are too large for a "
            f"flat world; use at most {MAX_DEGREES:g}"
        )
    width, height = _inner_size(grid)
    n_rows, n_columns = grid.values.shape
    x = np.linspace(-width / 2, width / 2, n_columns)
    y = np.linspace(height / 2, -height / 2, n_rows)
    out = np.empty((n_rows, n_columns))
    for start in range(0, n_rows, _ROWS):
        rows = slice(start, start + _ROWS)
        latitude, longitude = geodetic(*grid.centre, x[None, :], y[rows, None])
        out[rows] = _sampled(grid, latitude, longitude)
    return out, (width, height)


def geodetic(latitude_deg: float, longitude_deg: float, x: Array, y: Array) -> tuple[Array, Array]:
    """Return latitude and longitude of points x m east and y m north of a place, in its plane."""
    phi, lam = math.radians(latitude_deg), math.radians(longitude_deg)
    sin, cos = math.sin(phi), math.cos(phi)
    normal = _A / math.sqrt(1 - _E2 * sin * sin)
    outward = normal * cos - sin * y  # from the axis, in the meridian of the place
    z = normal * (1 - _E2) * sin + cos * y
    across = np.hypot(outward, x)
    u = np.arctan2(z * _A, across * _B)
    found = np.arctan2(z + _EP2 * _B * np.sin(u) ** 3, across - _E2 * _A * np.cos(u) ** 3)
    latitude, longitude = np.degrees(found), np.degrees(lam + np.arctan2(x, outward))
    return latitude + 0.0 * longitude, longitude + 0.0 * latitude


def _inner_size(grid: DemGrid) -> tuple[float, float]:
    """Return how wide and high a rectangle in metres fits between the edges of the data."""
    latitude, _ = grid.centre or (0.0, 0.0)
    half_width, half_height = (math.radians(length / 2) for length in grid.extent)
    poleward = min(math.pi / 2 - 1e-6, math.radians(abs(latitude)) + half_height)
    width = _A * math.cos(poleward) * math.sin(half_width) * 2
    sin = math.sin(math.radians(latitude))
    meridian = _A * (1 - _E2) / (1 - _E2 * sin * sin) ** 1.5
    height = 2 * meridian * math.sin(half_height)
    for _ in range(8):  # parallels bend: shrink until all corners are inside
        across, along = _spanned(grid, width, height)
        width *= min(1.0, grid.extent[0] / across)
        height *= min(1.0, grid.extent[1] / along)
    return width, height


def _spanned(grid: DemGrid, width: float, height: float) -> tuple[float, float]:
    """Return the degrees, symmetric about the middle, that a rectangle in metres reaches."""
    centre = grid.centre or (0.0, 0.0)
    x = np.array([-1, 0, 1, -1, 0, 1]) * width / 2
    y = np.array([1, 1, 1, -1, -1, -1]) * height / 2
    latitude, longitude = geodetic(*centre, x, y)
    across = np.abs(longitude - centre[1]).max() * 2
    along = np.abs(latitude - centre[0]).max() * 2
    return float(across), float(along)


def _sampled(grid: DemGrid, latitude: Array, longitude: Array) -> Array:
    """Return heights between the samples, by the four around each point."""
    n_rows, n_columns = grid.values.shape
    middle_latitude, middle_longitude = grid.centre or (0.0, 0.0)
    column = ((longitude - middle_longitude) / grid.extent[0] + 0.5) * (n_columns - 1)
    row = ((middle_latitude - latitude) / grid.extent[1] + 0.5) * (n_rows - 1)
    row, column = np.clip(row, 0, n_rows - 1), np.clip(column, 0, n_columns - 1)
    r = np.minimum(row.astype(np.int64), n_rows - 2)
    c = np.minimum(column.astype(np.int64), n_columns - 2)
    v, u = row - r, column - c
    values = grid.values
    upper = values[r, c] * (1 - u) + values[r, c + 1] * u
    lower = values[r + 1, c] * (1 - u) + values[r + 1, c + 1] * u
    heights: Array = upper * (1 - v) + lower * v
    return heights
