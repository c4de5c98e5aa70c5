"""The colours of a whole terrain from above: its materials, worn, dry, damp and stained."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import content_key
from outrider.core.frames import Array
from outrider.terrain.grid import Grid, triangle_slopes
from outrider.terrain.noise import fractal
from outrider.terrain.polyline import Polyline
from outrider.terrain.recipe import TerrainGround
from outrider.terrain.surfaces import rule_holds
from outrider.terrain.terrain import TerrainSurface
from outrider.terrain.textures import Pixels, stored_picture

VERSION = 1
RGB = tuple[float, float, float]

# what a material looks like elsewhere: the colour it has where it is drier, older or stained
_OTHER: dict[str, RGB] = {
    "grass": (0.46, 0.43, 0.20),
    "soil": (0.30, 0.21, 0.13),
    "sandy-loam": (0.55, 0.45, 0.31),
    "sand": (0.68, 0.57, 0.38),
    "gravel": (0.42, 0.39, 0.35),
    "rock": (0.36, 0.35, 0.33),
    "regolith": (0.30, 0.295, 0.29),
    "ice": (0.62, 0.75, 0.86),
    "concrete": (0.50, 0.49, 0.46),
    "asphalt": (0.32, 0.32, 0.32),
}


def colour_map(
    recipe: TerrainGround,
    land: TerrainSurface,
    colours: Mapping[str, RGB],
    masks: Mapping[str, Array],
) -> str:
    """Return the file of a land's colour map, north up; made once."""
    files = [item for pair in sorted(masks.items()) for item in pair]
    key = content_key("colours", VERSION, recipe, land.heights, sorted(colours.items()), *files)
    return stored_picture(key, lambda: _pixels(recipe, land, colours, masks))


def _pixels(
    recipe: TerrainGround,
    land: TerrainSurface,
    colours: Mapping[str, RGB],
    masks: Mapping[str, Array],
) -> Pixels:
    grid = _pixel_grid(land, recipe.pixels)
    numbers = _materials_at(recipe, land, grid, masks)
    worn = _variation(recipe, grid)
    image = np.zeros((*grid.shape, 3), np.float32)
    for number, name in enumerate(land.materials):
        share = _softened(numbers == number)
        if share.any():
            own = np.array(colours[name], np.float32)
            other = np.array(_OTHER.get(name, tuple(0.75 * c for c in colours[name])), np.float32)
            image += share[..., None] * (own + worn[..., None] * (other - own))
    image *= _shade(recipe, grid)[..., None]
    upright = image.transpose(1, 0, 2)[::-1]
    pixels: Pixels = np.rint(255.0 * np.clip(upright, 0.0, 1.0)).astype(np.uint8)
    return pixels


def _pixel_grid(land: TerrainSurface, pixels: int) -> Grid:
    """Return the middles of the pixels."""
    x, y = land.grid.x, land.grid.y
    width, depth = float(x[-1] - x[0]), float(y[-1] - y[0])
    step = max(width, depth) / pixels
    n_x, n_y = max(2, round(width / step)), max(2, round(depth / step))
    return Grid(
        x[0] + (np.arange(n_x) + 0.5) * width / n_x, y[0] + (np.arange(n_y) + 0.5) * depth / n_y
    )


def _materials_at(
    recipe: TerrainGround, land: TerrainSurface, grid: Grid, masks: Mapping[str, Array]
) -> NDArray[np.uint8]:
    """Work the rules of the surface out at each pixel, with borders frayed a little."""
    numbers = np.full(grid.shape, land.materials.index(recipe.material), np.uint8)
    if recipe.surfaces:
        level = _onto(land.grid, land.heights, grid)
        tangent = triangle_slopes(land.grid, land.heights).max(axis=0)
        slope = _onto(land.grid.centres(), np.degrees(np.arctan(tangent)), grid)
        fray = fractal(grid.x, grid.y, recipe.seed, "fray", wavelength=3.0, octaves=3, gain=0.6)
        level, slope = level + 0.08 * fray, slope + 2.0 * fray
        for number, rule in enumerate(recipe.surfaces):
            name = f"surface {number}"
            held = rule_holds(rule, grid, level, slope, recipe.seed, name, masks)
            numbers[held] = land.materials.index(rule.material)
    if not recipe.paths:
        return numbers
    wear = fractal(grid.x, grid.y, recipe.seed, "verge", wavelength=1.5, octaves=3, gain=0.6)
    for number, path in enumerate(recipe.paths):
        line = Polyline.of(path.points, f"ground.paths.{number}")
        frayed = path.material not in ("asphalt", "concrete", "flooring", "tiles", "brick")
        distance, _ = line.near(grid.x, grid.y, path.width / 2 + 1.0)
        edge = path.width / 2 + (0.2 * wear if frayed else 0.0)
        numbers[distance <= edge] = land.materials.index(path.material)
    return numbers


def _onto(grid: Grid, values: Array, at: Grid) -> Array:
    """Return values between the corners of a coarser grid."""

    def shares(line: Array, places: Array) -> tuple[NDArray[np.int64], Array]:
        scaled = np.clip((places - line[0]) / (line[1] - line[0]), 0, len(line) - 1)
        low = np.minimum(scaled.astype(np.int64), len(line) - 2)
        return low, scaled - low

    if min(values.shape) < 2:
        return np.full(at.shape, float(values.mean()))
    (i, u), (j, v) = shares(grid.x, at.x), shares(grid.y, at.y)
    rows = values[i] * (1 - u)[:, None] + values[i + 1] * u[:, None]
    mixed: Array = rows[:, j] * (1 - v) + rows[:, j + 1] * v
    return mixed


def _variation(recipe: TerrainGround, grid: Grid) -> NDArray[np.float32]:
    """Return how dry, old or stained the ground is, from 0 to 1: large patches and small ones."""
    large = max(float(np.ptp(grid.x)), float(np.ptp(grid.y))) / 5
    wave = fractal(grid.x, grid.y, recipe.seed, "worn", wavelength=large, octaves=7, gain=0.62)
    return np.clip(0.35 + 0.45 * wave, 0.0, 1.0).astype(np.float32)


def _shade(recipe: TerrainGround, grid: Grid) -> NDArray[np.float32]:
    """Return lighter and darker spots, down to the pixel."""
    spots = fractal(
        grid.x, grid.y, recipe.seed, "spots", wavelength=16 * grid.cell[0], octaves=4, gain=0.8
    )
    return (1.0 + 0.09 * spots).astype(np.float32)


def _softened(chosen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return a mask with edges as wide as a pixel."""
    padded = np.pad(chosen.astype(np.float32), 1, mode="edge")
    rows = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    soft: NDArray[np.float32] = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 16
    return soft
