"""Mesh files as plain triangles in metres, z up: what a reader found, whatever it looks like."""

from pathlib import Path

import numpy as np

from outrider.core.frames import Array
from outrider.formats.mesh.files import load_raw
from outrider.formats.mesh.frame import Placing, placed
from outrider.formats.mesh.raw import RawAsset
from outrider.world.shapes import Faces, Mesh

Scale = tuple[float, float, float]


def read_mesh(path: Path | str, scale: Scale = (1.0, 1.0, 1.0)) -> Mesh:
    """Return all triangles of a mesh file, scaled, whatever they look like."""
    path = Path(path)
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
