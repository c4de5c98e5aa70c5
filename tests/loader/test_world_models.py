"""Worlds of many parts: shapes, meshes, terrain, models in models, lights and looks."""

import math

import numpy as np
import pytest

from outrider.core.errors import ConfigError, OutriderError
from outrider.loader.ground import ground_height
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.world.shapes import Capsule, HeightField, Mesh
from outrider.world.tessellate import tessellate

CUBE = """\
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""
TENT = """\
v -5 -5 0
v 5 -5 0
v 0 -5 2
v -5 5 0
v 5 5 0
v 0 5 2
f 1 3 6
f 1 6 4
f 3 2 5
f 3 5 6
"""
TREE = """\
description: a trunk with a crown
material: wood
parts:
  - {shape: {type: cylinder, radius: 0.2, length: 2}, pose: {z: 1}}
  - {shape: {type: sphere, radius: 1}, pose: {z: 2.5}, material: grass, colour: [0, 0.5, 0, 1]}
"""


def world(folder, text, name="w.yaml"):
    (folder / name).write_text(text)
    return build_world(load_world_spec(folder / name))


def model_of(world, name):
    return next(model for model in world.models if model.name == name)


def mass_of(model):
    return sum(link.inertial.mass for link in model.links if link.inertial)


def test_an_object_of_several_shapes_is_one_body_with_one_centre_of_mass(tmp_path):
    made = world(
        tmp_path,
        """
ground: {type: none}
objects:
  - name: hammer
    mass: 3
    material: wood
    pose: {z: 1}
    parts:
      - {shape: {type: box, size: [1, 0.1, 0.1]}, pose: {x: 0.5}}
      - {shape: {type: box, size: [0.2, 0.5, 0.2]}, pose: {x: 1.0}, material: steel}
""",
    )
    (link,) = model_of(made, "hammer").links
    light, heavy = 3 / 3, 3 * 2 / 3  # by volume: 0.01 and 0.02 m^3
    assert link.inertial.mass == pytest.approx(3.0)
    assert link.inertial.pose.position == pytest.approx([(light * 0.5 + heavy) / 3, 0, 0])
    iyy = light / 12 * (1 + 0.01) + heavy / 12 * 0.08 + light * heavy / 3 * 0.25
    assert link.inertial.inertia[1, 1] == pytest.approx(iyy)
    assert [g.material.name for g in link.visuals] == ["wood", "steel"]
    assert [g.pose.position[0] for g in link.colliders] == [0.5, 1.0]


def test_a_thing_of_several_shapes_stands_on_its_lowest_point(tmp_path):
    made = world(
        tmp_path,
        """
ground: {type: flat, slope_deg: 20}
objects:
  - name: table
    mass: 5
    pose: {x: 3, yaw_deg: 30}
    parts:
      - {shape: {type: box, size: [1, 1, 0.1]}, pose: {z: 0.5}}
      - {shape: {type: capsule, radius: 0.05, length: 0.4}, pose: {x: 0.4}}
      - {shape: {type: cylinder, radius: 0.05, length: 0.4}, pose: {x: -0.4, roll_deg: 10}}
""",
    )
    table = model_of(made, "table")
    points = [
        (table.pose @ g.pose).apply(tessellate(g.shape, 256).vertices)
        for g in table.links[0].colliders
    ]
    gaps = [z - ground_height(made, x, y) for x, y, z in np.concatenate(points)]
    assert -1e-6 < min(gaps) < 1e-3


def test_a_mesh_is_read_scaled_and_weighs_as_a_solid(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "cube.obj").write_text(CUBE)
    made = world(
        tmp_path,
        """
objects:
  - name: cube
    shape: {type: mesh, file: meshes/cube.obj, scale: [2, 1, 0.5]}
    mass: 6
    pose: {x: 1, y: 1}
""",
    )
    cube = model_of(made, "cube")
    shape = cube.links[0].colliders[0].shape
    assert isinstance(shape, Mesh)
    assert shape.vertices.max(axis=0).tolist() == [2, 1, 0.5]
    inertial = cube.links[0].inertial
    assert inertial.pose.position == pytest.approx([1, 0.5, 0.25])
    assert np.diag(inertial.inertia) == pytest.approx(
        [6 / 12 * (1 + 0.25), 6 / 12 * (4 + 0.25), 6 / 12 * (4 + 1)]
    )
    assert cube.pose.position.tolist() == [1, 1, 0]  # the mesh begins at its own zero


def test_an_open_mesh_weighs_as_the_box_around_it(tmp_path):
    (tmp_path / "sheet.obj").write_text("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n")
    item = "{name: s, shape: {type: mesh, file: sheet.obj}, mass: 3}"
    inertial = model_of(world(tmp_path, f"objects: [{item}]"), "s").links[0].inertial
    assert inertial.inertia[2, 2] == pytest.approx(3 / 12 * 5)


def test_ground_of_a_mesh_carries_what_stands_on_it(tmp_path):
    (tmp_path / "tent.obj").write_text(TENT)
    made = world(
        tmp_path,
        """
