"""ESRI ASCII grids (.asc): a head of names and numbers, then the rows from north to south."""

from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.formats.elevation.coordinate_system import centre_of, crs_beside
from outrider.formats.elevation.grid import DemGrid, filled
from outrider.formats.number_lists import floats

MAX_BYTES = 1 << 30
_KEYS = (
    "ncols",
    "nrows",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
)
_SMALL_CELL = 0.02  # degrees: beyond about two kilometres nobody drives


def read_ascii_grid(path: Path) -> DemGrid:
    """Return an ASCII grid; without a .prj file beside it degrees are told by their size."""
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"{path}: the grid is larger than {MAX_BYTES >> 20} MB")
    head, body = _head(path, path.read_bytes())
    columns, rows = (_count(path, head, key) for key in ("ncols", "nrows"))
    dx, dy = head.get("dx", head.get("cellsize", 0.0)), head.get("dy", head.get("cellsize", 0.0))
    if not (0 < dx < 1e6 and 0 < dy < 1e6):
        raise FormatError(f"{path}: cellsize must be above 0 and below 1e6, got {min(dx, dy):g}")
    if columns * rows > len(body):
        raise FormatError(f"{path}: {columns} x {rows} heights do not fit into {len(body)} bytes")
    try:
        values = floats(body)
    except ValueError:
        raise FormatError(f"{path}: something among its heights is not a number") from None
    if len(values) != columns * rows:
        message = f"expected {columns} x {rows} = {columns * rows} heights, got {len(values)}"
        raise FormatError(f"{path}: {message}")
    heights, notes = filled(path, values.reshape(rows, columns), head.get("nodata_value"))
    extent = ((columns - 1) * dx, (rows - 1) * dy)
    return _located(path, DemGrid(heights, extent, notes=tuple(notes)), head, (dx, dy))


def _located(
    path: Path, grid: DemGrid, head: dict[str, float], cell: tuple[float, float]
) -> DemGrid:
    """Say where the grid is and in which unit, from its .prj file or by its numbers."""
    x, y = (_first_sample(head, axis, step) for axis, step in zip("xy", cell, strict=True))
    middle = (x + grid.extent[0] / 2, y + grid.extent[1] / 2)
    crs = crs_beside(path)
    if crs is not None:
        return crs.placed(path, grid, middle)
    if max(cell) < _SMALL_CELL and abs(middle[0]) <= 180 and abs(middle[1]) < 90:
        note = f"{path}: it names no coordinate system; its numbers were taken as degrees (WGS-84)"
        centre = centre_of(path, middle)
        return DemGrid(grid.values, grid.extent, centre, True, (*grid.notes, note))
    note = f"{path}: it names no coordinate system; its numbers were taken as metres"
    return DemGrid(grid.values, grid.extent, notes=(*grid.notes, note))


def _first_sample(head: dict[str, float], axis: str, cell: float) -> float:
    """Return the coordinate of the first column or last row, in the middle of its cells."""
    centre = head.get(f"{axis}llcenter")
    return centre if centre is not None else head.get(f"{axis}llcorner", 0.0) + cell / 2


def _head(path: Path, data: bytes) -> tuple[dict[str, float], bytes]:
    head: dict[str, float] = {}
    offset = 0
    for _ in range(len(_KEYS)):
        end = data.find(b"\n", offset) + 1 or len(data)
        words = data[offset:end].split()
        key = words[0].decode("ascii", "replace").lower() if words else ""
        if key not in _KEYS:
            break
        try:
            head[key] = float(words[1])
        except (ValueError, IndexError):
            raise FormatError(f"{path}: {key} must be a number") from None
        if not np.isfinite(head[key]) and key != "nodata_value":
            raise FormatError(f"{path}: {key} must be a finite number")
        offset = end
    return head, data[offset:]


def _count(path: Path, head: dict[str, float], key: str) -> int:
    value = head.get(key, 0.0)
    if not (2 <= value < 1e6 and value == int(value)):
        raise FormatError(f"{path}: {key} must be a whole number of 2 or more, got {value:g}")
    return int(value)
