"""The material of each cell of a terrain: rules by height, slope, region, patches and masks."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.terrain.grid import Grid, triangle_slopes
from outrider.terrain.noise import fractal
from outrider.terrain.recipe import Range, SurfaceRule, TerrainGround

_PATCH_OCTAVES = 4


def cell_materials(
    recipe: TerrainGround,
    grid: Grid,
    heights: Array,
    path_distances: list[Array],
    names: tuple[str, ...],
    masks: Mapping[str, Array],
) -> NDArray[np.uint8]:
    """Return for each cell the number of its material; paths lie over everything."""
    middles = grid.centres()
    level = _middle(heights)
    slope = np.degrees(np.arctan(triangle_slopes(grid, heights).max(axis=0)))
    cells = np.full(middles.shape, names.index(recipe.material), np.uint8)
    for number, rule in enumerate(recipe.surfaces):
        held = rule_holds(rule, middles, level, slope, recipe.seed, f"surface {number}", masks)
        cells[held] = names.index(rule.material)
    for path, distance in zip(recipe.paths, path_distances, strict=True):
        cells[_middle(distance) <= path.width / 2] = names.index(path.material)
    return cells


def rule_holds(
    rule: SurfaceRule,
    at: Grid,
    level: Array,
    slope_deg: Array,
    seed: int,
    name: str,
    masks: Mapping[str, Array],
) -> NDArray[np.bool_]:
    """Return where on a grid a rule holds."""
    held = np.ones(at.shape, bool)
    if rule.height is not None:
        held &= within(level, rule.height, f"{name}.height")
    if rule.slope_deg is not None:
        held &= within(slope_deg, rule.slope_deg, f"{name}.slope_deg")
    if rule.radius is not None:
        x, y = rule.centre
        held &= np.hypot(at.x[:, None] - x, at.y[None, :] - y) <= rule.radius
    if rule.patches < 1.0:
        held &= patches(at, seed, name, rule.patches, rule.patch_size)
    if rule.mask:
        held &= sampled(masks[rule.mask], at) > 0.5
    return held


def within(values: Array, limits: Range, where: str) -> NDArray[np.bool_]:
    """Return which values lie between two limits."""
    if limits[0] > limits[1]:
        raise ConfigError(f"{where}: expected the lower limit first, got {list(limits)}")
    inside: NDArray[np.bool_] = (values >= limits[0]) & (values <= limits[1])
    return inside


def patches(at: Grid, seed: int, name: str, share: float, size: float) -> NDArray[np.bool_]:
    """Return random patches that take about this share of the area, at any cell size.

    The limit is that of a normal distribution as wide as the noise is.
    """
    wave = fractal(at.x, at.y, seed, name, wavelength=size, octaves=_PATCH_OCTAVES, gain=0.5)
    taken: NDArray[np.bool_] = wave < _SPREAD * _normal_quantile(share)
    return taken


_SPREAD = 0.45  # the standard deviation of four octaves, measured


def _normal_quantile(share: float) -> float:
    """Return the value below which this share of a normal distribution lies, to 1 %."""
    share = min(max(share, 1e-6), 1 - 1e-6)
    tail = min(share, 1 - share)
    t = math.sqrt(-2 * math.log(tail))
    size = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t)
    return size if share > 0.5 else -size


def sampled(mask: Array, at: Grid) -> Array:
    """Return an image over the whole land at the points of a grid, nearest pixels."""

    def places(line: Array, count: int) -> NDArray[np.int64]:
        share = (line - line[0]) / max(float(line[-1] - line[0]), 1e-12)
        nearest: NDArray[np.int64] = np.round(share * (count - 1)).astype(np.int64)
        return nearest

    return mask[np.ix_(places(at.x, mask.shape[0]), places(at.y, mask.shape[1]))]


def _middle(corners: Array) -> Array:
    """Return the mean of each cell's corners."""
    return (corners[:-1, :-1] + corners[1:, :-1] + corners[:-1, 1:] + corners[1:, 1:]) / 4
