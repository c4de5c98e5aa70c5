"""Worlds built in Python: the words, what they become, and what they are saved as."""

import subprocess
import sys

import numpy as np
import pytest

import outrider as o
from outrider.core.errors import ConfigError, OutriderError
from outrider.loader.ground import ground_height
from outrider.loader.library import load_world_spec
from outrider.specs.world import PoseSpec


def yard() -> o.WorldBuilder:
    return o.WorldBuilder("yard").add(
        o.Floor(20, 20, material="grass"),
        o.Box(1, 1, 0.5).move(3, 0).rotate(yaw_deg=30),
        o.Cylinder(0.2, 1, mass=5).move(2, 2),
        o.Cone(0.15, 0.5, material="plastic").move(1, -2),
        o.Sphere(0.3, mass=1, colour=(1, 0, 0)).move(-2, 1),
        o.Capsule(0.1, 0.5).move(-3, 0, 2.0),
        o.Box(0.5, 0.5, 0.5, name="lift").along([(4, 4, 0.3), (4, -4, 0.3)], speed=0.5),
        o.Group(
            o.Box(1, 1, 0.05).move(0, 0, 0.7),
            o.Cylinder(0.05, 0.7).move(0, 0, 0.35),
            mass=8,
            material="wood",
            name="table",
        ).move(-4, -4),
    )


def test_a_world_saved_and_loaded_runs_to_the_same_state(tmp_path):
    built = yard().simulate(["jackal"])
    loaded = o.Simulation(o.load_world(yard().save(tmp_path / "yard.yaml")), [o.robot("jackal")])
    from outrider.scenarios.build import add_paths

    add_paths(loaded, load_world_spec(tmp_path / "yard.yaml"))
    for _ in range(1000):
        built.step()
        loaded.step()
    assert loaded.state_hash == built.state_hash


def test_things_are_what_their_words_say():
    spec = yard().spec
    names = [item.name for item in spec.objects]
    assert names == ["box_1", "cylinder_1", "cone_1", "sphere_1", "capsule_1", "lift", "table"]
    box, cylinder, _, ball, capsule, lift, table = spec.objects
    assert box.pose == PoseSpec(3.0, 0.0, None, 0.0, 0.0, 30.0)
    assert (box.mass, cylinder.mass) == (0.0, 5.0)
    assert ball.colour == (1, 0, 0, 1.0)
    assert capsule.pose.z == 2.0
    assert lift.path.points[1] == (4, -4, 0.3)
    assert [part.pose.z for part in table.parts] == [0.7, 0.35]
    models = {model.name: model for model in yard().build().models}
    assert models["box_1"].mobility == "static"
    assert models["cylinder_1"].pose.position.tolist() == [2.0, 2.0, 0.5]
    assert models["box_1"].pose.rpy[2] == pytest.approx(np.radians(30))


def test_move_and_rotate_keep_each_other_and_a_copy_is_its_own():
    box = o.Box(1, 1, 1).rotate(10, 20, 30).move(1, 2, 3)
    twin = box.copy("twin").move(4, 5)
    assert box.pose == PoseSpec(1, 2, 3, 10, 20, 30)
    assert twin.pose == PoseSpec(4, 5, None, 10, 20, 30)
    world = o.WorldBuilder().add(box, twin)
    with pytest.raises(ConfigError, match=r"this box is in a world already: add a copy\(\)"):
        world.add(box)


def test_hills_and_slopes_and_terrain(tmp_path):
    hills = o.WorldBuilder().add(o.Hills(40, 40, height=3, seed=5))
    heights = [ground_height(hills.build(), x, 12.0) for x in np.linspace(-19, 19, 40)]
    assert np.ptp(heights) > 0.5
    slope = o.WorldBuilder().add(o.Floor(10, 10, slope_deg=20))
    assert ground_height(slope.build(), 2.0, 1.0) == pytest.approx(2 * np.tan(np.radians(20)))
    (tmp_path / "t.obj").write_text("v -5 -5 1\nv 5 -5 1\nv 0 5 1\nf 1 2 3\n")
    site = o.WorldBuilder().add(o.Terrain(tmp_path / "t.obj", scale=2.0))
    assert ground_height(site.build(), 0.0, 0.0) == pytest.approx(2.0)