ground: {type: mesh, file: tent.obj, material: sand}
start: {x: -2.5}
objects: [{name: b, shape: {type: sphere, radius: 0.5}, pose: {x: 2.5, y: 1, z: null}}]
""",
    )
    assert ground_height(made, 2.5, 3.0) == pytest.approx(1.0)
    assert ground_height(made, 0.0, 0.0) == pytest.approx(2.0)
    assert made.start.position[2] == pytest.approx(1.0)
    assert model_of(made, "b").pose.position[2] == pytest.approx(1.5)
    assert model_of(made, "ground").links[0].colliders[0].material.friction == 0.45
    with pytest.raises(OutriderError, match="there is no ground at x = 9"):
        ground_height(made, 9.0, 0.0)


def test_ground_of_an_image_has_its_size_and_its_heights(tmp_path):
    image = pytest.importorskip("PIL.Image", reason="images need Pillow")
    ramp = np.tile(np.linspace(0, 255, 52).astype(np.uint8), (26, 1))
    image.fromarray(ramp).save(tmp_path / "ramp.png")
    made = world(tmp_path, "ground: {type: heightmap, file: ramp.png, size: [51, 25, 10]}")
    field = model_of(made, "ground").links[0].colliders[0].shape
    assert isinstance(field, HeightField)
    assert field.size == (51, 25)
    assert ground_height(made, 0.0, 0.0) == pytest.approx(5.0, abs=0.05)
    assert ground_height(made, 12.75, 5.0) == pytest.approx(7.5, abs=0.05)


def test_a_floor_of_two_sizes_ends_at_its_edges(tmp_path):
    made = world(tmp_path, "ground: {type: flat, size: [10, 4], slope_deg: 10}")
    assert ground_height(made, 4.9, 1.9) == pytest.approx(4.9 * math.tan(math.radians(10)))
    with pytest.raises(OutriderError, match=r"there is no ground at x = 0, y = 2\.1"):
        ground_height(made, 0.0, 2.1)


def test_one_model_file_stands_in_many_places_and_worlds(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tree.yaml").write_text(TREE)
    text = """
models:
  - {file: models/tree.yaml, name: oak, pose: {x: 4}}
  - {file: models/tree.yaml, name: elm, pose: {x: -4, yaw_deg: 90}}
"""
    for name in ("a.yaml", "b.yaml"):
        made = world(tmp_path, text, name)
        oak, elm = model_of(made, "oak"), model_of(made, "elm")
        assert oak.pose.position.tolist() == [4, 0, 0]  # its trunk begins at zero
        assert elm.mobility == "static"
        crown = oak.links[0].visuals[1]
        assert (crown.material.colour, crown.material.friction) == ((0, 0.5, 0, 1), 0.5)


def test_models_hold_models(tmp_path):
    (tmp_path / "tree.yaml").write_text(TREE)
    (tmp_path / "grove.yaml").write_text(
        "models:\n"
        "  - {file: tree.yaml, name: first, pose: {x: 2, z: 0}}\n"
        "  - {file: tree.yaml, name: second, pose: {x: -2, z: 0, yaw_deg: 90}}\n"
    )
    made = world(
        tmp_path, "models: [{file: grove.yaml, name: grove, pose: {y: 10, yaw_deg: 90}}]\n"
    )
    names = [model.name for model in made.models]
    assert names == ["ground", "grove", "grove/first", "grove/second"]
    assert model_of(made, "grove/first").pose.position == pytest.approx([0, 12, 0], abs=1e-12)
    assert model_of(made, "grove/second").pose.rpy[2] == pytest.approx(math.pi)


def test_what_has_no_mass_moves_with_the_model_that_holds_it(tmp_path):
    (tmp_path / "sign.yaml").write_text("parts: [{shape: {type: box, size: [0.1, 1, 1]}}]")
    (tmp_path / "cart.yaml").write_text(
        "mass: 20\nparts: [{shape: {type: box, size: [1, 1, 0.2]}}]\n"
        "models: [{file: sign.yaml, pose: {z: 0.6}}]\n"
    )
    cart = model_of(world(tmp_path, "models: [{file: cart.yaml, name: c}]"), "c")
    assert cart.mobility == "dynamic"
    assert mass_of(cart) == pytest.approx(20)
    assert [joint.kind for joint in cart.joints] == ["fixed"]
    assert cart.joints[0].origin.position.tolist() == [0, 0, 0.6]
    assert cart.pose.position[2] == pytest.approx(0.1)


def test_a_urdf_is_a_model_too_and_may_be_fixed(tmp_path):
    (tmp_path / "door.urdf").write_text(
        '<robot name="door"><link name="frame"><inertial><mass value="5"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        '<collision><geometry><box size="1 0.1 2"/></geometry></collision></link></robot>'
    )
    made = world(
        tmp_path,
        "models:\n  - {file: door.urdf, pose: {x: 3}}\n"
        "  - {file: door.urdf, name: wall, fixed: true, pose: {x: 6, z: 0}}\n",
    )
    assert model_of(made, "door").mobility == "dynamic"
    assert model_of(made, "door").pose.position.tolist() == [3, 0, 1]
    assert model_of(made, "wall").mobility == "static"


def test_lights_sky_and_gravity_reach_the_world(tmp_path):
    made = world(
        tmp_path,
        """
