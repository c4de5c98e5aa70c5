"""The ground under scattered objects: heights, slopes, materials, and areas to avoid."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array
from outrider.terrain.grid import Grid
from outrider.terrain.polyline import Polyline
from outrider.terrain.recipe import WaterSpec
from outrider.terrain.terrain import TerrainSurface
from outrider.world.tessellate import heightfield_height


@dataclass(frozen=True, slots=True, eq=False)
class GroundQuery:
    """A land with its paths (and half widths), waters, masks, start, and taken discs (n, 3)."""

    land: TerrainSurface
    paths: tuple[tuple[Polyline, float], ...] = ()
    waters: tuple[WaterSpec, ...] = ()
    masks: Mapping[str, Array] = field(default_factory=dict)
    start: tuple[float, float] = (0.0, 0.0)
    taken: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def grid(self) -> Grid:
        """The land's grid."""
        return self.land.grid

    def heights(self, points: Array) -> Array:
        """Return the ground's heights at points (n, 2), exactly on its triangles."""
        return heightfield_height(self.land.field, *(points - np.array(self.grid.centre)).T)

    def gradients(self, points: Array) -> Array:
        """Return how fast the ground rises along x and y (n, 2)."""
        i, j = self._cells(points)
        h, (d_x, d_y) = self.land.heights, self.grid.cell
        along_x = (h[i + 1, j] - h[i, j] + h[i + 1, j + 1] - h[i, j + 1]) / (2 * d_x)
        along_y = (h[i, j + 1] - h[i, j] + h[i + 1, j + 1] - h[i + 1, j]) / (2 * d_y)
        return np.column_stack([along_x, along_y])

    def materials(self, points: Array) -> NDArray[np.uint8]:
        """Return the numbers of the materials at points."""
        return self.land.cells[self._cells(points)]

    def numbers(self, names: tuple[str, ...]) -> list[int]:
        """Return the numbers of materials by name."""
        known = self.land.materials
        for name in names:
            if name not in known:
                raise ConfigError(f"the ground has no material '{name}'{near_match(name, known)}")
        return [known.index(name) for name in names]

    def mask(self, name: str, points: Array) -> Array:
        """Return an image over the whole land at points."""
        image = self.masks[name]
        x, y = self.grid.x, self.grid.y
        u = (points[:, 0] - x[0]) / (x[-1] - x[0]) * (image.shape[0] - 1)
        v = (points[:, 1] - y[0]) / (y[-1] - y[0]) * (image.shape[1] - 1)
        found: Array = image[np.round(u).astype(int), np.round(v).astype(int)]
        return found

    def clear(self, points: Array, of_paths: Array, of_start: Array) -> NDArray[np.bool_]:
        """Return which points keep so far off paths and things, out of water, and off the start."""
        kept: NDArray[np.bool_] = np.hypot(*(points - np.array(self.start)).T) >= of_start
        for line, half in self.paths:
            kept &= line.distances(points) >= half + of_paths
        for x, y, radius in self.taken:
            kept &= np.hypot(points[:, 0] - x, points[:, 1] - y) >= radius + of_paths
        heights = self.heights(points) if self.waters else np.zeros(0)
        for water in self.waters:
            inside = np.abs(points - np.array([water.x, water.y])) <= np.array(water.size) / 2
            kept &= ~(inside.all(axis=1) & (heights < water.level + 0.02))
        return kept

    def _cells(self, points: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        (d_x, d_y), (n_x, n_y) = self.grid.cell, self.grid.shape
        i = np.floor((points[:, 0] - self.grid.x[0]) / d_x).astype(np.int64)
        j = np.floor((points[:, 1] - self.grid.y[0]) / d_y).astype(np.int64)
        return np.clip(i, 0, n_x - 2), np.clip(j, 0, n_y - 2)
