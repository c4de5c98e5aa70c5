"""A terrain: its heights from the recipe, and the material of each cell."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import cached, content_key
from outrider.core.frames import Array, Pose
from outrider.terrain.grid import Grid
from outrider.terrain.layers import apply_layer, carve, height_at, hills
from outrider.terrain.recipe import NoiseBase, TerrainGround
from outrider.terrain.surfaces import cell_materials
from outrider.world.shapes import HeightField

VERSION = 1  # of the recipes' meaning: a change makes old stored lands invalid

Masks = Mapping[str, Array]  # images of masks (n, m) from 0 to 1, by file name; x first, y up


@dataclass(frozen=True, slots=True, eq=False)
class TerrainSurface:
    """Heights (n, m) at the corners of a grid, and the material of each cell as a number."""

    grid: Grid
    heights: Array
    cells: NDArray[np.uint8]  # (n - 1, m - 1), a row of ``materials``
    materials: tuple[str, ...]

    @property
    def field(self) -> HeightField:
        """The heights as a shape."""
        x, y = self.grid.x, self.grid.y
        return HeightField(self.heights, (float(x[-1] - x[0]), float(y[-1] - y[0])))

    @property
    def pose(self) -> Pose:
        """Where that shape lies."""
        return Pose(np.array([*self.grid.centre, 0.0]))


def make_land(recipe: TerrainGround, base: Array | None, masks: Masks) -> TerrainSurface:
    """Return the land of a recipe; made once, then read from disk.

    ``base`` are the heights of the recipe's file, if it has one, on the recipe's own grid.
    """
    grid = Grid.of(recipe.size, recipe.cell, recipe.centre)
    names = tuple(
        dict.fromkeys(
            [
                recipe.material,
                *(s.material for s in recipe.surfaces),
                *(p.material for p in recipe.paths),
                *(o.material for o in recipe.openings),
            ]
        )
    )
    key = content_key(
        VERSION, recipe, base, *(item for pair in sorted(masks.items()) for item in pair)
    )

    def make() -> dict[str, NDArray[np.generic]]:
        heights, distances = _heights(recipe, grid, base)
        return {
            "heights": heights,
            "cells": cell_materials(recipe, grid, heights, distances, names, masks),
        }

    stored = cached("lands", key, make)
    return TerrainSurface(grid, stored["heights"], stored["cells"], names)


def _heights(recipe: TerrainGround, grid: Grid, base: Array | None) -> tuple[Array, list[Array]]:
    """Return the heights, and for each path how far the corners are from it."""
    heights = np.zeros(grid.shape) if base is None else base.copy()
    if isinstance(recipe.base, NoiseBase):
        heights += hills(recipe.base, grid, recipe.seed, "base")
    for number, layer in enumerate(recipe.layers):
        apply_layer(layer, grid, heights, recipe.seed, number)
    distances = [
        carve(path, grid, heights, f"ground.paths.{number}")
        for number, path in enumerate(recipe.paths)
    ]
    if recipe.z is not None:
        heights += recipe.z - height_at(grid, heights, 0.0, 0.0)
    return heights, distances
