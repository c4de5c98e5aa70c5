"""PLY files: text and binary, rows of equal and unequal lengths, colours, texture coordinates."""

import struct

import numpy as np
import pytest
from plain_mesh import read_mesh

from outrider.core.errors import FormatError
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.write import mesh_bytes
from outrider.world.shapes import Box
from outrider.world.tessellate import tessellate

trimesh = pytest.importorskip("trimesh")

XYZ = (
    b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
    b"property float z\n"
)
FACES = b"element face 1\nproperty list uchar int vertex_indices\n"


@pytest.mark.parametrize("encoding", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_ply_is_read_in_all_three_encodings(tmp_path, encoding):
    path = tmp_path / "quad.ply"
    path.write_bytes(quad_ply(encoding))
    part = read_mesh_asset(path).parts[0]
    assert part.mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]]
    assert part.mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 3]]
    assert part.colour == pytest.approx((1.0, 0.2, 0.0, 1.0))
    assert part.mesh.uv.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]


def quad_ply(encoding):
    """A square of one quad and one triangle: rows of different lengths."""
    header = (
        f"ply\nformat {encoding} 1.0\ncomment by hand\nelement vertex 4\nproperty float x\n"
        "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
        "property uchar blue\nproperty float s\nproperty float t\nelement face 2\n"
        "property list uchar int vertex_indices\nproperty float quality\nend_header\n"
    ).encode()
    points = [(0, 0, 0, 0, 0), (1, 0, 0, 1, 0), (1, 1, 0, 1, 1), (0, 1, 0.5, 0, 1)]
    if encoding == "ascii":
        rows = [f"{x} {y} {z} 255 51 0 {s} {t}" for x, y, z, s, t in points]
        return header + "\n".join([*rows, "4 0 1 2 3 0.5", "3 0 1 3 0.5"]).encode()
    order = "<" if "little" in encoding else ">"
    body = b"".join(
        struct.pack(f"{order}3f3B2f", x, y, z, 255, 51, 0, s, t) for x, y, z, s, t in points
    )
    faces = struct.pack(f"{order}B4if", 4, 0, 1, 2, 3, 0.5) + struct.pack(
        f"{order}B3if", 3, 0, 1, 3, 0.5
    )
    return header + body + faces


@pytest.mark.parametrize("encoding", ["ascii", "binary"])
def test_what_trimesh_writes_is_read(tmp_path, encoding):
    path = tmp_path / "box.ply"
    box = tessellate(Box((1.0, 2.0, 3.0)))
    solid = trimesh.Trimesh(box.vertices, box.faces, process=False)
    path.write_bytes(solid.export(file_type="ply", encoding=encoding))
    mesh = read_mesh(path)
    np.testing.assert_allclose(mesh.vertices, box.vertices)
    np.testing.assert_array_equal(mesh.faces, box.faces)


def test_what_we_write_keeps_every_digit(tmp_path):
    path = tmp_path / "box.ply"
    box = tessellate(Box((0.1, 0.2, 1 / 3)))
    path.write_bytes(mesh_bytes(box, ".ply"))
    np.testing.assert_array_equal(read_mesh(path).vertices, box.vertices)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"nonsense", "not a PLY file"),
        (b"ply\nformat ascii 2\nelement vertex 2\nend_header\n", "'vertex' has no properties"),
        (b"ply\nformat ternary 1.0\nend_header\n", "no known format"),
        (b"ply\nformat ascii 1.0\nend_header\n", "no 'x'"),
        (
            XYZ.replace(b"ascii", b"binary_little_endian").replace(b"vertex 1", b"vertex 900000000")
            + b"end_header\n\0\0",
            "declares at least 10799999999 bytes, but only 2 follow",
        ),
        (
            XYZ + FACES + b"end_header\n0 0 0\n3 0 1 2\n",
            "names vertex 2, there are 1",
        ),
    ],
)
def test_bad_ply_files_are_refused_with_their_name(tmp_path, data, sentence):
    path = tmp_path / "bad.ply"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=rf"bad\.ply.*{sentence}"):
        read_mesh(path)
