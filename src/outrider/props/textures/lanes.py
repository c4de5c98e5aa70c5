"""A floor with the lanes of a model-car track: two lanes in the shape of a stadium."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, spots

SIZE = (4.3, 6.0)  # m of the drawing, along x and y
OUTER, INNER = 1.84, 1.20  # m, radii of the lines' middles at the round ends
STRAIGHT = 2.10  # m between the round ends
LINE = 0.02  # m, width of the markings
DASH, PERIOD = 0.35, 0.65  # m of the line between the lanes
METRES_PER_PIXEL = 0.005


@recipe("outrider.props.textures.lanes.lanes")
def lanes(random: np.random.Generator) -> Image:
    """Return white lines on a dark floor, so many metres per pixel."""
    columns, rows = (round(length / METRES_PER_PIXEL) for length in SIZE)
    x: Array = (np.arange(columns, dtype=float) + 0.5) * METRES_PER_PIXEL - SIZE[0] / 2
    y: Array = (np.arange(rows, dtype=float) + 0.5) * METRES_PER_PIXEL - SIZE[1] / 2
    radius, run = _around(x[None, :], y[::-1, None])
    white = _line(radius, OUTER) | _line(radius, INNER)
    white |= _line(radius, (OUTER + INNER) / 2) & (run % PERIOD < DASH)
    shape = (rows, columns)
    light = 0.10 * fractal(random, shape, 1.2) + 0.10 * fractal(random, shape, 0.2)
    light += 0.20 * spots(random, shape, 3000, (1.0, 2.2))
    floor = coloured((0.13, 0.13, 0.14), light)
    paint = coloured((0.90, 0.90, 0.88), 0.03 * fractal(random, shape, 0.3))
    return as_pixels(np.where(white[..., None], paint, floor))


def _around(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the distance from the track's spine, and how far along the middle line one is."""
    middle = (OUTER + INNER) / 2
    beyond = np.clip(np.abs(y) - STRAIGHT / 2, 0, None) * np.sign(y)
    radius = np.hypot(x, beyond)
    angle = np.arctan2(beyond, x)
    straight = np.clip(y, -STRAIGHT / 2, STRAIGHT / 2)
    run = np.where(x >= 0, angle * middle + straight, (np.pi - angle) * middle - straight)
    return radius, run + 100.0


def _line(radius: Array, at: float) -> NDArray[np.bool_]:
    near: NDArray[np.bool_] = np.abs(radius - at) <= LINE / 2
    return near
