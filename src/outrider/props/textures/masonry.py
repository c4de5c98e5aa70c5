"""Bricks, concrete, plaster, tiles and asphalt."""

import numpy as np

from outrider.core.frames import Array
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, spots

RGB = tuple[float, float, float]


@recipe("outrider.props.textures.masonry.bricks")
def bricks(
    random: np.random.Generator,
    colour: RGB = (0.56, 0.27, 0.19),
    rows: int = 16,
    columns: int = 6,
    side: int = 1024,
) -> Image:
    """Return courses of bricks, each second one shifted by half a brick."""
    y = np.arange(side)[:, None] / side * rows
    row = y.astype(int) % rows
    x = np.arange(side)[None, :] / side * columns + 0.5 * (row % 2)
    brick = x.astype(int) % columns
    tone = random.normal(0, 0.14, (rows, columns))[row, brick]
    hue = random.normal(0, 0.10, (rows, columns))[row, brick]
    aside = np.minimum(x % 1, 1 - x % 1) * side / columns
    above = np.minimum(y % 1, 1 - y % 1) * side / rows
    joint = np.minimum(aside, above) < side / rows * 0.07
    rough = fractal(random, (side, side), 0.7)
    faces = coloured(colour, tone + 0.10 * rough, hue)
    mortar = coloured((0.68, 0.65, 0.60), 0.10 * rough)
    return as_pixels(np.where(joint[..., None], mortar, faces))


@recipe("outrider.props.textures.masonry.concrete")
def concrete(
    random: np.random.Generator, colour: RGB = (0.63, 0.62, 0.59), joints: int = 0, side: int = 1024
) -> Image:
    """Return cast concrete: stains, grains, pores, fine cracks, and joints between slabs."""
    shape = (side, side)
    stains, grains = fractal(random, shape, 1.5), fractal(random, shape, 0.35)
    pores = -np.abs(spots(random, shape, side * 2, (1.0, 3.2)))
    cracks = -np.clip(1 - 26 * np.abs(fractal(random, shape, 1.7)), 0, 1) * (stains > 0.6)
    light = 0.09 * stains + 0.07 * grains + 0.24 * pores + 0.28 * cracks + _joints(side, joints)
    return as_pixels(coloured(colour, light, 0.04 * fractal(random, shape, 1.5)))


@recipe("outrider.props.textures.masonry.plaster")
def plaster(
    random: np.random.Generator, colour: RGB = (0.86, 0.85, 0.81), side: int = 512
) -> Image:
    """Return a painted wall: faint stains, scuffs and grain."""
    shape = (side, side)
    light = 0.03 * fractal(random, shape, 1.5) + 0.025 * fractal(random, shape, 0.2)
    light += 0.07 * np.clip(spots(random, shape, 60, (1.0, 4.0)), -1, 0)
    return as_pixels(coloured(colour, light))


@recipe("outrider.props.textures.masonry.tiles")
def tiles(
    random: np.random.Generator,
    colour: RGB = (0.78, 0.77, 0.73),
    count: int = 4,
    other: RGB | None = None,
    side: int = 1024,
) -> Image:
    """Return a tiled floor, of one colour or chequered."""
    place = np.arange(side) * count // side
    tone = random.normal(0, 0.035, (count, count))[place[:, None], place[None, :]]
    speck = 0.05 * fractal(random, (side, side), 0.3) + 0.10 * spots(
        random, (side, side), side, (1.0, 2.5)
    )
    light = tone + speck + _joints(side, count)
    image = coloured(colour, light)
    if other is not None:
        odd = (place[:, None] + place[None, :]) % 2 == 1
        image = np.where(odd[..., None], coloured(other, light), image)
    return as_pixels(image)


@recipe("outrider.props.textures.masonry.asphalt")
def asphalt(
    random: np.random.Generator, colour: RGB = (0.27, 0.27, 0.28), side: int = 1024
) -> Image:
    """Return asphalt: light and dark stones in tar, worn patches and cracks."""
    shape = (side, side)
    stones = spots(random, shape, side * 16, (1.0, 3.4))
    wear, cracks = fractal(random, shape, 1.5), fractal(random, shape, 1.7)
    light = 0.30 * np.clip(stones, -1, 1.4) + 0.12 * wear + 0.08 * fractal(random, shape, 0.2)
    light -= 0.45 * np.clip(1 - 30 * np.abs(cracks), 0, 1) * (wear > 0.3)
    return as_pixels(coloured(colour, light))


@recipe("outrider.props.textures.masonry.carpet")
def carpet(
    random: np.random.Generator, colour: RGB = (0.36, 0.38, 0.42), side: int = 1024
) -> Image:
    """Return short pile with flecks of other colours."""
    shape = (side, side)
    flecks = spots(random, shape, side * 4, (1.0, 2.6))
    light = 0.10 * fractal(random, shape, 0.2) + 0.22 * flecks + 0.05 * fractal(random, shape, 1.4)
    return as_pixels(coloured(colour, light, 0.10 * flecks))


def _joints(side: int, count: int) -> Array:
    """Return dark lines between so many squares."""
    if count == 0:
        return np.zeros((side, side))
    pitch = side / count
    place = (np.arange(side) + 0.5) % pitch
    near = np.minimum(place, pitch - place)
    line = np.exp(-((near / 2.5) ** 2))
    lines: Array = -0.5 * np.maximum(line[:, None], line[None, :])
    return lines
