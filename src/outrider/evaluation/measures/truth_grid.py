"""The true occupancy grid, made from the world: everything in a height band above the ground."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.mapping.map_files import GridMap
from outrider.core.errors import EvaluationError
from outrider.core.frames import Array
from outrider.evaluation.measures.regions import regions
from outrider.scene.grid_surface import surface_of
from outrider.scene.triangles import triangles
from outrider.world.assembly import assemble, seen
from outrider.world.materials import is_unseen
from outrider.world.model import Geometry, World

Region: TypeAlias = tuple[float, float, float, float]  # x and y of two corners
_MOST_CELLS = 25_000_000
_LARGE = 64  # cells: larger triangles are cut before they are sampled
_GROUND = "ground"


@dataclass(frozen=True, slots=True)
class Band:
    """What a sensor takes for an obstacle: surfaces between two heights above the ground (m)."""

    low: float = 0.1
    high: float = 2.5


def truth_grid(
    world: World,
    region: Region,
    band: Band | None = None,
    floors: frozenset[str] = frozenset(),
    resolution: float = 0.05,
) -> GridMap:
    """Return the cells of a region that any static object occupies within the band.

    Models named ``ground`` or in ``floors`` are what one drives on.
    """
    band = band or Band()
    empty = _empty(region, resolution)
    shapes = list(_shapes(world))
    ground = [g for g in shapes if g.name == _GROUND or g.name in floors]
    things = [g for g in shapes if g.name != _GROUND and g.name not in floors]
    heights = _heights(ground or shapes, empty, lowest=not ground)
    occupied = np.zeros(empty.values.shape, np.bool_)
    for geometry in things if ground else shapes:
        _mark(occupied, _corners(geometry), heights, empty, band)
    occupied |= _closed_in(occupied, empty, world.start.position)
    values = np.where(occupied, 100, 0).astype(np.int8)
    values[~np.isfinite(heights) & ~occupied] = -1  # beyond the ground there is nothing to know
    return GridMap(values, resolution, empty.origin)


def ground_region(world: World, floors: frozenset[str] = frozenset()) -> Region:
    """Return the rectangle that the ground of a world covers."""
    shapes = [g for g in _shapes(world) if g.name == _GROUND or g.name in floors]
    if not shapes:
        raise EvaluationError(f"world '{world.name}' has no ground to make a map of")
    surface = surface_of(shapes)
    (x0, y0, _), (x1, y1, _) = surface.low.tolist(), surface.high.tolist()
    return x0, y0, x1, y1


def _shapes(world: World) -> Iterator[Geometry]:
    for part in assemble(world).static:
        for g in seen(part):
            if not is_unseen(g.material):
                yield Geometry(g.shape, g.pose, g.material, part.name.partition("/")[0])


def _empty(region: Region, resolution: float) -> GridMap:
    x0, y0, x1, y1 = region
    columns, rows = (math.ceil((b - a) / resolution - 1e-3) for a, b in ((x0, x1), (y0, y1)))
    if not 0 < rows * columns <= _MOST_CELLS:
        raise EvaluationError(
            f"a map of {columns} x {rows} cells: expected 1 to {_MOST_CELLS} cells in all;"
            " choose another region or resolution"
        )
    return GridMap(np.zeros((rows, columns), np.int8), resolution, np.array([x0, y0, 0.0]))


def _heights(ground: list[Geometry], grid: GridMap, *, lowest: bool) -> Array:
    """Return the ground's height under every cell; NaN where there is none."""
    surface = surface_of(ground)
    rows, columns = grid.values.shape
    x = grid.origin[0] + (np.arange(columns) + 0.5) * grid.resolution
    y = grid.origin[1] + (np.arange(rows) + 0.5) * grid.resolution
    side = -1.0 if lowest else 1.0
    start = (float(surface.low[2]) - 1.0) if lowest else (float(surface.high[2]) + 1.0)
    origins = np.empty((rows * columns, 3), np.float32)
    origins[:, 0], origins[:, 1] = np.tile(x, rows), np.repeat(y, columns)
    origins[:, 2] = start
    down = np.tile(np.array([0.0, 0.0, -side], np.float32), (len(origins), 1))
    hits = surface.cast(origins, down, np.full(len(origins), 1e5, np.float32))
    found = np.where(hits.shape >= 0, start - side * hits.distance.astype(np.float64), np.nan)
    return found.reshape(rows, columns)


