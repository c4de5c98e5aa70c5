"""GeoTIFF and other elevation files that GDAL reads, through the extra ``geo``."""

import math
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import AnyArray
from outrider.formats.elevation.coordinate_system import Crs
from outrider.formats.elevation.grid import DemGrid, filled
from outrider.formats.textures import opened_image

_DRIVERS = {".dem": "USGSDEM", ".img": "HFA"}  # named: none that opens other files or the network
_GEO_TAGS = (33550, 34264, 34735)
_MAX_SAMPLES = 25_000_000  # more are averaged while reading
_FOOT = 0.3048
_NEEDS = "reading elevation files of this kind needs 'pip install outrider[geo]'"


def read_geotiff(path: Path) -> DemGrid | None:
    """Return the elevations of the first band; None for a TIFF that is a plain image."""
    try:
        import rasterio
    except ImportError:
        if _is_plain_image(path):
            return None
        raise FormatError(f"{path}: {_NEEDS}") from None
    try:
        with rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a TIFF without a place is an image, and welcome
            return _read(path, rasterio)
    except FormatError:
        raise
    except Exception as error:  # GDAL's errors have no common family
        if path.suffix.lower() in (".tif", ".tiff") and _is_plain_image(path):
            return None
        raise FormatError(f"{path}: the elevations cannot be read: {str(error)[:200]}") from None


def _is_plain_image(path: Path) -> bool:
    """Return whether a TIFF says nothing about a place on Earth."""
    try:
        with opened_image(path) as image:
            return not any(tag in getattr(image, "tag_v2", {}) for tag in _GEO_TAGS)
    except FormatError:
        return False


def _read(path: Path, rasterio: ModuleType) -> DemGrid | None:
    with rasterio.open(path, driver=_DRIVERS.get(path.suffix.lower(), "GTiff")) as file:
        if file.crs is None and file.transform.is_identity and file.gcps[0] == []:
            return None  # a picture
        source = _upright(file, rasterio)
        step = math.ceil(math.sqrt(source.width * source.height / _MAX_SAMPLES))
        shape = (max(2, source.height // step), max(2, source.width // step))
        values = source.read(1, out_shape=shape, masked=True, resampling=_average(rasterio))
        scale, offset = source.scales[0] or 1.0, source.offsets[0] or 0.0
        unit = _FOOT if str(source.units[0]).lower() in ("ft", "foot", "feet") else 1.0
        heights, notes = filled(path, values.astype(np.float64).filled(np.nan), None)
        heights = (heights * scale + offset) * unit
        if unit != 1.0:
            notes.append(f"{path}: heights in feet were converted to metres")
        return _placed(path, source, heights, notes)


def _average(rasterio: ModuleType) -> Any:
    return rasterio.enums.Resampling.average


def _upright(source: Any, rasterio: ModuleType) -> Any:
    """Return a source whose rows run from west to east and from north to south."""
    a, b, _, d, e, _ = source.transform[:6]
    if b == 0 and d == 0 and a > 0 and e < 0:
        return source
    from rasterio.vrt import WarpedVRT

    return WarpedVRT(source, resampling=rasterio.enums.Resampling.bilinear)


def _placed(path: Path, source: Any, heights: AnyArray, notes: list[str]) -> DemGrid:
    """Say where the middles of the first and last pixels lie."""
    cell_x, cell_y = source.transform.a, -source.transform.e
    pixels = (source.width, source.height)
    rows, columns = heights.shape
    # a reduced grid has its samples in the middles of larger cells
    extent = (
        cell_x * pixels[0] * (columns - 1) / columns,
        cell_y * pixels[1] * (rows - 1) / rows,
    )
    middle = (
        source.transform.c + cell_x * pixels[0] / 2,
        source.transform.f - cell_y * pixels[1] / 2,
    )
    grid = DemGrid(heights, extent, notes=tuple(notes))
    crs = source.crs
    if crs is None or not (crs.is_geographic or crs.is_projected):
        note = f"{path}: it names no coordinate system; its numbers were taken as metres"
        return DemGrid(heights, extent, notes=(*notes, note))
    code = crs.to_epsg()
    name = f"EPSG:{code}" if code else "its own coordinate system"
    factor = 1.0 if crs.is_geographic else float(crs.linear_units_factor[1])
    return Crs(name, crs.is_geographic, factor, crs.to_wkt()).placed(path, grid, middle)
