"""Worlds from their files: grounds, objects, where they stand and what they weigh."""

import math

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import matrix_from_quaternion
from outrider.core.structure import from_data
from outrider.loader.library import library_names, load_world_spec
from outrider.loader.world import build_world, ground_height
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.specs.world import RollingGround, WorldSpec
from outrider.world.shapes import HeightField, Plane
from outrider.world.tessellate import tessellate

ROLLING = {"type": "rolling", "size": [40, 30], "cell": 0.5, "height": 2.0, "seed": 3}

TILTED = {"type": "flat", "slope_deg": 25, "cross_slope_deg": 10}


def spec(**keys):
    return from_data(WorldSpec, {"name": "w", **keys})


def world(*objects, ground=None, **keys):
    more = {} if ground is None else {"ground": ground}
    return build_world(spec(objects=list(objects), **more, **keys))


def box(name="b", size=(1.0, 1.0, 1.0), **keys):
    return {"name": name, "shape": {"type": "box", "size": list(size)}, **keys}


def model_of(world, name):
    return next(model for model in world.models if model.name == name)


def lowest(model):
    link_shape = model.links[0].colliders[0].shape
    return model.pose.apply(tessellate(link_shape, 256).vertices)[:, 2].min()


def test_flat_ground_is_a_static_plane_of_its_material():
    ground = model_of(world(ground={"type": "flat", "material": "ice"}), "ground")
    assert ground.mobility == "static"
    assert ground.links[0].colliders[0].shape == Plane(2000.0)
    assert ground.links[0].colliders[0].material.name == "ice"


def test_a_slope_rises_along_x_by_its_angle():
    sloped = spec(ground={"type": "flat", "slope_deg": 20})
    assert ground_height(sloped, 3.0, 7.0) == pytest.approx(3 * math.tan(math.radians(20)))
    ground = build_world(sloped).models[0]
    uphill = matrix_from_quaternion(ground.pose.rotation)[:, 0]
    assert uphill == pytest.approx([math.cos(math.radians(20)), 0, math.sin(math.radians(20))])


def test_a_cross_slope_rises_along_y():
    sloped = spec(ground={"type": "flat", "cross_slope_deg": -10})
    assert ground_height(sloped, 5.0, 2.0) == pytest.approx(-2 * math.tan(math.radians(10)))


def test_rolling_ground_has_exactly_the_asked_range_of_heights():
    field = build_world(spec(ground=ROLLING)).models[0].links[0].colliders[0].shape
    assert isinstance(field, HeightField)
    assert field.heights.shape == (81, 61)
    assert field.heights.max() - field.heights.min() == pytest.approx(2.0, abs=1e-14)


def test_rolling_ground_is_level_within_three_metres_of_the_start_and_not_beyond():
    hills = spec(ground=ROLLING)
    angle = np.linspace(0, 2 * math.pi, 50)
    level = [ground_height(hills, 2.99 * math.cos(a), 2.99 * math.sin(a)) for a in angle]
    assert max(map(abs, level)) == 0.0
    assert np.ptp([ground_height(hills, 9 * math.cos(a), 9 * math.sin(a)) for a in angle]) > 0.1


def test_rolling_ground_is_smooth():
    ground = {"type": "rolling", "size": [60, 60], "cell": 0.1, "height": 2.0, "wavelength": 15}
    heights = build_world(spec(ground=ground)).models[0].links[0].colliders[0].shape.heights
    slope = np.gradient(heights, 0.1)
    assert max(np.abs(slope[0]).max(), np.abs(slope[1]).max()) < 1.0
    assert max(np.abs(np.gradient(s, 0.1, axis=k)).max() for k, s in enumerate(slope)) < 1.5


def test_rolling_ground_depends_on_its_seed():
    def heights(seed):
        made = build_world(spec(ground={**ROLLING, "seed": seed}))
        return made.models[0].links[0].colliders[0].shape.heights

    np.testing.assert_array_equal(heights(3), heights(3))
    assert np.abs(heights(3) - heights(4)).max() > 0.2


def test_the_same_hills_come_at_any_cell_size():
    coarse, fine = (spec(ground={**ROLLING, "cell": cell}) for cell in (0.25, 0.125))
    for x, y in [(8.0, 3.0), (-12.5, 9.25), (15.0, -10.0)]:
        assert ground_height(fine, x, y) == pytest.approx(ground_height(coarse, x, y), abs=0.05)


