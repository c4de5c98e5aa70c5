"""STL, binary and as text; corners are welded, since the format repeats them in each triangle."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.formats.mesh.polygons import weld
from outrider.formats.mesh.raw import RawAsset, RawGroup, RawMesh
from outrider.formats.number_lists import floats

_HEADER = 84
_TRIANGLE = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("extra", "<u2")])
_VERTEX = re.compile(rb"vertex\s+(\S+\s+\S+\s+\S+)", re.IGNORECASE)


def read_stl(path: Path, data: bytes) -> RawAsset:
    """Return the triangles of an STL file."""
    corners, notes = _corners(path, data)
    points, numbers = weld(corners)
    group = RawGroup("", "", numbers.reshape(-1, 3))
    return RawAsset((RawMesh(points, (group,)),), notes=notes)


def _corners(path: Path, data: bytes) -> tuple[NDArray[np.floating], tuple[str, ...]]:
    count = int.from_bytes(data[80:_HEADER], "little") if len(data) >= _HEADER else -1
    expected = _HEADER + count * _TRIANGLE.itemsize
    if 0 <= expected <= len(data) and count >= 0:  # text never says so few: its bytes are letters
        rows = np.frombuffer(data, _TRIANGLE, count, _HEADER)
        extra = len(data) - expected
        notes = (f"{path}: {extra} bytes after the last triangle were left out",) if extra else ()
        return rows["corners"].reshape(-1, 3), notes
    if data.lstrip()[:5].lower() == b"solid":
        return _text_corners(path, data), ()
    raise FormatError(
        f"{path}: a binary STL of {count} triangles has {expected} bytes, this one {len(data)}"
        if count >= 0
        else f"{path}: too short for an STL file ({len(data)} bytes)"
    )


def _text_corners(path: Path, data: bytes) -> NDArray[np.floating]:
    try:
        corners = floats(b" ".join(_VERTEX.findall(data))).reshape(-1, 3)
    except ValueError:
        raise FormatError(f"{path}: a vertex is not three numbers") from None
    if len(corners) == 0 or len(corners) % 3:
        raise FormatError(f"{path}: expected three vertices per facet, got {len(corners)} in all")
    return corners
