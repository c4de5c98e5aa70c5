"""Coordinate systems of elevation files: their unit, and their origin on Earth."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.formats.elevation.grid import DemGrid

_UNIT = re.compile(r'UNIT\["([^"]+)",\s*([0-9.eE+-]+)')
_MAX_WKT = 65536


@dataclass(frozen=True, slots=True)
class Crs:
    """A coordinate system: degrees, or metres times ``to_metres``."""

    name: str
    is_geographic: bool
    to_metres: float
    wkt: str

    def placed(self, path: Path, grid: DemGrid, middle: tuple[float, float]) -> DemGrid:
        """Return a grid of this system's numbers as one of metres or WGS-84 degrees."""
        if self.is_geographic:
            note = f"{path}: {self.name}: degrees converted to metres"
            return replace(
                grid, centre=centre_of(path, middle), in_degrees=True, notes=(*grid.notes, note)
            )
        extent = (grid.extent[0] * self.to_metres, grid.extent[1] * self.to_metres)
        notes = [*grid.notes, f"{path}: {self.name}: metres, y along its grid north"]
        if self.to_metres != 1.0:
            notes.append(f"{path}: unit {self.to_metres:g} m applied")
        centre = _geographic(path, self.wkt, middle)
        if centre is None:
            notes.append(
                f"{path}: its geographic position needs 'pip install outrider[geo]'; left out"
            )
        return replace(grid, extent=extent, centre=centre, notes=tuple(notes))


def centre_of(path: Path, middle: tuple[float, float]) -> tuple[float, float]:
    """Return latitude and longitude of x and y in degrees, refusing what is not on Earth."""
    longitude, latitude = middle
    if not (abs(latitude) < 90 and abs(longitude) <= 360):
        raise FormatError(
            f"{path}: there is no point on Earth at {latitude:g}, {longitude:g} degrees"
        )
    return latitude, (longitude + 180.0) % 360.0 - 180.0


def crs_beside(path: Path) -> Crs | None:
    """Return the coordinate system in the .prj file beside a grid, or None."""
    for name in (path.with_suffix(".prj"), path.with_suffix(".PRJ")):
        try:
            with name.open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MAX_WKT)
        except OSError:
            continue
        return crs_from_wkt(text)
    return None


def crs_from_wkt(text: str) -> Crs | None:
    """Return a coordinate system written as WKT, or None if the text is something else."""
    head = text.lstrip().upper()
    quoted = re.search(r'"([^"]*)"', text)
    name = quoted.group(1)[:80] if quoted else "a coordinate system"
    if head.startswith(("GEOGCS", "GEOGCRS", "GEODCRS")):
        return Crs(name, True, 1.0, text)
    if head.startswith(("PROJCS", "PROJCRS")):
        units = [(unit.lower(), float(size)) for unit, size in _UNIT.findall(text)]
        lengths = [size for unit, size in units if "deg" not in unit]
        return Crs(name, False, lengths[-1] if lengths else 1.0, text)
    return None


def _geographic(path: Path, wkt: str, middle: tuple[float, float]) -> tuple[float, float] | None:
    """Return latitude and longitude of a place in a projected system, if pyproj is here."""
    try:
        from pyproj import Transformer
        from pyproj.exceptions import ProjError
    except ImportError:
        return None
    try:
        transformer = Transformer.from_crs(wkt, "EPSG:4326", always_xy=True)
        longitude, latitude = transformer.transform(*middle, errcheck=True)
    except ProjError:
        return None
    return centre_of(path, (longitude, latitude))