def test_ground_height_is_the_height_of_the_mesh_that_others_see():
    hills = build_world(spec(ground=ROLLING))
    mesh = tessellate(hills.models[0].links[0].colliders[0].shape)
    rng = np.random.default_rng(0)
    for face in rng.choice(mesh.faces, 30):
        x, y, z = rng.dirichlet([1, 1, 1]) @ mesh.vertices[face]
        assert ground_height(hills, x, y) == pytest.approx(z, abs=1e-12)


def test_spec_world_and_model_give_one_height():
    hills = spec(ground=ROLLING)
    made = build_world(hills)
    heights = {ground_height(of, 7.3, -6.1) for of in (hills, made, made.models[0])}
    assert len(heights) == 1


def test_beyond_the_edge_there_is_no_ground():
    with pytest.raises(WorldError, match="there is no ground at x = 21, y = 0"):
        ground_height(spec(ground=ROLLING), 21.0, 0.0)
    with pytest.raises(WorldError, match="w: object 'b': there is no ground at x = 2000"):
        world(box(pose={"x": 2000}))


def test_a_world_without_ground_has_height_zero_and_no_ground_model():
    empty = world(box(), ground={"type": "none"})
    assert [model.name for model in empty.models] == ["b"]
    assert model_of(empty, "b").pose.position[2] == 0.5


SHAPES = [
    {"type": "box", "size": [0.5, 1.0, 2.0]},
    {"type": "sphere", "radius": 0.4},
    {"type": "cylinder", "radius": 0.4, "length": 1.0},
    {"type": "cone", "radius": 0.4, "length": 1.0},
]
TURNS = [{}, {"roll_deg": 30, "pitch_deg": 20, "yaw_deg": 50}, {"roll_deg": 180}]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["type"])
@pytest.mark.parametrize("turn", TURNS, ids=["upright", "turned", "upside down"])
def test_without_z_the_lowest_point_touches_the_ground(shape, turn):
    item = {"name": "b", "shape": shape, "pose": {"x": 7.0, "y": -6.0, **turn}}
    hills = world(item, ground=ROLLING)
    below = ground_height(hills, 7.0, -6.0)
    assert lowest(model_of(hills, "b")) == pytest.approx(below, abs=3e-4)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["type"])
@pytest.mark.parametrize("turn", TURNS, ids=["upright", "turned", "upside down"])
@pytest.mark.parametrize("ground", [ROLLING, TILTED], ids=["rolling", "tilted"])
def test_what_can_move_starts_on_a_slope_and_not_in_it(shape, turn, ground):
    item = {"name": "b", "shape": shape, "mass": 2.0, "pose": {"x": 7.0, "y": -6.0, **turn}}
    made = world(item, ground=ground)
    model = model_of(made, "b")
    surface = model.pose.apply(tessellate(model.links[0].colliders[0].shape).vertices)
    gaps = [z - ground_height(made, x, y) for x, y, z in surface]
    assert -1e-9 < min(gaps) < 0.01


def test_a_given_z_is_kept():
    assert model_of(world(box(pose={"z": 4.0})), "b").pose.position[2] == 4.0


def test_mass_and_path_decide_how_an_object_moves():
    path = {"points": [[1, 2, 0.5], [3, 2, 0.5]], "speed": 1.0}
    made = world(box("wall"), box("crate", mass=2.0), box("cart", path=path, pose={"yaw_deg": 90}))
    assert [model_of(made, name).mobility for name in ("wall", "crate", "cart")] == [
        "static",
        "dynamic",
        "scripted",
    ]
    assert model_of(made, "wall").links[0].inertial is None
    cart = model_of(made, "cart")
    assert cart.pose.position.tolist() == [1, 2, 0.5]
    assert cart.pose.rpy[2] == pytest.approx(math.pi / 2)


def test_a_movable_cone_balances_a_quarter_of_its_height_over_its_base():
    cone = {"name": "c", "shape": {"type": "cone", "radius": 0.3, "length": 0.8}, "mass": 5.0}
    inertial = model_of(world(cone), "c").links[0].inertial
    assert inertial.pose.position.tolist() == [0, 0, -0.2]
    assert inertial.inertia[2, 2] == pytest.approx(0.3 * 5.0 * 0.09)
    assert inertial.inertia[0, 0] == pytest.approx(5.0 * (0.15 * 0.09 + 3 / 80 * 0.64))


