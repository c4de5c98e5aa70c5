"""Craters: a bowl, a raised rim and an ejecta blanket."""

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.terrain.grid import Grid
from outrider.terrain.recipe import CratersLayer
from outrider.terrain.sizes import law_sizes

_REACH = 2.5  # radii: as far as the blanket is felt


def craters(
    layer: CratersLayer, grid: Grid, heights: Array, random: np.random.Generator, where: str
) -> None:
    """Strike craters at random places, the largest first, as they lie over one another."""
    smallest, largest = layer.diameter
    if not 0 < smallest <= largest:
        raise ConfigError(f"{where}.diameter: expected smallest and largest, got {layer.diameter}")
    diameters = np.sort(law_sizes(random, layer.count, smallest, largest, layer.law))[::-1]
    x = random.uniform(grid.x[0], grid.x[-1], layer.count)
    y = random.uniform(grid.y[0], grid.y[-1], layer.count)
    fresh = 1.0 - layer.worn * random.random(layer.count)
    clear = np.hypot(x, y) > layer.keep_clear + 0.6 * diameters
    for a, b, size, share in zip(x[clear], y[clear], diameters[clear], fresh[clear], strict=True):
        crater(grid, heights, a, b, size, layer.depth * share, layer.rim * share)


def crater(
    grid: Grid, heights: Array, x: float, y: float, diameter: float, depth: float, rim: float
) -> None:
    """Strike one crater: ``depth`` from the rim's crest to the bottom and ``rim`` above the land.

    Both are shares of the diameter, which is measured from crest to crest.
    """
    radius = diameter / 2
    rows, columns = grid.window(x, y, _REACH * radius)
    r = np.hypot(grid.x[rows, None] - x, grid.y[None, columns] - y) / radius
    heights[rows, columns] += diameter * profile(r, depth, rim)


def profile(r: Array, depth: float, rim: float) -> Array:
    """Return heights per diameter at distances per radius: a bowl inside, a blanket outside.

    Inside a paraboloid, rounded at its crest; outside the rim falls with the cube of the distance
    (McGetchin, Settle and Head 1973), to nothing at 2.5 radii.
    """
    bowl = rim + depth * (r * r - 1.0)
    inside = np.maximum(r, 1.0)
    blanket = rim * (inside**-3 - _REACH**-3) / (1.0 - _REACH**-3)
    outside = np.where(r < _REACH, blanket, 0.0)
    return _rounded_minimum(bowl, outside, 0.35 * rim)


def _rounded_minimum(a: Array, b: Array, over: float) -> Array:
    """Return the lower of two with the corner rounded; far from the corner nothing changes."""
    share = np.clip(0.5 + 0.5 * (b - a) / max(over, 1e-9), 0.0, 1.0)
    return a * share + b * (1.0 - share) - over * share * (1.0 - share)
