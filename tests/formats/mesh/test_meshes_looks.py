"""Meshes with their looks: OBJ with MTL, textures wherever they hide, submeshes, units, visuals."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.mesh.asset import asset_geometry, read_mesh_asset
from outrider.formats.mesh.opacity import collada_opacity, visible
from outrider.formats.mesh.textures import find_texture
from outrider.world.materials import Material

OBJ = """mtllib thing.mtl
o Left
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vt 0 0
vt 1 0
vt 0 1
usemtl brick
f 1/1 2/2 3/3
f 1/3 2/2 4/1
o Right
usemtl glass
f 2//1 3//1 4//1
usemtl nowhere
f 1 3 4
"""
MTL = """# made by hand
newmtl brick
Kd 0.1 0.2 0.3
map_Kd -s 2 2 1 my brick.PNG
newmtl glass
Kd 0.5 0.6 0.7
d 0.4
newmtl hidden
d 0
newmtl turned
Tr 0.25
"""


@pytest.fixture
def thing(tmp_path):
    folder = tmp_path / "meshes"
    folder.mkdir()
    (folder / "thing.obj").write_text(OBJ)
    (folder / "thing.mtl").write_text(MTL)
    Image.new("RGB", (2, 2)).save(folder / "My Brick.png")
    return folder / "thing.obj"


def test_an_obj_has_one_part_for_each_object_and_material(thing):
    asset = read_mesh_asset(thing)
    assert [part.name for part in asset.parts] == ["Left", "Right", "Right"]
    brick, glass, bare = asset.parts
    assert brick.texture == str(thing.parent / "My Brick.png")
    assert brick.colour == (1.0, 1.0, 1.0, 1.0)
    assert glass.colour == (0.5, 0.6, 0.7, 0.4)
    assert glass.opacity == 0.4
    assert bare.colour == (0.6, 0.6, 0.6, 1.0)
    assert [len(part.mesh.faces) for part in asset.parts] == [2, 1, 1]


def test_vertices_are_split_only_where_their_texture_coordinates_differ(thing):
    brick = read_mesh_asset(thing).parts[0].mesh
    assert len(brick.vertices) == 5  # the first of four corners is used with two places
    corners = np.column_stack([brick.vertices, brick.uv])[brick.faces]
    assert corners[0].tolist() == [[0, 0, 0, 0, 0], [1, 0, 0, 1, 0], [0, 1, 0, 0, 1]]
    assert corners[1].tolist() == [[0, 0, 0, 0, 1], [1, 0, 0, 1, 0], [0, 0, 1, 0, 0]]


def test_welded_parts_have_no_seams(thing):
    brick = read_mesh_asset(thing, welded=True).parts[0].mesh
    assert len(brick.vertices) == 4
    assert brick.uv is None


def test_a_missing_material_file_is_noted(thing):
    (thing.parent / "thing.mtl").unlink()
    asset = read_mesh_asset(thing, (2.0, 2.0, 2.0))
    assert "there is no material file 'thing.mtl'" in asset.notes[0]
    assert {part.colour for part in asset.parts} == {(0.6, 0.6, 0.6, 1.0)}


def test_one_line_may_name_several_material_files(thing):
    thing.write_text(OBJ.replace("mtllib thing.mtl", "mtllib other.mtl thing.mtl"))
    (thing.parent / "other.mtl").write_text("newmtl nowhere\nKd 0 1 0\n")
    assert read_mesh_asset(thing).parts[2].colour == (0.0, 1.0, 0.0, 1.0)


def test_a_missing_texture_is_noted_and_grey(thing):
    (thing.parent / "My Brick.png").unlink()
    asset = read_mesh_asset(thing, (3.0, 3.0, 3.0))
    assert "there is no texture 'my brick.PNG'" in asset.notes[0]
    assert asset.parts[0].colour == (0.6, 0.6, 0.6, 1.0)
    assert asset.parts[0].texture == ""


def test_a_broken_material_file_costs_only_the_looks(thing):
    (thing.parent / "thing.mtl").write_text("newmtl brick\nKd red green blue\n")
    asset = read_mesh_asset(thing, (4.0, 4.0, 4.0))
    assert "thing.mtl:2: expected numbers, got 'red green blue'" in asset.notes[0]


def test_a_submesh_can_be_picked_and_centred(thing):
    asset = read_mesh_asset(thing, submesh="Left", centre=True)
    assert [part.name for part in asset.parts] == ["Left"]
    vertices = asset.parts[0].mesh.vertices
    np.testing.assert_allclose(vertices.min(axis=0) + vertices.max(axis=0), 0.0)
    with pytest.raises(FormatError, match=r"no submesh 'Lefd' \(did you mean 'Left'\?\)"):
        read_mesh_asset(thing, submesh="Lefd")


def test_a_mesh_cannot_be_scaled_to_nothing(thing):
    with pytest.raises(FormatError, match="cannot be scaled"):
        read_mesh_asset(thing, (0.0, 1.0, 1.0))


def test_visuals_join_parts_that_look_alike_and_keep_the_surface(thing):
    pose = Pose.from_rpy([1.0, 2.0, 3.0], [0.0, 0.0, 0.5])
    asset = read_mesh_asset(thing)
    found = asset_geometry(asset, pose, Material(friction=0.3))
    assert len(found) == 3
    assert all(geometry.pose is pose for geometry in found)
    assert {geometry.material.friction for geometry in found} == {0.3}
    assert found[0].material.texture == asset.parts[0].texture
    moved = read_mesh_asset(thing, (2.0, 2.0, 2.0))
    joined = asset_geometry(replace(asset, parts=asset.parts + moved.parts))
    assert [len(g.shape.faces) for g in joined] == [4, 2, 2]
    assert joined[0].shape.uv.shape == (10, 2)


def test_of_faces_in_one_place_the_textured_is_drawn(thing):
    asset = read_mesh_asset(thing)
    brick, glass, _ = asset.parts
    back = replace(glass, mesh=replace(brick.mesh, faces=brick.mesh.faces[:, ::-1], uv=None))
    (seen,) = asset_geometry(replace(asset, parts=(back, brick)))
    assert seen.material.texture == brick.texture
    np.testing.assert_array_equal(seen.shape.faces, brick.mesh.faces)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("textures/a b.jpg", True),
        ("textures/a%20b.jpg", True),
        (r"C:\Users\me\textures\a b.jpg", True),
        ("file:///C:/art/a%20b.jpg", True),
        ("/home/me/models/textures/A B.JPG", True),
        ("file://textures/a b.jpg", True),
        ("a b.jpg", True),
        ("A B.jpg", True),
        ("../meshes/textures/a b.jpg", True),
        ("textures/c.jpg.001.jpg", True),
        ("textures/a b.jpg.001.jpg", True),
        ("plywood.png", True),
        ("../materials/textures/plywood.png", True),
        ("missing.png", False),
        ("../../secret.png", False),
        ("/etc/passwd", False),
        ("x\0y", False),
        ("x" * 5000, False),
        ("", False),
    ],
)
def test_textures_are_found_however_they_are_written(tmp_path, address, found):
    package = tmp_path / "package"
    for name in (
        "meshes/textures/a b.jpg",
        "meshes/textures/c.jpg.001.jpg",
        "materials/textures/plywood.png",
        "package.xml",
        "../secret.png",
    ):
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert bool(find_texture(package / "meshes" / "thing.dae", address)) is found


@pytest.mark.parametrize(
    ("rule", "colour", "amount", "opacity"),
    [
        ("A_ONE", (1, 1, 1, 1), 1.0, 1.0),
        ("A_ONE", (1, 1, 1, 1), 0.01, 1.0),  # SketchUp: means opaque
        ("A_ONE", (1, 1, 1, 1), 0.05, 1.0),
        ("A_ONE", (1, 1, 1, 1), 0.0, 1.0),
        ("A_ONE", (0, 0, 0, 0.75), 0.75, 0.5625),  # Blender: water
        ("A_ONE", (1, 1, 1, 0.4), 1.0, 0.4),
        ("RGB_ZERO", (0, 0, 0, 1), 1.0, 1.0),
        ("RGB_ZERO", (0.25, 0.25, 0.25, 1), 1.0, 0.75),
        ("RGB_ZERO", (1, 1, 1, 1), 1.0, 1.0),  # all of it invisible: turned round
        ("A_ZERO", (0, 0, 0, 0.2), 1.0, 0.8),
        ("RGB_ONE", (0.5, 0.5, 0.5, 1), 1.0, 0.5),
        ("nonsense", (1, 1, 1, 1), 0.5, 0.5),
    ],
)
def test_collada_opacity_follows_the_rule_unless_nothing_would_be_seen(
    rule, colour, amount, opacity
):
    assert collada_opacity(rule, colour, amount) == pytest.approx(opacity)


def test_opacity_is_never_nan_or_out_of_range():
    assert [visible(value) for value in (float("nan"), 7.0, -3.0, 0.5)] == [1.0, 1.0, 1.0, 0.5]
