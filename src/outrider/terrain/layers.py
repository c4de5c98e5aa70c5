"""One function for each kind of layer: it changes the heights of a terrain."""

import math
from collections.abc import Callable

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.terrain.craters import crater, craters
from outrider.terrain.grid import Grid, smooth, triangle_slopes
from outrider.terrain.noise import fractal
from outrider.terrain.polyline import Polyline
from outrider.terrain.recipe import (
    CraterLayer,
    CratersLayer,
    FlattenLayer,
    HillLayer,
    LayerSpec,
    NoiseBase,
    NoiseLayer,
    PathLayer,
    RidgeLayer,
    SteepestLayer,
    TerraceLayer,
)

_LONGEST_PATH = 1e5  # m


def apply_layer(layer: LayerSpec, grid: Grid, heights: Array, seed: int, number: int) -> None:
    """Change heights in place."""
    where = f"ground.layers.{number}"
    _LAYERS[type(layer)](layer, grid, heights, seed, where)


def hills(spec: NoiseBase, grid: Grid, seed: int, name: str) -> Array:
    """Return noise stretched to its height, on a grid; the mean is near zero."""
    wave = waves(spec, grid.x, grid.y, seed, name)
    span = float(wave.max() - wave.min())
    return wave * (spec.height / span if span else 0.0)


def waves(spec: NoiseBase, x: Array, y: Array, seed: int, name: str) -> Array:
    """Return noise at rows x and columns y, as high as its waves make it."""
    return fractal(
        x,
        y,
        seed,
        name,
        wavelength=spec.wavelength,
        octaves=spec.octaves,
        gain=spec.gain,
        ridged=spec.ridged,
    )


def _noise(layer: NoiseLayer, grid: Grid, heights: Array, seed: int, where: str) -> None:
    heights += hills(layer, grid, seed, f"{layer.name} {where}")


def _craters(layer: CratersLayer, grid: Grid, heights: Array, seed: int, where: str) -> None:
    craters(layer, grid, heights, generator(seed, where), where)


def _crater(layer: CraterLayer, grid: Grid, heights: Array, _seed: int, _where: str) -> None:
    crater(grid, heights, layer.x, layer.y, layer.diameter, layer.depth, layer.rim)


def _hill(layer: HillLayer, grid: Grid, heights: Array, _seed: int, where: str) -> None:
    x, y = _rotated(grid, layer.x, layer.y, layer.yaw_deg)
    radius = np.hypot(x / _half(layer.size[0], where), y / _half(layer.size[1], where))
    heights += layer.height * (1.0 - smooth((radius - layer.flat) / (1.0 - layer.flat)))


def _ridge(layer: RidgeLayer, grid: Grid, heights: Array, _seed: int, where: str) -> None:
    half = layer.width / 2
    distance, _ = Polyline.of(layer.points, where).near(grid.x, grid.y, half)
    heights += layer.height * (1.0 - smooth(distance / half))


def _terrace(layer: TerraceLayer, _grid: Grid, heights: Array, _seed: int, _where: str) -> None:
    steps = heights / layer.step
    whole = np.floor(steps)
    part = smooth((steps - whole - 0.5) / max(1.0 - layer.sharpness, 1e-3) + 0.5)
    heights[:] = (whole + part) * layer.step


def _steepest(layer: SteepestLayer, grid: Grid, heights: Array, _seed: int, _where: str) -> None:
    steepest = float(triangle_slopes(grid, heights).max())
    if steepest > 0:
        heights *= math.tan(math.radians(layer.slope_deg)) / steepest


def _flatten(layer: FlattenLayer, grid: Grid, heights: Array, _seed: int, where: str) -> None:
    x, y = _rotated(grid, layer.x, layer.y, layer.yaw_deg)
    half = _half(layer.size[0], where), _half(layer.size[1], where)
    cell = math.hypot(*grid.cell)  # so that whole triangles are level
    if layer.round:
        radius = np.hypot(x / half[0], y / half[1])
        outside = (radius - 1.0) * min(half) - cell
    else:
        beyond = np.maximum(np.abs(x) - half[0], 0.0), np.maximum(np.abs(y) - half[1], 0.0)
        outside = np.hypot(*beyond) - cell
    level = height_at(grid, heights, layer.x, layer.y) if layer.height is None else layer.height
    heights += (level - heights) * (1.0 - smooth(outside / layer.blend))


def carve(path: PathLayer, grid: Grid, heights: Array, where: str) -> Array:
    """Even a path in; return how far each corner is from its middle (inf far away)."""
    line = Polyline.of(path.points, where)
    length = float(line.along[-1])
    if not length <= _LONGEST_PATH:
        raise ConfigError(
            f"{where}.points: expected a path of {_LONGEST_PATH:g} m at most, got {length:g} m"
        )
    cell = math.hypot(*grid.cell)
    half = path.width / 2 + cell
    distance, place = line.near(grid.x, grid.y, half + max(path.blend, 1e-6))
    profile_at = np.arange(0.0, line.along[-1] + cell, min(cell, 1.0))
    profile = _profile(line, profile_at, grid, heights, path.smooth)
    near = np.isfinite(distance)
    wanted = np.interp(place[near], profile_at, profile)
    share = 1.0 - smooth((distance[near] - half) / max(path.blend, 1e-6))
    heights[near] += (wanted - heights[near]) * share
    return distance


def _profile(line: Polyline, at: Array, grid: Grid, heights: Array, over: float) -> Array:
    """Return the heights along a line, averaged over a length."""
    x, y = (np.interp(at, line.along, line.points[:, k]) for k in (0, 1))
    raw = np.array([height_at(grid, heights, a, b) for a, b in zip(x, y, strict=True)])
    over = min(over, 2.0 * float(at[-1]))  # any more makes it no smoother
    wide = max(1, round(over / max(float(at[1] - at[0]), 1e-9))) | 1
    if wide == 1:
        return raw
    ends = np.pad(raw, wide // 2, mode="edge")
    window = np.hanning(wide + 2)[1:-1]
    return np.convolve(ends, window / window.sum(), mode="valid")


def height_at(grid: Grid, heights: Array, x: float, y: float) -> float:
    """Return the height at a point between the corners around it; at the rim beyond."""
    u = np.clip((x - grid.x[0]) / grid.cell[0], 0.0, len(grid.x) - 1.0)
    v = np.clip((y - grid.y[0]) / grid.cell[1], 0.0, len(grid.y) - 1.0)
    i, j = min(int(u), len(grid.x) - 2), min(int(v), len(grid.y) - 2)
    u, v = u - i, v - j
    near = heights[i, j] * (1 - u) + heights[i + 1, j] * u
    far = heights[i, j + 1] * (1 - u) + heights[i + 1, j + 1] * u
    return float(near * (1 - v) + far * v)


def _rotated(grid: Grid, x: float, y: float, yaw_deg: float) -> tuple[Array, Array]:
    """Return the corners' positions in a rotated frame about a point."""
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    a, b = grid.x[:, None] - x, grid.y[None, :] - y
    return c * a + s * b, c * b - s * a


def _half(size: float, where: str) -> float:
    if size <= 0:
        raise ConfigError(f"{where}.size: must be above 0, got {size}")
    return size / 2


_LAYERS: dict[type, Callable[..., None]] = {
    NoiseLayer: _noise,
    CratersLayer: _craters,
    CraterLayer: _crater,
    HillLayer: _hill,
    RidgeLayer: _ridge,
    TerraceLayer: _terrace,
    SteepestLayer: _steepest,
    FlattenLayer: _flatten,
}
