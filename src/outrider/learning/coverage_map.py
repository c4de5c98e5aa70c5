"""Which part of a place a robot has seen so far."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.evaluation.measures.truth_grid import Region
from outrider.learning.free_ground import FreeGround
from outrider.learning.observation import Floats

_UNSEEN, _SEEN, _HIT = 0.0, 0.5, 1.0


class CoverageMap:
    """A grid over a region; scans mark its cells as seen, or as an obstacle."""

    def __init__(self, region: Region, cell: float, free: FreeGround) -> None:
        x0, y0, x1, y1 = region
        self._origin, self._cell = np.array([x0, y0]), cell
        shape = math.ceil((y1 - y0) / cell), math.ceil((x1 - x0) / cell)
        self._values = np.zeros(shape, np.float32)
        rows, columns, _ = self._cells(free.points)
        self._wanted = np.zeros(shape, np.bool_)
        self._wanted[rows, columns] = True

    def clear(self) -> None:
        """Forget everything."""
        self._values[:] = _UNSEEN

    @property
    def share(self) -> float:
        """How much has been seen of what the robot can come to."""
        return float((self._values[self._wanted] > _UNSEEN).mean())

    @property
    def area(self) -> float:
        """How much of what the robot can come to has been seen (m²)."""
        return float((self._values[self._wanted] > _UNSEEN).sum()) * self._cell**2

    def add(self, position: Array, heading: float, ranges: Floats, sight: float) -> None:
        """Mark what a scan all around, counter-clockwise from behind, has looked through."""
        angle = heading - math.pi + 2 * math.pi * np.arange(len(ranges)) / len(ranges)
        ways = np.column_stack([np.cos(angle), np.sin(angle)])
        along = np.arange(0.0, sight, self._cell / 2)
        points = position + along[:, None, None] * ways
        self._mark(points[along[:, None] < np.minimum(ranges, sight)[None, :]], _SEEN)
        near = ranges < sight
        self._mark(position + ranges[near, None] * ways[near], _HIT)

    def window(self, position: Array, heading: float, size: int) -> Floats:
        """Return a square around the robot, its first row ahead; 0 unseen, 0.5 seen, 1 obstacle."""
        half = (np.arange(size) - (size - 1) / 2) * self._cell
        ahead, left = np.meshgrid(-half, -half, indexing="ij")
        c, s = math.cos(heading), math.sin(heading)
        points = np.stack([c * ahead - s * left, s * ahead + c * left], axis=-1) + position
        rows, columns, inside = self._cells(points.reshape(-1, 2))
        out = np.zeros(size * size, np.float32)
        out[inside] = self._values[rows, columns]
        return out.reshape(size, size)

    def _mark(self, points: Array, value: float) -> None:
        rows, columns, _ = self._cells(points)
        self._values[rows, columns] = np.maximum(self._values[rows, columns], value)

    def _cells(
        self, points: Array
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Return rows and columns of the points inside the region, and which those are."""
        columns, rows = np.floor((points - self._origin) / self._cell).astype(np.int64).T
        high, wide = self._values.shape
        inside: NDArray[np.bool_] = (rows >= 0) & (rows < high) & (columns >= 0) & (columns < wide)
        return rows[inside], columns[inside], inside
