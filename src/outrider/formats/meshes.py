"""Mesh files as triangles: OBJ and STL by numpy, everything else through trimesh."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError, WorldError
from outrider.core.frames import Array
from outrider.world.shapes import Faces, Mesh

Scale: TypeAlias = tuple[float, float, float]
Indices: TypeAlias = NDArray[np.int64]

MAX_BYTES = 1 << 30
_STL_HEADER = 84
_STL_TRIANGLE = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("extra", "<u2")])
_ASCII_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_mesh(path: Path | str, scale: Scale = (1.0, 1.0, 1.0)) -> Mesh:
    """Return the triangles of a mesh file, scaled; a file that has not changed is read once."""
    path = Path(path)
    try:
        status = path.stat()
    except OSError as error:
        raise FormatError(f"{path}: cannot read the mesh: {error.strerror}") from None
    if status.st_size > MAX_BYTES:
        raise FormatError(f"{path}: the mesh is larger than {MAX_BYTES >> 20} MB")
    return _read(str(path), status.st_mtime_ns, scale)


@lru_cache(maxsize=256)
def _read(name: str, mtime_ns: int, scale: Scale) -> Mesh:
    del mtime_ns  # part of the key only: a changed file is read anew
    path = Path(name)
    reader = {".obj": _read_obj, ".stl": _read_stl}.get(path.suffix.lower(), _read_other)
    vertices, faces = reader(path)
    if np.prod(scale) < 0:
        faces = faces[:, ::-1]  # a mirror image turns triangles inside out
    try:
        return Mesh(vertices * np.array(scale), faces, source=name)
    except WorldError as error:
        raise FormatError(str(error)) from None


def _read_obj(path: Path) -> tuple[Array, Faces]:
    lines = path.read_bytes().replace(b"\\\n", b" ").replace(b"\\\r\n", b" ").splitlines()
    words = [line.split(None, 1) for line in lines]
    is_vertex = np.array([len(w) == 2 and w[0] == b"v" for w in words], bool)
    is_face = np.array([len(w) == 2 and w[0] == b"f" for w in words], bool)
    vertices = _obj_vertices(path, [words[i][1] for i in np.flatnonzero(is_vertex)])
    indices, counts = _obj_polygons(path, [words[i][1] for i in np.flatnonzero(is_face)])
    if indices.size and indices.min() < 0:
        seen = np.cumsum(is_vertex)[is_face]  # negative: counted back from the latest vertex
        indices = np.where(indices < 0, indices + np.repeat(seen, counts) + 1, indices)
    if indices.size and (indices.min() < 1 or indices.max() > len(vertices)):
        raise FormatError(f"{path}: a face names a vertex outside 1..{len(vertices)}")
    return vertices, _fans(indices - 1, counts)


def _obj_vertices(path: Path, lines: list[bytes]) -> Array:
    """Return (n, 3); values after the third (weight, colour) are left out."""
    rows = [line.split(None, 3)[:3] for line in lines]
    try:
        return np.array(rows, dtype="S").astype(np.float64).reshape(-1, 3)
    except ValueError:
        raise FormatError(f"{path}: a vertex is not three numbers") from None


def _obj_polygons(path: Path, lines: list[bytes]) -> tuple[Indices, Indices]:
    """Return all corner numbers in a row, and how many each polygon has."""
    corners = re.sub(rb"/\S*", b"", b"\n".join(lines)).split(b"\n")  # v/vt/vn -> v
    polygons = [corner.split(b"#")[0].split() for corner in corners]
    counts = np.array([len(polygon) for polygon in polygons] if lines else [], np.int64)
    if counts.size and counts.min() < 3:
        raise FormatError(f"{path}: a face has fewer than three corners")
    flat = [word for polygon in polygons for word in polygon]
    try:
        return np.array(flat, dtype="S").astype(np.int64), counts
    except ValueError:
        raise FormatError(f"{path}: a face has a corner that is not a whole number") from None


def _fans(indices: Indices, counts: Indices) -> Faces:
    """Cut polygons into triangles that share their first corner."""
    triangles = counts - 2
    first = np.repeat(np.cumsum(counts) - counts, triangles)
    start = np.repeat(np.cumsum(triangles) - triangles, triangles)
    step = np.arange(triangles.sum()) - start
    corners = np.stack([first, first + step + 1, first + step + 2], axis=1)
    faces: Faces = indices[corners].astype(np.int32)
    return faces


def _read_stl(path: Path) -> tuple[Array, Faces]:
    data = path.read_bytes()
    count = int.from_bytes(data[80:_STL_HEADER], "little") if len(data) >= _STL_HEADER else -1
    expected = _STL_HEADER + count * _STL_TRIANGLE.itemsize
    if count >= 0 and len(data) == expected:
        corners = np.frombuffer(data, _STL_TRIANGLE, count, _STL_HEADER)["corners"]
        return _merged(corners.reshape(-1, 3))
    if data.lstrip()[:5].lower() == b"solid":
        return _merged(_ascii_corners(path, data))
    raise FormatError(
        f"{path}: a binary STL of {count} triangles has {expected} bytes, this one {len(data)}"
        if count >= 0
        else f"{path}: too short for an STL file ({len(data)} bytes)"
    )


def _ascii_corners(path: Path, data: bytes) -> Array:
    try:
        corners = np.array(_ASCII_VERTEX.findall(data), dtype="S").astype(np.float64)
    except ValueError:
        raise FormatError(f"{path}: a vertex is not three numbers") from None
    if len(corners) == 0 or len(corners) % 3:
        raise FormatError(f"{path}: expected three vertices per facet, got {len(corners)} in all")
    return corners


def _merged(corners: NDArray[np.floating]) -> tuple[Array, Faces]:
    """Give every different corner one number; STL repeats each corner in each triangle."""
    corners = corners + 0.0  # minus zero is zero
    order = np.lexsort(corners.T)
    ordered = corners[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.empty(len(order), np.int32)
    number[order] = np.cumsum(fresh) - 1
    return ordered[fresh].astype(np.float64), number.reshape(-1, 3)


def _read_other(path: Path) -> tuple[Array, Faces]:
    """Read through trimesh, which is slow to import and need not be installed."""
    try:
        import trimesh
    except ImportError:
        raise FormatError(
            f"{path}: reading {path.suffix or 'this kind of'} meshes needs 'pip install trimesh'"
        ) from None
    try:
        return _flattened(trimesh.load_scene(path))
    except Exception as error:  # whatever a third party's readers throw at a bad file
        raise FormatError(f"{path}: trimesh cannot read it: {error}") from None


def _flattened(scene: Any) -> tuple[Array, Faces]:
    """Join the parts of a trimesh scene in its frame; colours and textures are not touched."""
    vertices, faces, count = [], [], 0
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        part = scene.geometry[name]
        if not hasattr(part, "faces"):
            continue  # lines and points
        vertices.append(part.vertices @ matrix[:3, :3].T + matrix[:3, 3])
        turned = part.faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else part.faces
        faces.append(turned + count)
        count += len(part.vertices)
    if not faces:
        raise ValueError("it holds no triangles")
    return np.concatenate(vertices), np.concatenate(faces).astype(np.int32)
