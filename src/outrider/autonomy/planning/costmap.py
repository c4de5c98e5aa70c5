"""Cost maps: the cost of each cell, from lethal at obstacles to zero far away."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.extra import needed
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.spec import InflationSpec
from outrider.core.frames import Array

LETHAL, INSCRIBED = 254, 253
_STEEPEST = 252


@dataclass(frozen=True, slots=True, eq=False)
class CostMap:
    """Costs in rows of y and columns of x."""

    costs: NDArray[np.uint8]
    resolution: float
    origin: Array  # x, y of the lower left corner

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the row and column of a position."""
        column, row = np.floor((np.array([x, y]) - self.origin) / self.resolution).astype(int)
        return int(row), int(column)

    def inside(self, row: int, column: int) -> bool:
        """Return whether a cell exists."""
        rows, columns = self.costs.shape
        return bool(0 <= row < rows and 0 <= column < columns)

    def place(self, cells: NDArray[np.int64]) -> Array:
        """Return the centres (n, 2) of cells (n, 2) given as row and column."""
        return (cells[:, ::-1] + 0.5) * self.resolution + self.origin

    def values(self) -> NDArray[np.int8]:
        """Return the costs as an OccupancyGrid has them: 0 to 98, 99 inscribed, 100 lethal."""
        out = (self.costs.astype(np.float64) * (98.0 / _STEEPEST)).astype(np.int8)
        out[self.costs == INSCRIBED] = 99
        out[self.costs == LETHAL] = 100
        return out


def inflate(
    occupied: NDArray[np.bool_], resolution: float, footprint: FootprintSpec, spec: InflationSpec
) -> NDArray[np.uint8]:
    """Return the costs around occupied cells."""
    costs = np.zeros(occupied.shape, np.uint8)
    if not occupied.any():
        return costs
    cv2 = needed("cv2")
    far = (
        cv2.distanceTransform((~occupied).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        * resolution
    )
    inner, outer = footprint.inscribed, footprint.circumscribed + spec.radius
    band = (far > inner) & (far <= outer)
    costs[band] = np.maximum(1, _STEEPEST * np.exp(-spec.fading * (far[band] - inner)))
    costs[far <= inner] = INSCRIBED
    costs[occupied] = LETHAL
    return costs
