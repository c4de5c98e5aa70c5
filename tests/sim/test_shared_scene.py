"""Simulations of one world share a scene: all of it, or what never moves."""

import pytest

from outrider.core.frames import Pose
from outrider.loader.world import build_world
from outrider.sim.rig import Participant, static_scene
from outrider.sim.simulation import Simulation
from outrider.specs.world import FlatGround, WorldSpec
from outrider.vehicles.robot import load_robot

WORLD = build_world(WorldSpec(ground=FlatGround()))


@pytest.fixture(scope="module")
def jackal():
    return load_robot("jackal").bare()


def at(robot, x=0.0, name="jackal"):
    return Participant(robot, name, Pose([x, 0.0, 0.0]))


def test_the_same_robots_at_the_same_places_share_all_of_a_scene(jackal):
    first = Simulation(WORLD, [at(jackal)])
    second = Simulation(WORLD, [at(jackal)], scene=first.rig.scene)
    assert second.rig.scene is first.rig.scene
    assert second.state is not first.state


@pytest.mark.parametrize("other", [{"x": 2.0}, {"name": "jim"}, {"robot": "husky"}])
def test_other_robots_share_what_never_moves(jackal, other):
    first = Simulation(WORLD, [at(jackal)])
    robot = load_robot(other.pop("robot")).bare() if "robot" in other else jackal
    alone = Simulation(WORLD, [at(robot, **other)])
    second = Simulation(WORLD, [at(robot, **other)], scene=first.rig.scene)
    assert second.rig.scene is not first.rig.scene
    assert second.rig.scene.static is first.rig.scene.static
    for made in (alone, second):
        for _ in range(20):
            made.step()
    assert second.state_hash == alone.state_hash


def test_another_seed_has_a_scene_with_a_relief_of_its_own(jackal):
    first = Simulation(WORLD, [at(jackal)], seed=1)
    second = Simulation(WORLD, [at(jackal)], seed=2, scene=first.rig.scene)
    assert second.rig.scene is not first.rig.scene


def test_a_scene_of_what_never_moves_is_taken_over(jackal):
    still = static_scene(WORLD)
    assert Simulation(WORLD, [at(jackal)], scene=still).rig.scene.static is still.static
