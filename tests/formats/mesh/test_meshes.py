"""Mesh files: OBJ and STL in their variants, against trimesh and by hand."""

import os
import time

import numpy as np
import pytest
from PIL import Image
from plain_mesh import read_mesh

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.mesh import asset as mesh_asset
from outrider.formats.mesh import files as mesh_files
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.formats.mesh.gltf.write import write_glb
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, HeightField, Mesh
from outrider.world.tessellate import heightfield_mesh, tessellate

trimesh = pytest.importorskip("trimesh")


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


def test_obj_faces_of_two_corners_have_no_area(obj):
    path = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\no one\nf 1 2\nf 1 2 3\no two\nf 3\nf -1 -2 -3\n")
    assert read_mesh(path).faces.tolist() == [[0, 1, 2], [2, 1, 0]]
    assert [part.name for part in read_mesh_asset(path).parts] == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("v 0 0\nf 1 1 1\n", "a vertex is not three numbers"),
        ("v 0 0 x\n", "a vertex is not three numbers"),
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
    first = read_mesh_asset(path)
    assert read_mesh_asset(path) is first
    path.write_text("v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n")
    os.utime(path, ns=(1, 1))
    assert read_mesh_asset(path).parts[0].mesh.vertices[1, 0] == 2.0


def test_a_missing_mesh_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.stl: cannot read the mesh: No such file"):
        read_mesh_asset(tmp_path / "gone.stl")


@pytest.mark.parametrize(
    "name",
    [
        "jackal_description/meshes/jackal-base.stl",
        "jackal_description/meshes/jackal-wheel.stl",
        "jackal_description/meshes/bridge-plate.stl",
        "cpr_obstacle_gazebo/models/obstacle_world.stl",
        "cpr_obstacle_gazebo/models/obstacle_world_ground.stl",
    ],
)
def test_meshes_of_other_people_equal_what_trimesh_reads(shared_data, name):
    mine = read_mesh(shared_data / name)
    parts = trimesh.load_scene(shared_data / name, process=False).geometry.values()
    theirs = trimesh.util.concatenate([trimesh.Trimesh(p.vertices, p.faces) for p in parts])
    np.testing.assert_allclose(mine.vertices.min(axis=0), theirs.bounds[0], atol=1e-9)
    np.testing.assert_allclose(mine.vertices.max(axis=0), theirs.bounds[1], atol=1e-9)
    area = trimesh.Trimesh(mine.vertices, mine.faces, process=False).area
    assert area == pytest.approx(theirs.area, rel=1e-6)
    assert len(mine.faces) == len(theirs.faces)


@pytest.mark.parametrize(
    ("name", "faces"), [("obstacle_world", 680), ("obstacle_world_ground", 492)]
)
def test_the_obstacle_world_has_all_its_faces(shared_data, name, faces):
    mesh = read_mesh(shared_data / "cpr_obstacle_gazebo" / "models" / f"{name}.stl")
    assert len(mesh.faces) == faces
    np.testing.assert_allclose(np.ptp(mesh.vertices[:, :2], axis=0), [12.3, 8.3], atol=1e-3)


def test_all_meshes_of_the_jackal_are_read(shared_data):
    paths = sorted((shared_data / "jackal_description" / "meshes").glob("*.stl"))
    assert len(paths) == 20
    for path in paths:
        assert len(read_mesh(path).faces) == (path.stat().st_size - 84) // 50


