"""Terrain from a recipe, with the files it refers to: heights and masks."""

from functools import lru_cache

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.formats.elevation.image import read_height_image
from outrider.loader.ground_file import named_file, read_ground_file
from outrider.terrain.grid import Grid
from outrider.terrain.recipe import FileBase, TerrainGround
from outrider.terrain.terrain import TerrainSurface, make_land
from outrider.world.shapes import HeightField
from outrider.world.tessellate import heightfield_height


@lru_cache(maxsize=4)
def land_of(recipe: TerrainGround) -> TerrainSurface:
    """Return the land of a recipe."""
    names = {rule.mask for rule in recipe.surfaces if rule.mask}
    return make_land(recipe, _base(recipe), {name: read_mask(name) for name in names})


def read_mask(name: str) -> Array:
    """Return a mask as brightness from 0 to 1, x first and y up."""
    levels, _ = read_height_image(named_file(name, "mask"))
    return np.ascontiguousarray(levels[::-1].T)


def _base(recipe: TerrainGround) -> Array | None:
    """Return the heights of a recipe's file on its own grid."""
    if not isinstance(recipe.base, FileBase):
        return None
    path = named_file(recipe.base.file, "ground.base.file")
    height = recipe.base.height
    size = None if height is None else (*recipe.size, height)
    field = read_ground_file(path, size).field
    grid = Grid.of(recipe.size, recipe.cell)
    if field.size[0] < recipe.size[0] - 1e-6 or field.size[1] < recipe.size[1] - 1e-6:
        raise ConfigError(
            f"{path}: its {field.size[0]:g} x {field.size[1]:g} m are smaller than the ground's"
            f" size {list(recipe.size)}"
        )
    return _resampled(field, grid)


def _resampled(field: HeightField, grid: Grid) -> Array:
    x, y = np.meshgrid(grid.x, grid.y, indexing="ij")
    half_x, half_y = field.size[0] / 2, field.size[1] / 2
    inside = np.clip(x, -half_x, half_x).ravel(), np.clip(y, -half_y, half_y).ravel()
    return heightfield_height(field, *inside).reshape(grid.shape)
