"""Many objects of a kind over a terrain: their positions, sizes and rotations."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.terrain.grid import Grid
from outrider.terrain.ground_query import GroundQuery
from outrider.terrain.recipe import Region, ScatterSpec
from outrider.terrain.sizes import law_sizes
from outrider.terrain.surfaces import patches, within

_TRIES = 60  # rounds of drawing places before a count is given up
MOST = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Scattered:
    """Places (n, 3) on the ground, sizes, headings, upward directions (n, 3) and variants."""

    positions: Array
    sizes: Array
    yaws: Array
    ups: Array
    variants: NDArray[np.int64]


def strewn(spec: ScatterSpec, footing: GroundQuery, seed: int, where: str) -> Scattered:
    """Return where the things of a scatter stand."""
    if (spec.count is None) == (spec.density is None):
        raise ConfigError(f"{where}: expected either a 'count' or a 'density'")
    if not 0 < spec.size[0] <= spec.size[1]:
        raise ConfigError(f"{where}.size: expected smallest and largest, got {list(spec.size)}")
    seed = seed if spec.seed is None else spec.seed
    random = generator(seed, "scatter", spec.name or spec.what)
    drawn = _Draw(spec, footing, random, seed, where).places()
    points, sizes = drawn[:, :2], drawn[:, 2]
    heights, slopes = footing.heights(points), footing.gradients(points)
    ups = np.column_stack([-slopes, np.ones(len(points))])
    ups /= np.linalg.norm(ups, axis=1)[:, None]
    if not spec.tilt:
        ups[:] = 0.0, 0.0, 1.0
    yaws = random.uniform(0, 2 * np.pi, len(points))
    kinds = random.integers(0, spec.variants, len(points))
    return Scattered(np.column_stack([points, heights]), sizes, yaws, ups, kinds)


class _Draw:
    """Draws places until there are enough."""

    def __init__(
        self,
        spec: ScatterSpec,
        footing: GroundQuery,
        random: np.random.Generator,
        seed: int,
        where: str,
    ) -> None:
        self.spec, self.footing, self.random = spec, footing, random
        self.seed, self.where = seed, where
        self.low, self.high = _extent(spec.region, footing.grid)

    def places(self) -> Array:
        """Return x, y and size of each thing."""
        if self.spec.density is not None:
            area = float(np.prod(np.maximum(self.high - self.low, 0.0)))
            count = round(self.spec.density * area)
            if count > MOST:
                raise ConfigError(f"{self.where}.density: {count} things are more than {MOST}")
            return self._round(count)
        return self._counted(self.spec.count or 0)

    def _counted(self, count: int) -> Array:
        found: list[Array] = []
        for _ in range(_TRIES):
            missing = count - sum(len(part) for part in found)
            if missing <= 0:
                return np.concatenate(found)[:count] if found else np.zeros((0, 3))
            found.append(self._round(2 * missing + 16))
        have = sum(len(part) for part in found)
        raise ConfigError(
            f"{self.where}.count: only {have} of {count} things fit where they may stand"
        )

    def _round(self, count: int) -> Array:
        """Draw places and keep those where a thing may stand."""
        points = self.random.uniform(self.low, self.high, (count, 2))
        sizes = law_sizes(self.random, count, *self.spec.size, self.spec.law)
        luck = self.random.random(count)
        kept = self._allowed(points, sizes, luck)
        return np.column_stack([points, sizes])[kept]

    def _allowed(self, points: Array, sizes: Array, luck: Array) -> NDArray[np.bool_]:
        spec, region, footing = self.spec, self.spec.region, self.footing
        kept = footing.clear(points, spec.keep_clear + sizes / 2, spec.clear_start + sizes / 2)
        if region.radius is not None:
            away = points - np.array(region.centre)
            kept &= np.hypot(away[:, 0], away[:, 1]) <= region.radius
        if region.height is not None:
            kept &= within(footing.heights(points), region.height, f"{self.where}.region.height")
        if region.slope_deg is not None:
            slopes = np.degrees(np.arctan(np.linalg.norm(footing.gradients(points), axis=1)))
            kept &= within(slopes, region.slope_deg, f"{self.where}.region.slope_deg")
        if region.materials:
            kept &= np.isin(footing.materials(points), footing.numbers(region.materials))
        if region.mask:
            kept &= footing.mask(region.mask, points) > luck
        if region.patches < 1.0:
            kept &= self._in_patches(points)
        return kept

    def _in_patches(self, points: Array) -> NDArray[np.bool_]:
        region, grid = self.spec.region, self.footing.grid
        size = float(np.ptp(grid.x)), float(np.ptp(grid.y))
        coarse = Grid.of(size, region.patch_size / 8, grid.centre)
        taken = patches(coarse, self.seed, self.where, region.patches, region.patch_size)
        i = np.clip(np.searchsorted(coarse.x, points[:, 0]), 0, len(coarse.x) - 1)
        j = np.clip(np.searchsorted(coarse.y, points[:, 1]), 0, len(coarse.y) - 1)
        return taken[i, j]


def _extent(region: Region, grid: Grid) -> tuple[Array, Array]:
    """Return the corners of the rectangle in which places are drawn: inside the land."""
    low, high = np.array([grid.x[0], grid.y[0]]), np.array([grid.x[-1], grid.y[-1]])
    middle = np.array(region.centre)
    for half in (
        None if region.radius is None else np.full(2, region.radius),
        None if region.size is None else np.array(region.size) / 2,
    ):
        if half is not None:
            low, high = np.maximum(low, middle - half), np.minimum(high, middle + half)
    if (high <= low).any():
        raise ConfigError(f"a region at {list(region.centre)} lies outside of the ground")
    return low, high