def test_an_unseen_floor_carries_wheels_and_no_ray_finds_it():
    for seen in (True, False):
        world = o.WorldBuilder().add(o.Floor(20, 20, material="asphalt", seen=seen))
        cart = o.RobotBuilder("cart").wheels(0.1, 0.05, 0.4, 0.5)
        cart.sensor("down", "ping", z=0.5, pitch_deg=90.0)
        sim = world.simulate([cart])
        box = sim.bus.subscribe("/down/range")
        topics = [t.name for t in sim.bus.topics() if t.name.startswith("/down")]
        box = sim.bus.subscribe(topics[0])
        sim.run(0.5)
        assert sim.robots["cart"].pose.position[2] == pytest.approx(0.2, abs=0.01)
        distance = box.latest[1].range
        assert (distance == pytest.approx(0.7, abs=0.05)) is seen


def test_materials_lights_sky_and_gravity(tmp_path):
    (tmp_path / "x.png").write_bytes(b"picture")
    world = (
        o.WorldBuilder("moon", "dusty")
        .gravity(1.62)
        .sky(0, 0, 0, ambient=0.02)
        .light("sun", direction=(-1, 0, -0.1), intensity=3.0)
        .material("dust", friction=0.4, rolling_resistance=0.2, texture=tmp_path / "x.png")
        .start(1, 2, 90)
        .add(o.Floor(10, 10, material="dust"), o.Box(1, 1, 1, texture=tmp_path / "x.png").move(3))
    )
    spec = load_world_spec(world.save(tmp_path / "moon.yaml"))
    assert spec == world.spec
    made = world.build()
    assert made.gravity[2] == -1.62
    assert made.start.rpy[2] == pytest.approx(np.pi / 2)
    assert [light.intensity for light in made.lights] == [3.0]
    assert {m.links[0].visuals[0].material.texture for m in made.models} == {
        str(tmp_path / "x.png")
    }


def test_a_model_is_a_mesh_with_a_mass_or_a_whole_file(tmp_path):
    (tmp_path / "rock.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    )
    (tmp_path / "tree.yaml").write_text("parts: [{shape: {type: cone}}]")
    world = o.WorldBuilder().add(
        o.Model(tmp_path / "rock.obj", mass=2, scale=3.0).move(5, 5),
        o.Model(tmp_path / "tree.yaml").move(-5, 5),
        o.Model(tmp_path / "tree.yaml").move(-5, 8),
    )
    models = {model.name: model for model in world.build().models}
    assert set(models) == {"ground", "rock_1", "tree_1", "tree_2"}
    assert models["rock_1"].links[0].inertial.mass == 2
    with pytest.raises(ConfigError, match="a model file has its own mass"):
        o.Model(tmp_path / "tree.yaml", mass=2)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: yard().add(o.Floor(1, 1)), "a world has one ground"),
        (lambda: o.WorldBuilder("w").add(o.Sphere(-1)), r"w: sphere: shape\.radius: must be above"),
        (lambda: o.WorldBuilder().add(o.Box(1, 1, 1, mass=-2)), "mass: must be at least 0"),
        (lambda: o.WorldBuilder().add(o.Box(1, "2", 3)), r"size\.1: expected a number, got '2'"),
        (lambda: o.WorldBuilder().add(o.Box(1, 1, 1, material="gras")).build(), "'grass'"),
        (lambda: o.WorldBuilder().add(o.Model("gone.obj")).build(), "there is no file"),
        (lambda: o.WorldBuilder().material("m", fricton=1), "did you mean 'friction'"),
        (lambda: o.Group(o.Box(1, 1, 1, mass=2)), "give the group one"),
        (lambda: o.Terrain("a.obj", size=(1, 1, 1)), "a mesh has its own size"),
    ],
)
def test_mistakes_are_told_in_one_sentence(make, sentence):
    with pytest.raises(OutriderError, match=sentence):
        make()


def test_the_words_cost_nothing_before_they_are_used():
    code = "import outrider, sys; outrider.__dir__(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
