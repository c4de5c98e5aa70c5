"""Where a robot can stand and drive to, from the world's own geometry."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import LearningError
from outrider.core.frames import Array
from outrider.evaluation.measures.regions import regions
from outrider.evaluation.measures.truth_grid import Band, Region, truth_grid
from outrider.world.model import World

_CELL = 0.1  # m
_BAND = Band(low=0.05, high=1.0)  # what stands in the way, above the ground
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class FreeGround:
    """The middles of all cells that a robot can come to from one another."""

    points: Array  # (n, 2) m
    region: Region

    def draw(self, random: np.random.Generator) -> Array:
        """Return a place."""
        place: Array = self.points[random.integers(len(self.points))]
        return place

    def draw_near(
        self, random: np.random.Generator, origin: Array, nearest: float, farthest: float
    ) -> Array:
        """Return a place at some distance; the nearest one beyond, if there is none."""
        distance = np.hypot(*(self.points - origin).T)
        fits = np.flatnonzero((distance >= nearest) & (distance <= farthest))
        if len(fits):
            place: Array = self.points[fits[random.integers(len(fits))]]
            return place
        odd: Array = self.points[int(np.argmin(np.abs(distance - nearest)))]
        return odd


def free_ground(
    world: World, floors: frozenset[str], region: Region, clearance: float
) -> FreeGround:
    """Find the largest connected part of all places so far from any obstacle."""
    grid = truth_grid(world, region, _BAND, floors, _CELL)
    free = ~_grown(grid.values != 0, round(clearance / _CELL))
    labels, sizes = regions(free, corners=False)
    if len(sizes) < 2:
        raise LearningError(
            f"world '{world.name}': the area has no place {clearance:g} m from obstacles"
            " and edges: choose another world, robot, centre or area"
        )
    rows, columns = np.nonzero(labels == 1 + int(np.argmax(sizes[1:])))
    points = grid.origin[:2] + (np.column_stack([columns, rows]) + 0.5) * _CELL
    return FreeGround(points, region)


def _grown(cells: Mask, by: int) -> Mask:
    """Return the cells within a distance of any that is set; beyond the edge all are set."""
    wide = np.pad(cells, by, constant_values=True)
    out = np.zeros_like(cells)
    rows, columns = cells.shape
    for i in range(-by, by + 1):
        for j in range(-by, by + 1):
            if i * i + j * j <= by * by:
                out |= wide[by + i : by + i + rows, by + j : by + j + columns]
    return out
