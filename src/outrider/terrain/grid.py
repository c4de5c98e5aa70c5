"""The grid of a terrain: its vertices, heights and slopes."""

from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array

MAX_POINTS = 16_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Corners along x (n,) and y (m,), evenly spaced and rising."""

    x: Array
    y: Array

    @classmethod
    def of(
        cls, size: tuple[float, float], cell: float, centre: tuple[float, float] = (0.0, 0.0)
    ) -> "Grid":
        """Return the grid of a land about its centre."""
        if min(size) <= 0 or max(size) > 1e5:
            raise ConfigError(f"ground.size: must lie between 0 and 100000 m, got {list(size)}")
        if max(size) / cell > MAX_POINTS:
            raise ConfigError(f"ground.cell: {cell:g} m is too small for {max(size):g} m of land")
        n_x, n_y = (max(2, round(length / cell) + 1) for length in size)
        if n_x * n_y > MAX_POINTS:
            raise ConfigError(
                f"ground.cell: {n_x} x {n_y} heights are more than {MAX_POINTS}; use larger cells"
            )
        half_x, half_y = size[0] / 2, size[1] / 2
        x, y = np.linspace(-half_x, half_x, n_x), np.linspace(-half_y, half_y, n_y)
        return cls(x + centre[0], y + centre[1])

    @property
    def cell(self) -> tuple[float, float]:
        """The distance of two corners along x and y."""
        return float(self.x[1] - self.x[0]), float(self.y[1] - self.y[0])

    @property
    def shape(self) -> tuple[int, int]:
        """How many corners there are along x and y."""
        return len(self.x), len(self.y)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the land."""
        return float(self.x[0] + self.x[-1]) / 2, float(self.y[0] + self.y[-1]) / 2

    def window(self, x: float, y: float, reach: float) -> tuple[slice, slice]:
        """Return the rows and columns that lie within a square about a point."""
        rows = np.searchsorted(self.x, [x - reach, x + reach])
        columns = np.searchsorted(self.y, [y - reach, y + reach])
        return slice(*rows.tolist()), slice(*columns.tolist())

    def centres(self) -> "Grid":
        """Return the middles of the cells."""
        return Grid((self.x[1:] + self.x[:-1]) / 2, (self.y[1:] + self.y[:-1]) / 2)


def triangle_slopes(grid: Grid, heights: Array) -> Array:
    """Return the tangents of the slopes of both triangles of each cell (2, n - 1, m - 1)."""
    d_x, d_y = grid.cell
    h00, h10 = heights[:-1, :-1], heights[1:, :-1]
    h01, h11 = heights[:-1, 1:], heights[1:, 1:]
    lower = np.hypot((h10 - h00) / d_x, (h01 - h00) / d_y)
    upper = np.hypot((h11 - h01) / d_x, (h11 - h10) / d_y)
    return np.stack([lower, upper])


def smooth(t: Array) -> Array:
    """Return 0 below 0, 1 above 1, and a blend without kink or jump of curvature between."""
    t = np.clip(t, 0.0, 1.0)
    return t**3 * (t * (6 * t - 15) + 10)