def test_the_bumps_stand_43_and_81_mm_high_on_a_plate_without_folds(shared_data):
    """Its top is one concave polygon; cut into a fan, as trimesh does, it would overlap itself."""
    mesh = read_mesh(shared_data / "farley_lab_pieces" / "bumps" / "meshes" / "bumps_1.obj")
    heights = np.unique(mesh.vertices[:, 2].round(6))
    assert heights[-1] == pytest.approx(0.081)
    assert 0.043 in heights
    corners = mesh.vertices[mesh.faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2
    assert area[area > 0].sum() == pytest.approx(1.0, abs=1e-6)
    assert area[area < 0].sum() == pytest.approx(-1.0, abs=1e-6)


def test_a_concave_polygon_is_covered_once(obj):
    path = obj("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5\n")
    mesh = read_mesh(path)
    corners = mesh.vertices[mesh.faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2
    assert areas.min() > 0
    assert areas.sum() == pytest.approx(10.0)


@pytest.mark.parametrize("first", range(4))
def test_a_dented_quad_is_cut_from_its_dent_wherever_it_begins(obj, first):
    order = [(first + k) % 4 + 1 for k in range(4)]
    path = obj(f"v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf {' '.join(map(str, order))}\n")
    corners = read_mesh(path).vertices[read_mesh(path).faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2
    np.testing.assert_allclose(areas, [2.0, 2.0])


def test_a_comb_of_a_thousand_teeth_is_cut_soon_and_a_larger_one_refused(obj):
    def comb(n):
        x = np.arange(n // 2)
        lower, upper = np.stack([x, x % 2 * 5.0]), np.stack([x, x % 2 * 5.0 + 1])
        points = np.concatenate([lower.T, upper.T[::-1]])
        lines = [f"v {x} {y} 0" for x, y in points]
        return obj("\n".join([*lines, "f " + " ".join(str(k + 1) for k in range(n))]) + "\n")

    start = time.process_time()
    mesh = read_mesh(comb(2000))
    assert time.process_time() - start < 3.0
    corners = mesh.vertices[mesh.faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2
    assert np.abs(areas).sum() == pytest.approx(999.0)
    with pytest.raises(FormatError, match=r"thing\.obj: a concave polygon has 6000 corners"):
        read_mesh(comb(6000))


@pytest.mark.parametrize("text", ["", "# nothing\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"])
def test_files_without_triangles_are_refused(obj, text):
    with pytest.raises(FormatError, match=r"thing\.obj.*(empty|no triangles)"):
        read_mesh(obj(text))


@pytest.mark.parametrize("name", ["car.max", "car.MAX", "scene.blend"])
def test_formats_that_are_not_read_say_what_to_convert_to(tmp_path, name):
    (tmp_path / name).write_bytes(b"Kaydara FBX Binary")
    with pytest.raises(FormatError, match=rf"{name}.*convert it to GLB"):
        read_mesh(tmp_path / name)


def test_unknown_formats_name_the_known_ones(tmp_path):
    (tmp_path / "thing.xyz").write_bytes(b"1 2 3")
    with pytest.raises(FormatError, match=r"\.dae, \.obj, \.stl, \.ply, \.gltf, \.glb.*'\.xyz'"):
        read_mesh(tmp_path / "thing.xyz")


def test_a_claim_of_ten_gigabytes_in_an_stl_is_not_believed(tmp_path):
    path = tmp_path / "bad.stl"
    path.write_bytes(b"\0" * 80 + (200_000_000).to_bytes(4, "little") + b"\0" * 100)
    with pytest.raises(
        FormatError, match="200000000 triangles has 10000000084 bytes, this one 184"
    ):
        read_mesh(path)


def test_bytes_after_the_last_triangle_are_noted(tmp_path):
    box = tessellate(Box((1.0, 1.0, 1.0)))
    path = tmp_path / "box.stl"
    path.write_bytes(trimesh.Trimesh(box.vertices, box.faces).export(file_type="stl") + b"\0\0")
    asset = read_mesh_asset(path)
    assert len(asset.parts[0].mesh.faces) == 12
    assert "2 bytes after the last triangle" in asset.notes[0]


def test_a_large_mesh_is_kept_on_disk_and_comes_back_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(mesh_files, "_LARGE", 100)
    path = tmp_path / "thing.obj"
    path.write_text(
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl red\n"
        "f 1/1 2/2 3/3\no b\nusemtl blue\nf 1 2 4\n"
    )
    first = mesh_files.load_raw(path)
    monkeypatch.setattr(mesh_files, "_reader", None)  # a second reading would fail
    second = mesh_files.load_raw(path)
    assert [g.name for g in second.meshes[0].groups] == ["a", "b"]
    for mine, theirs in zip(first.meshes[0].groups, second.meshes[0].groups, strict=True):
        assert (mine.name, mine.material) == (theirs.name, theirs.material)
        np.testing.assert_array_equal(mine.faces, theirs.faces)
    np.testing.assert_array_equal(first.meshes[0].uv, second.meshes[0].uv)


def test_a_large_glb_is_kept_on_disk_with_its_pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(mesh_files, "_LARGE", 100)
    Image.new("RGB", (4, 4), (200, 10, 10)).save(tmp_path / "red.png")
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = Mesh(corners, np.array([[0, 1, 2]], np.int32), "", corners[:, :2])
    look = Geometry(mesh, Pose(), Material(texture=str(tmp_path / "red.png")))
    model = Model("m", (Link("l", None, (look,)),), mobility="static")
    path = tmp_path / "t.glb"
    path.write_bytes(write_glb(World("w", (model,))))

    def texture():
        mesh_asset._read.cache_clear()
        return read_mesh_asset(path).parts[0].texture

    first = texture()
    assert first
    calls, read = [], mesh_files._read
    monkeypatch.setattr(mesh_files, "_read", lambda *a: calls.append(a) or read(*a))
    assert texture() == first
    assert calls == []  # from the disk
    for kept in (tmp_path / "cache" / "textures").iterdir():
        kept.unlink()
    assert texture() == first
    assert len(calls) == 1  # read again, because its picture was gone