gravity: [0, 0, -1.62]
sky: [0, 0, 0]
ambient: [0.05, 0.05, 0.05]
lights:
  - {name: sun, direction: [-1, 0, -0.2], intensity: 2}
  - {name: lamp, kind: spot, position: [0, 0, 5]}
""",
    )
    assert made.gravity == (0, 0, -1.62)
    assert made.sky == (0, 0, 0)
    assert [(light.name, light.kind) for light in made.lights] == [
        ("sun", "directional"),
        ("lamp", "spot"),
    ]


def test_textures_are_found_beside_the_file_that_names_them(tmp_path):
    (tmp_path / "brick.png").write_bytes(b"not looked into")
    made = world(
        tmp_path,
        """
ground: {type: flat, texture: brick.png}
materials: {wall: {friction: 0.7, texture: brick.png}}
objects:
  - {name: a, shape: {type: box}, material: wall}
  - {name: b, shape: {type: capsule}, texture: brick.png}
""",
    )
    image = str(tmp_path / "brick.png")
    for name in ("ground", "a", "b"):
        assert model_of(made, name).links[0].visuals[0].material.texture == image
    assert isinstance(model_of(made, "b").links[0].colliders[0].shape, Capsule)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("objects: [{name: b}]", "object 'b': expected either a 'shape' or 'parts'"),
        ("objects: [{name: b, shape: {type: box}, parts: [{shape: {type: box}}]}]", "either a"),
        ("objects: [{name: b, shape: {type: bux}}]", r"got 'bux' \(did you mean 'box'\?\)"),
        ("objects: [{name: b, shape: {type: mesh, file: no.obj}}]", r"shape\.file: .*no\.obj"),
        ("objects: [{name: b, shape: {type: mesh}}]", "shape.file: there is no file ''"),
        ("objects: [{name: b, shape: {type: box}, texture: no.png}]", r"texture: .*no\.png"),
        ("models: [{file: no.yaml}]", r"file: there is no file '.*no\.yaml'"),
        ("models: [{fil: no.yaml}]", r"fil: unknown key \(did you mean 'file'\?\)"),
        ("ground: {type: heightmap, file: no.png}", r"ground\.file: there is no file '.*no\.png'"),
        ("ground: {type: flat, size: [0, 3]}", r"ground\.size\.0: must be above 0"),
        ("lights: [{name: l, kind: lamp}]", "expected one of directional, point, spot"),
    ],
)
def test_worlds_that_name_what_is_not_there_are_refused(text, sentence, tmp_path):
    with pytest.raises(ConfigError, match=sentence):
        world(tmp_path, text)


def test_models_that_hold_one_another_are_refused(tmp_path):
    (tmp_path / "a.yaml").write_text("models: [{file: b.yaml}]")
    (tmp_path / "b.yaml").write_text("models: [{file: a.yaml}]")
    with pytest.raises(ConfigError, match=r"cycle: a\.yaml -> b\.yaml -> a\.yaml"):
        world(tmp_path, "models: [{file: a.yaml}]")


def seen_ground(folder, mesh, **files):
    """The looks of a ground of grass whose mesh is in a file."""
    (folder / "tent.obj").write_text(mesh)
    for name, text in files.items():
        (folder / f"{name}.mtl").write_text(text)
    made = world(folder, "ground: {type: mesh, file: tent.obj, material: grass}\n")
    return model_of(made, "ground").links[0].visuals


def test_a_mesh_without_looks_of_its_own_looks_like_its_material(tmp_path):
    flat = model_of(
        world(tmp_path, "ground: {type: flat, size: [9, 9], material: grass}\n"), "ground"
    )
    (shape,) = seen_ground(tmp_path, TENT)
    assert shape.material == flat.links[0].visuals[0].material
    assert shape.material.detail
    mapped = TENT.replace("f 1 3 6", "vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 3/2 6/3")
    for part in seen_ground(tmp_path, mapped):
        assert part.shape.uv is None  # by the metre, not stretched over all of it


def test_what_a_mesh_says_of_its_looks_stays(tmp_path):
    half = TENT.replace("f 3 2 5", "usemtl red\nf 3 2 5")
    red, bare = sorted(
        seen_ground(tmp_path, "mtllib own.mtl\n" + half, own="newmtl red\nKd 1 0 0\n"),
        key=lambda shape: bool(shape.material.detail),
    )
    assert red.material.colour == (1.0, 0.0, 0.0, 1.0)
    assert not red.material.texture
    assert bare.material.detail
    assert red.material.friction == bare.material.friction
    lost = "mtllib own.mtl\nusemtl red\n" + TENT
    (grey,) = seen_ground(tmp_path, lost, own="newmtl red\nmap_Kd none.png\n")
    assert not grey.material.texture  # said in a note: 'grey is used'
    assert grey.material.colour == (0.6, 0.6, 0.6, 1.0)