def test_colours_and_materials_of_the_world_itself_come_before_the_library():
    made = world(
        box("a", material="ice", colour=[1, 0, 0, 1]),
        box("b", material="jelly"),
        materials={"ice": {"friction": 0.03}, "jelly": {"friction": 0.7}},
    )
    ice, jelly = (model_of(made, name).links[0].visuals[0].material for name in "ab")
    assert (ice.friction, ice.colour, ice.name) == (0.03, (1, 0, 0, 1), "ice")
    assert (jelly.friction, jelly.name) == (0.7, "jelly")


@pytest.mark.parametrize(
    ("objects", "keys", "error", "sentence"),
    [
        ([box(), box()], {}, WorldError, "two objects in the world have the name 'b'"),
        ([box("ground")], {}, WorldError, "have the name 'ground'"),
        (
            [box(material="concret")],
            {},
            ConfigError,
            r"w: object 'b': there is no material 'concret' \(did you mean 'concrete'\?\)",
        ),
        (
            [],
            {"ground": {"type": "flat", "material": "iec"}},
            ConfigError,
            r"w: ground: there is no material 'iec' \(did you mean 'ice'\?\)",
        ),
        ([box(size=(1, 0, 1))], {}, ConfigError, r"object 'b': shape\.size: must be above 0"),
        ([box(path={"points": []})], {}, WorldError, "object 'b': its path has no points"),
        (
            [],
            {"ground": {**ROLLING, "size": [-1, 5]}},
            ConfigError,
            r"ground\.size: must lie between 0",
        ),
        ([], {"ground": {**ROLLING, "size": [3, 3]}}, ConfigError, "hills need more than 6 m"),
        ([], {"ground": {**ROLLING, "cell": 1e-3}}, ConfigError, r"ground\.cell: 40001 x 30001"),
    ],
)
def test_worlds_that_cannot_be_are_refused(objects, keys, error, sentence):
    with pytest.raises(error, match=sentence):
        world(*objects, **keys)


def test_obstacles_of_a_scenario_join_the_world_under_the_same_rules():
    base = spec(objects=[box("a")])
    extra = spec(objects=[box("a"), box("c")]).objects
    joined = world_spec(Scenario(world=base, obstacles=extra[1:]))
    assert [m.name for m in build_world(joined).models] == ["ground", "a", "c"]
    with pytest.raises(WorldError, match="have the name 'a'"):
        build_world(world_spec(Scenario(world=base, obstacles=extra)))


def test_the_start_stands_on_the_ground():
    made = world(ground={"type": "flat", "slope_deg": 10}, start={"x": 5.0, "yaw_deg": 90})
    assert made.start.position[2] == pytest.approx(5 * math.tan(math.radians(10)))


@pytest.mark.parametrize("name", library_names("worlds"))
def test_worlds_of_the_library_build(name):
    spec = load_world_spec(name)
    made = build_world(spec)
    assert made.name == name
    assert (made.models[0].name == "ground") == (spec.ground.type != "none")
    assert spec.description


def test_the_playground_offers_a_kerb_of_four_centimetres_something_to_push_and_a_mover():
    made = build_world(load_world_spec("playground"))
    kerb = model_of(made, "kerb")
    top = kerb.pose.apply(tessellate(kerb.links[0].colliders[0].shape).vertices)[:, 2].max()
    assert top - ground_height(made, *kerb.pose.position[:2]) == pytest.approx(0.04)
    assert {model.mobility for model in made.models} == {"static", "dynamic", "scripted"}
    assert isinstance(load_world_spec("playground").ground, RollingGround)


def test_a_height_map_looks_like_its_material_unless_it_has_a_texture(tmp_path):
    Image.fromarray(np.zeros((9, 9), np.uint8)).save(tmp_path / "map.png")
    Image.new("RGB", (4, 4)).save(tmp_path / "photo.png")
    ground = {"type": "heightmap", "file": str(tmp_path / "map.png"), "size": [20, 20, 1]}

    def look(**keys):
        made = world(ground={**ground, "material": "soil", **keys})
        return model_of(made, "ground").links[0].visuals[0].material

    assert (
        look().detail
        == model_of(world(ground={"type": "flat", "size": 20, "material": "soil"}), "ground")
        .links[0]
        .visuals[0]
        .material.detail
    )
    assert look().detail
    assert look(texture=str(tmp_path / "photo.png")).detail == ""
    assert look(layers=[{"texture": str(tmp_path / "photo.png")}]).detail == ""
