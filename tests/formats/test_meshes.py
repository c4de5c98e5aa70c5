"""Mesh files: OBJ and STL in their variants, against trimesh and by hand."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats import meshes
from outrider.formats.meshes import read_mesh
from outrider.world.shapes import Box, HeightField
from outrider.world.tessellate import heightfield_mesh, tessellate

trimesh = pytest.importorskip("trimesh")

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def volume(mesh):
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).volume


@pytest.fixture
def obj(tmp_path):
    def write(text):
        path = tmp_path / "thing.obj"
        path.write_text(text)
        return path

    return write


def test_obj_polygons_are_cut_into_fans(obj):
    path = obj("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\nf 1 3 2\n")
    assert read_mesh(path).faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 2, 1]]


def test_obj_corners_may_name_textures_and_normals(obj):
    path = obj(
        "# made by hand\nmtllib a.mtl\no thing\nv 0 0 0 1.0\nv 1 0 0 1.0\nv 0 1 0 1.0\nvt 0 0\n"
        "vn 0 0 1\nusemtl red\ns off\nf 1/1/1 2/1/1 3/1/1\nf 1//1 3//1 2//1\nf 1/1 2/1 3/1 # end\n"
    )
    mesh = read_mesh(path)
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 1], [0, 1, 2]]
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_obj_negative_numbers_count_back_from_the_latest_vertex(obj):
    path = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -1 -2 1\n")
    assert read_mesh(path).faces.tolist() == [[0, 1, 2], [3, 2, 0]]


def test_obj_lines_may_be_indented_continued_and_end_like_on_windows(obj):
    path = obj("  v 0 0 0\r\n\tv 1 0\\\r\n 0\r\nv 0 1 0\r\nf 1 2 \\\r\n 3\r\n")
    mesh = read_mesh(path)
    assert mesh.faces.tolist() == [[0, 1, 2]]
    assert mesh.vertices[1].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("v 0 0\nf 1 1 1\n", "a vertex is not three numbers"),
        ("v 0 0 x\n", "a vertex is not three numbers"),
        ("v 0 0 0\nf 1 1\n", "fewer than three corners"),
        ("v 0 0 0\nf 1 1 2\n", r"names a vertex outside 1\.\.1"),
        ("v 0 0 0\nf 1 1 0\n", r"names a vertex outside 1\.\.1"),
        ("v 0 0 0\nf 1 1 -2\n", r"names a vertex outside 1\.\.1"),
        ("v 0 0 0\nf 1 1 a\n", "not a whole number"),
        ("v 0 0 nan\nf 1 1 1\n", "not finite"),
    ],
)
def test_bad_obj_files_are_refused_with_their_name(obj, text, sentence):
    with pytest.raises(FormatError, match=rf"thing\.obj.*{sentence}"):
        read_mesh(obj(text))


def test_an_obj_of_100_000_triangles_is_read_within_a_second(tmp_path):
    source = heightfield_mesh(HeightField(np.random.default_rng(0).random((225, 225)), (9.0, 9.0)))
    path = tmp_path / "big.obj"
    with path.open("w") as file:
        np.savetxt(file, source.vertices, "v %.17g %.17g %.17g")
        np.savetxt(file, np.repeat(source.faces + 1, 2, axis=1), "f %d//%d %d//%d %d//%d")
    start = time.process_time()
    mesh = read_mesh(path)
    assert time.process_time() - start < 1.0
    assert len(mesh.faces) == 100_352
    np.testing.assert_array_equal(mesh.faces, source.faces)
    np.testing.assert_array_equal(mesh.vertices, source.vertices)


@pytest.mark.parametrize("kind", ["stl", "stl_ascii"])
def test_stl_gives_closed_surfaces_with_shared_corners(tmp_path, kind):
    box = tessellate(Box((1.0, 2.0, 3.0)))
    data = trimesh.Trimesh(box.vertices, box.faces, process=False).export(file_type=kind)
    path = tmp_path / "box.STL"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    mesh = read_mesh(path)
    assert mesh.vertices.shape == (8, 3)
    assert mesh.faces.shape == (12, 3)
    assert volume(mesh) == pytest.approx(6.0)


def test_a_binary_stl_whose_header_says_solid_is_still_binary(tmp_path):
    box = tessellate(Box((1.0, 1.0, 1.0)))
    data = trimesh.Trimesh(box.vertices, box.faces, process=False).export(file_type="stl")
    path = tmp_path / "box.stl"
    path.write_bytes(b"solid".ljust(80) + data[80:])
    assert volume(read_mesh(path)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"abc", "too short for an STL"),
        (b"\0" * 80 + (2).to_bytes(4, "little") + b"\0" * 50, "2 triangles has 184 bytes"),
        (b"solid x\nendsolid\n", "three vertices per facet, got 0"),
        (b"solid x\nvertex 0 0 0\nvertex 0 0 1\n", "three vertices per facet, got 2"),
        (b"solid x\nvertex 0 0 a\n", "not three numbers"),
    ],
)
def test_bad_stl_files_are_refused_with_their_name(tmp_path, data, sentence):
    path = tmp_path / "bad.stl"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=rf"bad\.stl.*{sentence}"):
        read_mesh(path)


def test_scale_stretches_and_a_mirror_keeps_faces_outward(tmp_path):
    box = tessellate(Box((1.0, 1.0, 1.0)))
    path = tmp_path / "box.stl"
    path.write_bytes(trimesh.Trimesh(box.vertices, box.faces).export(file_type="stl"))
    assert volume(read_mesh(path, (2.0, 2.0, 1.0))) == pytest.approx(4.0)
    assert volume(read_mesh(path, (-1.0, 1.0, 0.001))) == pytest.approx(0.001)


def test_an_unchanged_file_is_read_once_and_a_changed_one_again(obj):
    path = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    first = read_mesh(path)
    assert read_mesh(path) is first
    path.write_text("v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n")
    os.utime(path, ns=(1, 1))
    assert read_mesh(path).vertices[1, 0] == 2.0


def test_a_missing_mesh_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.stl: cannot read the mesh: No such file"):
        read_mesh(tmp_path / "gone.stl")


def test_other_formats_go_through_trimesh(tmp_path):
    box = tessellate(Box((1.0, 2.0, 3.0)))
    path = tmp_path / "box.ply"
    path.write_bytes(trimesh.Trimesh(box.vertices, box.faces).export(file_type="ply"))
    assert volume(read_mesh(path)) == pytest.approx(6.0)
    bad = tmp_path / "bad.ply"
    bad.write_bytes(b"nonsense")
    with pytest.raises(FormatError, match=r"bad\.ply: trimesh cannot read it"):
        read_mesh(bad)


def test_without_trimesh_the_error_names_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "box.dae"
    path.write_text("<COLLADA/>")
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    meshes._read.cache_clear()
    with pytest.raises(FormatError, match=r"\.dae meshes needs 'pip install trimesh'"):
        read_mesh(path)


@pytest.mark.skipif(not DATA.is_dir(), reason="the third-party test data is not here")
@pytest.mark.parametrize(
    "name",
    [
        "jackal_description/meshes/jackal-base.stl",
        "jackal_description/meshes/jackal-wheel.stl",
        "cpr_obstacle_gazebo/models/obstacle_world.stl",
        "farley_lab_pieces/gravel/meshes/gravel.obj",
        "farley_lab_pieces/bumps/meshes/bumps_1.obj",
    ],
)
def test_meshes_of_other_people_equal_what_trimesh_reads(name):
    mine = read_mesh(DATA / name)
    parts = trimesh.load_scene(DATA / name, process=False).geometry.values()
    theirs = trimesh.util.concatenate([trimesh.Trimesh(p.vertices, p.faces) for p in parts])
    np.testing.assert_allclose(mine.vertices.min(axis=0), theirs.bounds[0], atol=1e-9)
    np.testing.assert_allclose(mine.vertices.max(axis=0), theirs.bounds[1], atol=1e-9)
    area = trimesh.Trimesh(mine.vertices, mine.faces, process=False).area
    assert area == pytest.approx(theirs.area, rel=1e-6)
    assert len(mine.faces) == len(theirs.faces)
