"""Meshes as files: OBJ keeps every digit and the texture coordinates, STL and PLY are compact."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.files.atomic_file import write_whole
from outrider.specs.file_kinds import written_as
from outrider.world.shapes import Mesh

_STL_TRIANGLE = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("extra", "<u2")])
_PLY_FACE = np.dtype([("count", "u1"), ("corners", "<i4", (3,))])


def write_mesh(mesh: Mesh, path: Path | str) -> None:
    """Write a mesh in the format of its suffix: .obj, .stl or .ply; an old file is replaced."""
    path = Path(path)
    write_whole(path, mesh_bytes(mesh, path.suffix, str(path)))


def mesh_bytes(mesh: Mesh, suffix: str, name: str = "mesh") -> bytes:
    """Return the bytes of a mesh file of that suffix."""
    writer = WRITERS.get(suffix.lower())
    if writer is None:
        raise FormatError(f"{name}: a mesh is written as {', '.join(WRITERS)}, not '{suffix}'")
    return writer(mesh)


def _obj(mesh: Mesh) -> bytes:
    lines = ["# written by Outrider, in metres"]
    lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    corners = (mesh.faces + 1).tolist()
    if mesh.uv is None:
        lines += [f"f {a} {b} {c}" for a, b, c in corners]
    else:
        lines += [f"vt {u!r} {v!r}" for u, v in np.asarray(mesh.uv, np.float64).tolist()]
        lines += [f"f {a}/{a} {b}/{b} {c}/{c}" for a, b, c in corners]
    return ("\n".join(lines) + "\n").encode()


def _stl(mesh: Mesh) -> bytes:
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros(len(corners), _STL_TRIANGLE)
    rows["corners"] = corners
    rows["normal"] = normals / np.where(length > 0, length, 1.0)
    header = b"Outrider, metres".ljust(80, b"\0")
    return header + len(rows).to_bytes(4, "little") + rows.tobytes()


def _ply(mesh: Mesh) -> bytes:
    """Write binary PLY with doubles."""
    places = "property double s\nproperty double t\n" if mesh.uv is not None else ""
    header = (
        "ply\nformat binary_little_endian 1.0\ncomment Outrider, metres\n"
        f"element vertex {len(mesh.vertices)}\n"
        f"property double x\nproperty double y\nproperty double z\n{places}"
        f"element face {len(mesh.faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    columns = mesh.vertices if mesh.uv is None else np.column_stack([mesh.vertices, mesh.uv])
    faces = np.empty(len(mesh.faces), _PLY_FACE)
    faces["count"], faces["corners"] = 3, mesh.faces
    return header.encode() + columns.astype("<f8").tobytes() + faces.tobytes()


WRITERS: dict[str, Callable[[Mesh], bytes]] = {
    suffix: writer
    for name, writer in (("Wavefront", _obj), ("STL", _stl), ("PLY", _ply))
    for suffix in written_as(name)
}
