"""PLY, as text and binary: points, polygons, texture coordinates and colours."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.ply_header import Columns, Element, read_header, whole_numbers
from outrider.formats.mesh.ply_text import read_text
from outrider.formats.mesh.polygons import as_faces, triangulate
from outrider.formats.mesh.raw import (
    GREY,
    RGBA,
    RawAsset,
    RawGroup,
    RawMaterial,
    RawMesh,
    check_indices,
)

_FACE_LISTS = ("vertex_indices", "vertex_index")
_UV_NAMES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))


def read_ply(path: Path, data: bytes) -> RawAsset:
    """Return the triangles of a PLY file; colours of its points become one, their mean."""
    header = read_header(path, data)
    columns: dict[str, Columns] = {}
    if header.order:
        offset = header.start
        for element in header.elements:
            columns[element.name], offset = _binary(path, data, offset, element, header.order)
    else:
        columns = read_text(path, data[header.start :], header.elements)
    return _asset(path, columns)


def _asset(path: Path, columns: dict[str, Columns]) -> RawAsset:
    vertex, face = columns.get("vertex", {}), columns.get("face", {})
    missing = [axis for axis in "xyz" if not isinstance(vertex.get(axis), np.ndarray)]
    if missing:
        raise FormatError(f"{path}: its vertices have no '{missing[0]}'")
    points = _stacked(vertex, ("x", "y", "z"))
    name = next((name for name in _FACE_LISTS if isinstance(face.get(name), tuple)), None)
    if name is None:
        raise FormatError(f"{path}: it has points but no faces")
    corners, counts = face[name]
    keep = counts >= 3
    corners = corners[np.repeat(keep, counts)]
    check_indices(path, corners, len(points))
    faces = as_faces(corners[triangulate(points, corners, counts[keep])])
    coordinates = next((names for names in _UV_NAMES if all(n in vertex for n in names)), None)
    uv = None if coordinates is None else _stacked(vertex, coordinates)
    group = RawGroup("", "vertex colours", faces, None if uv is None else faces)
    look = RawMaterial(_mean_colour(vertex))
    return RawAsset((RawMesh(points, (group,), uv),), {"vertex colours": look})


def _stacked(columns: Columns, names: tuple[str, ...]) -> Array:
    picked = [np.asarray(columns[name], np.float64) for name in names]
    stacked: Array = np.stack(picked, axis=1)
    return stacked


def _mean_colour(vertex: Columns) -> RGBA:
    found = [vertex.get(name) for name in ("red", "green", "blue")]
    if any(not isinstance(column, np.ndarray) or not column.size for column in found):
        return GREY
    most = [255.0 if np.asarray(c).dtype.kind in "iu" else 1.0 for c in found]
    means = [float(np.asarray(c, np.float64).mean()) / m for c, m in zip(found, most, strict=True)]
    r, g, b = (min(1.0, max(0.0, mean)) if mean == mean else GREY[0] for mean in means)
    return r, g, b, 1.0


def _binary(
    path: Path, data: bytes, offset: int, element: Element, order: str
) -> tuple[Columns, int]:
    """Return the columns of an element and the offset behind it."""
    if not element.has_lists:
        row = element.row_type(order)
        rows = np.frombuffer(data, row, element.rows, offset) if element.rows else np.empty(0, row)
        return {name: rows[name] for name in row.names or ()}, offset + rows.nbytes
    found = _equal_rows(data, offset, element, order) or _walk(data, offset, element, order)
    if found is None:
        raise FormatError(f"{path}: it ends in the middle of element '{element.name}'")
    return found


def _equal_rows(
    data: bytes, offset: int, element: Element, order: str
) -> tuple[Columns, int] | None:
    """Read rows whose lists all have the length they have in the first row, else None."""
    lengths = _first_lengths(data, offset, element, order)
    if lengths is None:
        return None
    fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
    for item, length in zip(element.properties, lengths, strict=True):
        if item.count:
            fields.append((f"{item.name} count", order + item.count))
            fields.append((item.name, order + item.type, (length,)))
        else:
            fields.append((item.name, order + item.type))
    row = np.dtype(fields)
    if offset + row.itemsize * element.rows > len(data):
        return None
    rows = np.frombuffer(data, row, element.rows, offset)
    columns: Columns = {}
    for item, length in zip(element.properties, lengths, strict=True):
        if item.count and (rows[f"{item.name} count"] != length).any():
            return None
        columns[item.name] = (
            (whole_numbers(rows[item.name].reshape(-1)), np.full(element.rows, length, np.int64))
            if item.count
            else rows[item.name]
        )
    return columns, offset + rows.nbytes


def _first_lengths(data: bytes, offset: int, element: Element, order: str) -> list[int] | None:
    """Return the lengths of the lists in an element's first row; zero for plain numbers."""
    lengths: list[int] = []
    for item in element.properties:
        length = 0
        if item.count:
            length = _number(data, offset, order + item.count) if element.rows else 0
            if length < 0:
                return None
            offset += np.dtype(item.count).itemsize
        offset += np.dtype(item.type).itemsize * (length if item.count else 1)
        if offset > len(data) and element.rows:
            return None
        lengths.append(length)
    return lengths


def _number(data: bytes, offset: int, kind: str) -> int:
    """Return a whole number at a offset; -1 where there is none."""
    if offset + np.dtype(kind).itemsize > len(data):
        return -1
    value = float(np.frombuffer(data, kind, 1, offset)[0])
    return int(value) if np.isfinite(value) else -1


def _walk(data: bytes, offset: int, element: Element, order: str) -> tuple[Columns, int] | None:
    """Read rows with lists of different lengths one by one."""
    values: dict[str, list[NDArray[np.generic]]] = {item.name: [] for item in element.properties}
    for _ in range(element.rows):
        for item in element.properties:
            count = 1
            if item.count:
                count = _number(data, offset, order + item.count)
                offset += np.dtype(item.count).itemsize
            size = count * np.dtype(item.type).itemsize
            if count < 0 or offset + size > len(data):
                return None
            values[item.name].append(np.frombuffer(data, order + item.type, count, offset))
            offset += size
    columns: Columns = {}
    for item in element.properties:
        joined = np.concatenate([*values[item.name], np.zeros(0, item.type)])
        lengths = np.array([len(value) for value in values[item.name]], np.int64)
        columns[item.name] = (whole_numbers(joined), lengths) if item.count else joined
    return columns, offset
