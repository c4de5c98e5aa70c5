"""A storey of a building: a wall with windows, so that one image covers some bays of it."""

import numpy as np

from outrider.core.frames import Array
from outrider.props.textures.masonry import bricks
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal

RGB = tuple[float, float, float]
FRAME: Array = np.array([0.88, 0.87, 0.84])


@recipe("outrider.props.textures.facade.facade")
def facade(
    random: np.random.Generator,
    colour: RGB = (0.56, 0.27, 0.19),
    bays: int = 2,
    window: tuple[float, float] = (0.42, 0.55),
    side: int = 1024,
) -> Image:
    """Return one storey of so many bays: bricks, a window in each, a stone band below."""
    wall = bricks(random, colour, 48, 20 * bays // 2, side).astype(float)[..., :3] / 255.0
    wall = wall * (1 + 0.06 * fractal(random, (side, side), 1.5))[..., None]
    width = side // bays
    for bay in range(bays):
        _window(random, wall[:, bay * width : (bay + 1) * width], window)
    band = slice(int(side * 0.965), side)
    wall[band] = coloured((0.74, 0.72, 0.67), 0.05 * fractal(random, (side, side), 0.8))[band]
    wall[int(side * 0.955) : int(side * 0.965)] *= 0.5
    return as_pixels(wall)


def _window(random: np.random.Generator, bay: Array, share: tuple[float, float]) -> None:
    """Draw a window with panes, a frame and a sill into one bay."""
    rows, columns = bay.shape[:2]
    high, wide = int(rows * share[1]), int(columns * share[0])
    top, left = int(rows * 0.20), (columns - wide) // 2
    glass = _glass(random, high, wide)
    bay[top : top + high, left : left + wide] = glass
    edge = max(3, wide // 28)
    for at in (0, wide // 2 - edge // 2, wide - edge):
        bay[top : top + high, left + at : left + at + edge] = FRAME
    for at in (0, high // 3, high - edge):
        bay[top + at : top + at + edge, left : left + wide] = FRAME
    sill = slice(top + high, top + high + rows // 36)
    bay[sill, left - edge * 2 : left + wide + edge * 2] = FRAME * 0.85
    bay[top + high + rows // 36 : top + high + rows // 28, left - edge : left + wide + edge] *= 0.5
    bay[top - rows // 26 : top, left - edge : left + wide + edge] = np.array([0.72, 0.70, 0.66])


def _glass(random: np.random.Generator, high: int, wide: int) -> Array:
    """Return a pane: sky at the top, the dark of the room below, a blind here and there."""
    down = np.linspace(0, 1, high)[:, None, None]
    sky, room = np.array([0.42, 0.52, 0.62]), np.array([0.10, 0.12, 0.15])
    pane = sky * (1 - down) ** 1.6 + room * (1 - (1 - down) ** 1.6)
    pane = np.broadcast_to(pane, (high, wide, 3)).copy()
    if random.random() < 0.6:
        length = int(high * random.uniform(0.15, 0.6))
        slats = 0.72 + 0.12 * np.sin(np.arange(length) * 1.2)
        pane[:length] = slats[:, None, None] * np.array([0.95, 0.93, 0.88])
    return pane * (1 + 0.05 * fractal(random, (high, wide), 1.2))[..., None]


@recipe("outrider.props.textures.facade.entrance")
def entrance(random: np.random.Generator, side: int = 512) -> Image:
    """Return a double door of glass and dark metal."""
    image = np.broadcast_to(_glass(random, side, side), (side, side, 3)).copy()
    dark = np.array([0.16, 0.17, 0.19])
    edge = side // 24
    for at in (0, side // 2 - edge // 2, side - edge):
        image[:, at : at + edge] = dark
    for at in (0, side // 4, side - edge * 2):
        image[at : at + edge] = dark
    for at in (side // 2 - edge * 2, side // 2 + edge):
        image[side // 2 : side * 3 // 4, at : at + edge] = np.array([0.75, 0.76, 0.78])
    return as_pixels(image)


@recipe("outrider.props.textures.facade.roofing")
def roofing(random: np.random.Generator, side: int = 512) -> Image:
    """Return a flat roof of gravel."""
    light = 0.15 * fractal(random, (side, side), 0.2) + 0.08 * fractal(random, (side, side), 1.4)
    return as_pixels(coloured((0.55, 0.54, 0.52), light))
