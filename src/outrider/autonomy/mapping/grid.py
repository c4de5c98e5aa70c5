"""A grid of log-odds that grows or moves with the robot."""

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.mapping.ray_kernels import mark_hits, trace_free
from outrider.autonomy.mapping.spec import OddsSpec
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array

_MARGIN = 5.0  # m that a grid grows beyond what it needs
_MOST_CELLS = 100_000_000


class LogOddsGrid:
    """Cells in rows of y and columns of x; unknown cells are zero."""

    def __init__(self, resolution: float, odds: OddsSpec, size: tuple[float, float]) -> None:
        """``size`` is the initial width and height in metres, around the origin."""
        columns, rows = (max(1, round(side / resolution)) for side in size)
        self.resolution = resolution
        self.odds = odds
        self.corner = np.array([-columns // 2, -rows // 2], np.int64)  # cells from the origin
        self.cells = np.zeros((rows, columns), np.float32)
        self._blocked = np.zeros((rows, columns), np.int32)
        self._looks = 0

    @property
    def origin(self) -> Array:
        """The lower left corner of the grid (m)."""
        return self.corner.astype(np.float64) * self.resolution

    def look(self, eye: Array, hits: Array, free_ends: Array) -> None:
        """Add an observation: obstacles (n, 2), and end points of free lines of sight."""
        if self._looks >= 2**31 - 2:
            self._blocked[:] = self._looks = 0
        self._looks += 1
        shift, odds = self.origin, self.odds
        mark_hits(
            self.cells,
            hits - shift,
            self.resolution,
            self._blocked,
            self._looks,
            odds.hit,
            odds.most,
        )
        x, y = (eye - shift).tolist()
        trace_free(
            cells=self.cells,
            x0=x,
            y0=y,
            ends=free_ends - shift,
            resolution=self.resolution,
            blocked=self._blocked,
            loss=odds.miss,
            least=odds.least,
        )

    def cover(self, low: Array, high: Array) -> None:
        """Grow to contain the rectangle between two corners."""
        rows, columns = self.cells.shape
        least = np.floor(low / self.resolution).astype(np.int64)
        most = np.ceil(high / self.resolution).astype(np.int64)
        end = self.corner + np.array([columns, rows])
        if (least >= self.corner).all() and (most <= end).all():
            return
        margin = round(_MARGIN / self.resolution)
        new_corner = np.where(least < self.corner, least - margin, self.corner)
        new_end = np.where(most > end, most + margin, end)
        width, height = (new_end - new_corner).tolist()
        if width * height > _MOST_CELLS:
            raise AutonomyError(
                f"a map of {width} x {height} cells is too large; use coarser cells"
            )
        self._replace(new_corner, width, height)

    def recentre(self, centre: Array) -> None:
        """Move a grid of fixed size so that its centre is at a point."""
        rows, columns = self.cells.shape
        middle = np.floor(centre / self.resolution).astype(np.int64)
        corner = middle - np.array([columns // 2, rows // 2], np.int64)
        if (corner != self.corner).any():
            self._replace(corner, columns, rows)

    def clear(self) -> None:
        """Set all cells to unknown."""
        self.cells[:] = 0.0

    def occupied(self) -> NDArray[np.bool_]:
        """Return which cells are occupied."""
        return self.cells >= self.odds.occupied

    def values(self) -> NDArray[np.int8]:
        """Return the cells as ROS has them: -1 unknown, 0 free, 100 occupied."""
        out = np.full(self.cells.shape, -1, np.int8)
        out[self.cells <= self.odds.free] = 0
        out[self.occupied()] = 100
        return out

    def _replace(self, corner: NDArray[np.int64], columns: int, rows: int) -> None:
        new = np.zeros((rows, columns), np.float32)
        shift_x, shift_y = (corner - self.corner).tolist()
        old_rows, old_columns = self.cells.shape
        y0, y1 = max(0, shift_y), min(old_rows, shift_y + rows)
        x0, x1 = max(0, shift_x), min(old_columns, shift_x + columns)
        if y0 < y1 and x0 < x1:
            target = new[y0 - shift_y : y1 - shift_y, x0 - shift_x : x1 - shift_x]
            target[:] = self.cells[y0:y1, x0:x1]
        self.cells, self.corner = new, np.asarray(corner, np.int64)
        self._blocked = np.zeros((rows, columns), np.int32)
        self._looks = 0
