"""Ground from images and elevation files."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.elevation.grid import DemGrid
from outrider.formats.elevation.image import read_height_image
from outrider.formats.elevation.resample import local_heights
from outrider.formats.files_read import note_read
from outrider.formats.reader import reader_of
from outrider.world.model import GeoOrigin
from outrider.world.shapes import HeightField

Size = tuple[float, float, float]

MAX_POINTS = 16_000_000
_LARGEST = 1e7  # m: a quarter of the way around the Earth
_FLAT_EARTH = 0.1  # m: how far the Earth may fall away at a map's edge without a word


@dataclass(frozen=True, slots=True, eq=False)
class HeightMap:
    """Ground centred on x = y = 0; ``origin`` is where that lies on Earth, if the file says so."""

    field: HeightField
    notes: tuple[str, ...] = ()
    origin: GeoOrigin | None = None
    lowest: float = 0.0  # m above the file's zero that became z = 0


def read_heightmap(path: Path | str, size: Size | None = None) -> HeightMap:
    """Return the ground a file describes; images need a ``size`` (x, y, z) in metres.

    The top of an image is north (+y), its black is z = 0 and its white z = size z. An elevation
    file starts at z = 0 at its lowest point; a size stretches it.
    """
    path = Path(path)
    note_read(path)
    if size is not None and not all(math.isfinite(v) and v > 0 for v in size):
        raise FormatError(f"{path}: a height map's size must be above 0, got {size}")
    grid = _dem(path)
    if grid is None:
        return _from_image(path, size)
    return _from_dem(path, grid, size)


def _dem(path: Path) -> DemGrid | None:
    """Return the elevations of a file, or None if it is a plain image."""
    reader: Callable[[Path], DemGrid | None] | None = reader_of(path, "elevation")
    if reader is None:
        return None
    if not path.is_file():
        raise FormatError(f"{path}: there is no such height map")
    return reader(path)


def _from_image(path: Path, size: Size | None) -> HeightMap:
    if size is None:
        raise FormatError(
            f"{path}: an image has no size of its own; give one in metres: run --size X,Y,Z, "
            "snapshot --extent X,Y,Z, or 'size' of the ground in a world's file"
        )
    levels, notes = read_height_image(path)
    levels, said = _bounded(path, levels)
    heights = np.ascontiguousarray(levels[::-1].T) * size[2]
    return HeightMap(HeightField(heights, size[:2]), (*notes, *said))


def _from_dem(path: Path, grid: DemGrid, size: Size | None) -> HeightMap:
    values, said = _bounded(path, grid.values)
    grid = replace(grid, values=values)
    notes = [*grid.notes, *said]
    rows, extent = local_heights(path, grid) if grid.in_degrees else (grid.values, grid.extent)
    lowest, highest = float(rows.min()), float(rows.max())
    _check_size(path, (*extent, highest - lowest))
    notes.append(f"{path}: {extent[0]:.6g} x {extent[1]:.6g} m, {lowest:.6g} to {highest:.6g} m")
    drop = (extent[0] ** 2 + extent[1] ** 2) / 8 / 6.371e6
    if drop > _FLAT_EARTH and grid.centre is not None:
        notes.append(f"{path}: the Earth's curvature, {drop:.2g} m at a corner, is left out")
    heights = np.ascontiguousarray(rows[::-1].T) - lowest
    if size is not None:
        stretch = size[2] / (highest - lowest) if highest > lowest else 1.0
        heights = heights * stretch
        notes.append(f"{path}: stretched to the size asked for, {size}")
        extent = size[:2]
    origin = None if grid.centre is None else GeoOrigin(*grid.centre, lowest)
    return HeightMap(HeightField(heights, extent), tuple(notes), origin, lowest)


def _check_size(path: Path, size: Size) -> None:
    """Refuse elevations whose cells or units are nonsense."""
    x, y, z = size
    if not (0 < x < _LARGEST and 0 < y < _LARGEST and z < _LARGEST):
        raise FormatError(f"{path}: {x:.3g} x {y:.3g} m, {z:.3g} m high, is no piece of ground")


def _bounded(path: Path, values: Array) -> tuple[Array, tuple[str, ...]]:
    """Return at most ``MAX_POINTS`` heights over the same ground."""
    if min(values.shape) < 2:
        raise FormatError(f"{path}: a height map needs at least 2 x 2 heights")
    factor = math.sqrt(MAX_POINTS / values.size)
    if factor >= 1:
        return values, ()
    rows, columns = (int((n - 1) * factor) + 1 for n in values.shape)
    said = f"{values.shape[1]} x {values.shape[0]} heights were reduced to {columns} x {rows}"
    return _resampled(_resampled(values, rows).T, columns).T, (f"{path}: {said}",)


def _resampled(values: Array, rows: int) -> Array:
    """Return fewer rows between the same two edges."""
    place = np.linspace(0, len(values) - 1, rows)
    before = np.minimum(place.astype(np.int64), len(values) - 2)
    part = (place - before)[:, None]
    out: Array = values[before] * (1 - part) + values[before + 1] * part
    return out