def _corners(geometry: Geometry) -> Array:
    """Return a shape's triangles in the world, (n, 3 corners, 3)."""
    mesh = triangles(geometry.shape, 0.005)
    corners: Array = geometry.pose.apply(np.asarray(mesh.vertices, np.float64))[mesh.faces]
    return corners


def _mark(
    occupied: NDArray[np.bool_], corners: Array, heights: Array, grid: GridMap, band: Band
) -> None:
    """Mark the cells that triangles reach: points closer than half a cell are sampled."""
    rows, columns = heights.shape
    low = np.array([*grid.origin[:2], np.nanmin(heights) + band.low])
    size = np.array([columns, rows]) * grid.resolution
    high = np.array([*(low[:2] + size), np.nanmax(heights) + band.high])
    for points in _samples(corners, low, high, grid.resolution / 2):
        column, row = ((points[:, :2] - grid.origin[:2]) / grid.resolution).astype(np.int64).T
        inside = (points[:, :2] >= low[:2]).all(axis=1) & (column < columns) & (row < rows)
        column, row, z = column[inside], row[inside], points[inside, 2]
        above = z - heights[row, column]
        stands = (above >= band.low) & (above <= band.high)
        occupied[row[stands], column[stands]] = True


def _samples(corners: Array, low: Array, high: Array, spacing: float) -> Iterator[Array]:
    """Yield points on triangles inside a box, closer together than the spacing."""
    large = _LARGE * spacing
    while len(corners):
        corners = corners[_meets(corners, low, high)]
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        steps = np.maximum(1, np.ceil(sides / spacing)).astype(np.int64)
        fits = sides <= large
        for count in np.unique(steps[fits]).tolist():
            chosen = corners[fits & (steps == count)]
            for part in range(0, len(chosen), 200_000 // (count + 1) ** 2 + 1):
                batch = chosen[part : part + 200_000 // (count + 1) ** 2 + 1]
                yield np.einsum("kc,ncd->nkd", _weights(count), batch).reshape(-1, 3)
        corners = _quartered(corners[~fits])


def _meets(corners: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    least, most = corners.min(axis=1), corners.max(axis=1)
    meets: NDArray[np.bool_] = ((most >= low) & (least <= high)).all(axis=1)
    return meets


def _quartered(corners: Array) -> Array:
    a, b, c = np.moveaxis(corners, 1, 0)
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([np.stack(part, axis=1) for part in parts])


def _weights(count: int) -> Array:
    """Return barycentric coordinates of the points of a triangle cut ``count`` times."""
    i, j = np.meshgrid(np.arange(count + 1), np.arange(count + 1), indexing="ij")
    inside = i + j <= count
    first, second = i[inside] / count, j[inside] / count
    return np.column_stack([first, second, 1.0 - first - second])


def _closed_in(occupied: NDArray[np.bool_], grid: GridMap, start: Array) -> NDArray[np.bool_]:
    """Return clear cells enclosed by occupied ones: the inside of trunks, walls and houses.

    The part that robots start in is not closed in, whatever is around it.
    """
    labels, sizes = regions(~occupied, corners=False)
    inner = np.ones(len(sizes), np.bool_)
    inner[[0, *labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]]] = False
    column, row = np.floor((start[:2] - grid.origin[:2]) / grid.resolution).astype(np.int64)
    if 0 <= row < labels.shape[0] and 0 <= column < labels.shape[1]:
        inner[labels[row, column]] = False
    inside: NDArray[np.bool_] = inner[labels]
    return inside
