"""SRTM tiles (.hgt): one degree square, named after its south-west corner."""

import math
import re
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.formats.elevation.grid import DemGrid, filled

_NAME = re.compile(r"^([NS])(\d{2})([EW])(\d{3})", re.IGNORECASE)
_SIDES = (1201, 3601, 7201)
_VOID = -32768.0


def read_srtm(path: Path) -> DemGrid:
    """Return a tile; its samples lie on its edges, the first in the north-west."""
    size = path.stat().st_size
    side = math.isqrt(size // 2)
    if side not in _SIDES or side * side * 2 != size:
        raise FormatError(f"{path}: an SRTM tile has 1201 or 3601 samples a side, not {size} bytes")
    name = _NAME.match(path.name)
    if name is None:
        raise FormatError(f"{path}: an SRTM tile's name says where it is, as N49E008.hgt")
    south = int(name[2]) * (1 if name[1] in "Nn" else -1)
    west = int(name[4]) * (1 if name[3] in "Ee" else -1)
    if not (-90 <= south < 90 and -180 <= west < 180):
        raise FormatError(f"{path}: there is no point on Earth at {south} N, {west} E")
    values, notes = filled(path, np.fromfile(path, ">i2").reshape(side, side), _VOID)
    notes.append(f"{path}: SRTM tile, degrees of WGS-84 converted to metres")
    return DemGrid(values, (1.0, 1.0), (south + 0.5, west + 0.5), True, tuple(notes))
