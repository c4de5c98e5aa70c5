"""Bark, boards and planks."""

import numpy as np

from outrider.core.frames import Array
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, shaped, spots

RGB = tuple[float, float, float]


@recipe("outrider.props.textures.wood.bark")
def bark(random: np.random.Generator, colour: RGB = (0.42, 0.36, 0.29), side: int = 512) -> Image:
    """Return bark: deep furrows along the trunk, plates between them."""
    shape = (side, side)
    furrows = shaped(random, shape, 1.3, (3.5, 0.8))
    deep = -np.clip(1.2 - 2.2 * np.abs(furrows), 0, 1) * 0.55
    grain = 0.13 * shaped(random, shape, 0.6, (2.0, 0.7))
    light = deep + grain + 0.16 * fractal(random, shape, 1.4)
    return as_pixels(coloured(colour, light, 0.05 * fractal(random, shape, 1.5)))


@recipe("outrider.props.textures.wood.boards")
def boards(
    random: np.random.Generator,
    colour: RGB = (0.55, 0.44, 0.32),
    count: int = 8,
    worn: float = 1.0,
    side: int = 1024,
) -> Image:
    """Return so many upright boards beside one another, worn by the weather."""
    width = side // count
    shape = (side, width * count)
    image = np.empty((*shape, 3))
    for board in range(count):
        image[:, board * width : (board + 1) * width] = _board(random, (side, width), colour, worn)
    return as_pixels(image)


def _board(random: np.random.Generator, shape: tuple[int, int], colour: RGB, worn: float) -> Array:
    """Return one board: grain, knots, nails, dark edges, and patches where the paint is gone."""
    grain = shaped(random, shape, 0.75, (6.0, 0.6))
    wear = shaped(random, shape, 1.5, (2.5, 0.8))
    knots = spots(random, shape, 5, (2.0, shape[1] / 12))
    light = 0.10 * grain - 0.3 * np.abs(knots) + random.normal(0, 0.10) + 0.06 * wear
    light += _edges(shape)
    image = coloured(colour, light, 0.10 * wear)
    bare = np.clip((wear - 1.1) * 1.6, 0, 1) * worn
    grey = coloured((0.50, 0.45, 0.39), 0.16 * grain - 0.2 * np.abs(knots))
    mixed: Array = image * (1 - bare[..., None]) + grey * bare[..., None]
    for row in (int(shape[0] * 0.06), int(shape[0] * 0.56)):
        for column in (shape[1] // 5, shape[1] * 4 // 5):
            mixed[row : row + 5, column : column + 5] *= 0.35
    return mixed


def _edges(shape: tuple[int, int]) -> Array:
    """Return the dark gap at both sides of a board."""
    column = np.arange(shape[1])
    near = np.minimum(column, shape[1] - 1 - column)
    return np.broadcast_to(-0.75 * np.exp(-((near / 2.2) ** 2)), shape)


@recipe("outrider.props.textures.wood.veneer")
def veneer(random: np.random.Generator, colour: RGB = (0.66, 0.50, 0.33), side: int = 512) -> Image:
    """Return a smooth wooden surface with a fine grain, as of furniture."""
    shape = (side, side)
    grain = shaped(random, shape, 0.8, (8.0, 0.7))
    rings = np.sin(6.0 * shaped(random, shape, 1.6, (5.0, 0.8)))
    light = 0.08 * grain + 0.06 * rings
    return as_pixels(coloured(colour, light, 0.06 * fractal(random, shape, 1.5)))
