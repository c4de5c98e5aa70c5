"""Mesh files as plain triangles in metres, z up: for contacts and wherever looks do not matter."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh_files import load_raw
from outrider.formats.mesh_frame import Placing, placed
from outrider.formats.mesh_raw import RawAsset
from outrider.world.shapes import Faces, Mesh

Scale = tuple[float, float, float]


def read_mesh(path: Path | str, scale: Scale = (1.0, 1.0, 1.0)) -> Mesh:
    """Return the triangles of a mesh file, scaled; a file that has not changed is read once."""
    path = Path(path)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"{path}: cannot read the mesh: {reason}") from None
    return _read(path, status.st_mtime_ns, status.st_size, scale)


@lru_cache(maxsize=256)
def _read(path: Path, mtime_ns: int, size: int, scale: Scale) -> Mesh:
    del mtime_ns, size  # part of the key only: a changed file is read anew
    raw = load_raw(path)
    points, faces = _joined(raw)
    placing = Placing.of(path, raw, scale)
    return Mesh(placed(placing, points), faces[:, ::-1] if placing.mirrors else faces, str(path))


def _joined(raw: RawAsset) -> tuple[Array, Faces]:
    """Return all triangles of a file; they share points as far as the file says so."""
    if len(raw.meshes) == 1 and len(raw.meshes[0].groups) == 1:
        return raw.meshes[0].points, raw.meshes[0].groups[0].faces
    start, faces = 0, []
    for mesh in raw.meshes:
        faces += [group.faces + start for group in mesh.groups]
        start += len(mesh.points)
    return np.concatenate([mesh.points for mesh in raw.meshes]), np.concatenate(faces)
