"""The library's worlds: contents, sizes, triangles; where a robot may start in them."""

from dataclasses import replace

import numpy as np
import pytest
from standing_rig import world_of

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.core.structure import from_data
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot
from outrider.world.tessellate import tessellate


def shapes(world):
    return [(m, g) for m in world.models for link in m.links for g in link.visuals]


def named(world, start):
    return [m for m in world.models if m.name.startswith(start)]


@pytest.mark.parametrize(
    ("name", "size", "count"),
    [
        ("hratc", (30.48, 30.48), 18_771),
        ("agriculture", (120.0, 160.0), 17_820),
        pytest.param("campus", (575.0, 340.0), 330_374, marks=pytest.mark.slow),
    ],
)
def test_size_and_triangles_are_those_of_the_thesis(name, size, count):
    world = world_of(name)
    ground = named(world, "ground")[0]
    corners = np.concatenate([g.shape.vertices for g in ground.links[0].visuals])
    assert np.ptp(corners, axis=0)[:2] == pytest.approx(size, abs=0.01)
    total = sum(len(tessellate(g.shape).faces) for _, g in shapes(world))
    assert total == pytest.approx(count, rel=0.1)


def test_hratc_has_its_nine_trees_where_the_original_has_its_trunks():
    world = world_of("hratc")
    trees = [m for m in world.models if "olive" in m.name]
    assert len(trees) == 9
    places = np.array([m.pose.position[:2] for m in trees])
    poses = [
        (3, 3, 0),
        (5, 6, 0.3),
        (1, 8, 0),
        (-5, 4, 0.1),
        (-10, -3, 0.3),
        (-6, -7, 0.5),
        (-1, -6, 0.2),
        (9, -4, 0.5),
        (6, -10, 0.5),
    ]
    for x, y, yaw in poses:
        c, s = np.cos(yaw), np.sin(yaw)
        trunk = np.array([x + c * 1.26 - s * 1.32, y + s * 1.26 + c * 1.32])
        assert np.linalg.norm(places - trunk, axis=1).min() < 0.5
    heights = np.concatenate([g.shape.vertices[:, 2] for g in world.models[0].links[0].visuals])
    assert heights.min() > 0
    assert heights.max() < 2.2


def test_agriculture_has_a_barn_six_fences_and_43_panels():
    world = world_of("agriculture")
    assert len(named(world, "panel")) == 43
    assert len(named(world, "fence")) == 6
    barn = named(world, "barn")[0]
    assert barn.pose.position[:2] == pytest.approx([1.5, -20.6])


def test_the_playpen_has_its_barriers_hydrants_dumpsters_cones_and_barrels():
    world = world_of("playpen")
    counts = {word: len(named(world, word)) for word in ("hydrant", "dumpster", "cone", "barrel")}
    assert counts == {"hydrant": 3, "dumpster": 2, "cone": 3, "barrel": 9}
    barriers = [
        m for m in world.models if m.name.split("_")[0] in ("south", "north", "west", "east")
    ]
    assert len(barriers) + len(named(world, "inner")) == 17


def test_the_bumps_and_the_gravel_have_the_figures_of_the_real_pieces():
    world = world_of("husky-lab")
    bumps, gravel = named(world, "bumps_1")[0], named(world, "gravel_1")[0]
    rays = np.linspace(-0.49, 0.49, 197)
    points = np.stack(np.meshgrid(rays, rays), axis=-1).reshape(-1, 2)
    tops = np.zeros(len(points))
    for g in bumps.links[0].colliders:
        local = (np.column_stack([points, np.zeros(len(points))]) - g.pose.position) @ (
            matrix_from_quaternion(g.pose.rotation)
        )
        inside = (np.abs(local[:, :2]) <= np.array(g.shape.size[:2]) / 2).all(axis=1)
        tops[inside] = np.maximum(tops[inside], g.pose.position[2] + g.shape.size[2] / 2)
    assert np.mean(tops > 0.02) == pytest.approx(0.203, abs=0.02)
    assert np.mean(tops > 0.06) == pytest.approx(0.047, abs=0.01)
    assert sorted(set(np.round(tops, 4))) == [0.005, 0.043, 0.081]
    heights = gravel.links[0].colliders[0].shape.heights
    assert heights.mean() == pytest.approx(0.0458, abs=0.003)
    assert heights.std() == pytest.approx(0.0206, abs=0.002)
    for lag, rms in ((1, 0.0058), (3, 0.0121), (6, 0.0165), (13, 0.0221)):
        difference = heights[lag:] - heights[:-lag]
        assert np.sqrt((difference**2).mean()) == pytest.approx(rms, rel=0.3)
    frictions = [
        named(world, n)[0].links[0].colliders[0].material.friction
        for n in ("grass_1", "bumps_1", "gravel_1")
    ]
    assert frictions == [0.2, 0.95, 0.55]


def test_each_way_of_the_maze_is_reached_and_another_seed_gives_another_maze():
    spec = load_world_spec("maze")
    other = replace(spec, things=(spec.things[0], replace(spec.things[1], seed=8)))
    first, second = (build_world(s).models[1].links[0].visuals[0].shape for s in (spec, other))
    assert first.vertices.tobytes() != second.vertices.tobytes()
    again = build_world(spec).models[1].links[0].visuals[0].shape
    assert first.vertices.tobytes() == again.vertices.tobytes()


def test_the_same_seed_gives_the_same_world_byte_for_byte():
    first, second = (shapes(build_world(load_world_spec("hratc"))) for _ in range(2))
    for (_, a), (_, b) in zip(first, second, strict=True):
        assert a.shape.vertices.tobytes() == b.shape.vertices.tobytes()
        assert a.material == b.material


def house(x, what="building"):
    things = [{"what": what, "name": "house", "pose": {"x": 20}}]
    ground = {"type": "terrain", "size": [120, 80], "cell": 2.0, "pixels": 0, "z": 0}
    world = build_world(from_data(WorldSpec, {"ground": ground, "things": things}))
    robot = Participant(load_robot("jackal").bare(), "jackal", Pose(np.array([x, 0.0, 0.0])))
    return Simulation(world, [robot])


@pytest.mark.slow
@pytest.mark.parametrize("what", ["building", "barn"])
def test_a_start_inside_a_house_is_refused_and_beside_it_is_not(what):
    with pytest.raises(ConfigError, match=r"would start (.* m )?inside 'house"):
        house(20.0, what)
    assert house(-20.0, what).robots["jackal"].pose.position[2] < 0.4


def test_a_bridge_is_no_house():
    world = world_of("inspection")
    robot = load_robot("jackal").bare()
    on_it = Pose.from_rpy([10.0, 0.0, 0.0], [0, 0, 0.136])
    simulation = Simulation(world, [Participant(robot, "jackal", on_it)])
    assert simulation.robots["jackal"].pose.position[2] > 0.5


def test_a_start_inside_a_tree_is_refused_and_under_its_crown_is_not():
    world = world_of("hratc")
    tree = next(m for m in world.models if m.name == "olive_1").pose.position
    robot = load_robot("jackal").bare()
    with pytest.raises(ConfigError, match=r"would start (.* m )?inside 'olive_1"):
        Simulation(world, [Participant(robot, "jackal", Pose(tree))])
    beside = Pose(tree + np.array([0.9, 0.0, 0.0]))
    simulation = Simulation(world, [Participant(robot, "jackal", beside)])
    assert simulation.robots["jackal"].pose.position[2] - tree[2] < 0.4
