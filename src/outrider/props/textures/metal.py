"""Sheets, paint, solar cells."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, shaped, spots

RGB = tuple[float, float, float]


@recipe("outrider.props.textures.metal.corrugated")
def corrugated(
    random: np.random.Generator, colour: RGB = (0.56, 0.58, 0.60), waves: int = 12, side: int = 1024
) -> Image:
    """Return corrugated iron with upright waves, screws in rows, and rust that runs down."""
    shape = (side, side)
    wave = np.sin(np.arange(side) / side * waves * 2 * np.pi)
    rust = np.clip(shaped(random, shape, 1.4, (1.8, 0.5)) - 0.9, 0, 1)
    light = 0.20 * wave[None, :] + 0.05 * shaped(random, shape, 0.6, (4.0, 1.0))
    light = light + _sheets(shape)
    sheet = coloured(colour, light + 0.04 * fractal(random, shape, 1.3))
    brown = coloured((0.42, 0.25, 0.15), 0.16 * wave[None, :] + 0.15 * fractal(random, shape, 0.8))
    image = sheet * (1 - rust[..., None]) + brown * rust[..., None]
    return as_pixels(_screws(image, waves))


def _sheets(shape: tuple[int, int]) -> Array:
    """Return the shadow where one row of sheets lies over the next."""
    row = np.arange(shape[0])
    shadow = -0.35 * np.exp(-(((row % (shape[0] // 2)) / 4.0) ** 2))
    return np.broadcast_to(shadow[:, None], shape)


def _screws(image: Array, waves: int) -> Array:
    side = image.shape[0]
    for row in range(side // 16, side, side // 4):
        for wave in range(0, waves, 2):
            column = int((wave + 0.25) * side / waves)
            image[row : row + 5, column - 2 : column + 3] *= 0.4
    return image


@recipe("outrider.props.textures.metal.painted")
def painted(random: np.random.Generator, colour: RGB, wear: float = 1.0, side: int = 512) -> Image:
    """Return painted metal: scratches, stains, chips down to the rust."""
    shape = (side, side)
    stains = fractal(random, shape, 1.5)
    scratches = -np.clip(1 - 20 * np.abs(shaped(random, shape, 1.2, (1.0, 5.0))), 0, 1)
    light = 0.05 * stains + 0.06 * scratches * wear + 0.03 * fractal(random, shape, 0.2)
    paint = coloured(colour, light)
    chips = (np.abs(spots(random, shape, 90, (1.0, 7.0))) > 0.3) * (stains > 0.4) * min(wear, 1.0)
    rust = coloured((0.40, 0.24, 0.15), 0.2 * fractal(random, shape, 0.5))
    return as_pixels(paint * (1 - chips[..., None]) + rust * chips[..., None])


@recipe("outrider.props.textures.metal.striped")
def striped(
    random: np.random.Generator, colour: RGB, other: RGB, stripes: int = 2, side: int = 512
) -> Image:
    """Return level stripes of two colours, as on cones and barrels."""
    row = np.arange(side)[:, None] * stripes * 2 // side
    light = 0.05 * fractal(random, (side, side), 1.4) + 0.05 * fractal(random, (side, side), 0.2)
    light += 0.25 * np.clip(spots(random, (side, side), 60, (1.0, 6.0)), -1, 0)
    mixed = np.where((row % 2 == 0)[..., None], coloured(colour, light), coloured(other, light))
    return as_pixels(mixed)


@recipe("outrider.props.textures.metal.solar_cells")
def solar_cells(
    random: np.random.Generator, columns: int = 6, rows: int = 10, side: int = 1024
) -> Image:
    """Return one module: dark blue cells, silver fingers and bus bars, a frame of aluminium."""
    x, y = np.arange(side)[None, :] / side, np.arange(side)[:, None] / side
    cell_x, cell_y = (x - 0.02) / 0.96 * columns, (y - 0.02) / 0.96 * rows
    column = np.clip(cell_x.astype(int), 0, columns - 1)
    row = np.clip(cell_y.astype(int), 0, rows - 1)
    tone = random.normal(0, 0.13, (rows, columns))[row, column]
    crystals = shaped(random, (side, side), 0.8, (1.0, 1.0))
    image = coloured((0.055, 0.10, 0.26), tone + 0.14 * crystals, 0.1 * crystals)
    bus = np.abs((cell_x * 3) % 1 - 0.5) < 0.035
    fingers = np.abs((cell_y * 12) % 1 - 0.5) < 0.07
    image = np.where(fingers[..., None], image * 1.25 + 0.02, image)
    image = np.where(bus[..., None], np.array([0.62, 0.64, 0.68]), image)
    gap = _near_whole(cell_x, 0.025) | _near_whole(cell_y, 0.025)
    image = np.where(gap[..., None], np.array([0.80, 0.82, 0.84]), image)
    frame = (np.minimum(x, 1 - x) < 0.02) | (np.minimum(y, 1 - y) < 0.02)
    return as_pixels(np.where(frame[..., None], np.array([0.70, 0.71, 0.73]), image))


def _near_whole(values: Array, near: float) -> NDArray[np.bool_]:
    share = values % 1
    close: NDArray[np.bool_] = np.minimum(share, 1 - share) < near
    return close
