"""Slivers, sharp ridges and bars against bodies: held at any side, and also through thin plates."""

from collections.abc import Iterator

import numpy as np
import pytest
from carrying import AT_REST, dropped, ground_model
from intrusion import intrusions
from rough_meshes import MESHES

from outrider.core.frames import Pose
from outrider.sim.simulation import Simulation
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Capsule, Mesh
from outrider.world.tessellate import tessellate

ROBOTS = ("jackal", "husky", "create", "autominy")
PLATE = Box((0.5, 0.34, 0.00635))  # on top of a Husky
CHASSIS = Box((0.79, 0.444, 0.104))


def _over(ground: Mesh, pieces: list[Geometry], pose: Pose, down: float = 0.0) -> Simulation:
    """Return a body of several colliders over a mesh."""
    inertial = solid_inertial(Box((0.5, 0.3, 0.2)), 20.0)
    body = Model("body", (Link("link", inertial, tuple(pieces), tuple(pieces)),), (), pose)
    simulation = Simulation(World("w", (ground_model([Geometry(ground)]), body)), [])
    simulation.rig.engine.place(0, pose, np.array([0.0, 0.0, -down]), np.zeros(3))
    return simulation


def _deep(simulation: Simulation, ground: Mesh) -> float:
    return float(intrusions(simulation, ground.vertices[ground.faces], [0])[0])


def _slivers(tip: list[float], end: list[float]) -> Iterator[Mesh]:
    """Yield slivers of 0.1 mm between two points that face all around."""
    way = np.subtract(end, tip)
    across = np.cross(way, [0.3, 0.5, 0.8])
    for angle in np.arange(12) * (np.pi / 6):
        aside = np.cos(angle) * across + np.sin(angle) * np.cross(way, across) / np.linalg.norm(way)
        third = np.add(tip, end) / 2 + 1e-4 * aside / np.linalg.norm(aside)
        yield Mesh(np.array([tip, end, third]), np.array([[0, 1, 2]], np.int32))


def _depth(simulation: Simulation) -> float:
    return max((overlap.depth for overlap in simulation.rig.engine.overlaps()), default=0.0)


def test_a_sliver_in_the_end_of_a_capsule_is_felt_whatever_way_it_faces():
    for sliver in _slivers([-0.037, 0.028, 0.213], [-0.369, 0.092, 0.102]):
        simulation = _over(sliver, [Geometry(Capsule(0.12, 0.4))], Pose())
        assert _depth(simulation) == pytest.approx(_deep(simulation, sliver), abs=1e-5)


def test_the_tip_of_a_sliver_in_a_box_is_felt_whatever_way_it_faces():
    for sliver in _slivers([0.233, 0.087, 0.034], [0.294, 0.4375, 0.169]):
        assert _depth(_over(sliver, [Geometry(CHASSIS)], Pose())) == pytest.approx(0.018, abs=2e-3)


def test_a_thin_plate_that_bars_have_pierced_comes_off_them():
    bar = tessellate(Box((0.02, 3.0, 0.1)))
    places = [Pose([x, 0.0, -0.05]) for x in np.arange(-1.0, 1.0, 0.12)]
    bars = [place.apply(bar.vertices) for place in places]
    faces = np.concatenate([bar.faces + i * len(bar.vertices) for i in range(len(bars))])
    grating = Mesh(np.concatenate(bars), faces.astype(np.int32))
    simulation = _over(
        grating, [Geometry(PLATE)], Pose.from_rpy([0.0, 0.0, -0.012], [0.03, 0, 0.4])
    )
    assert _deep(simulation, grating) > 0.003
    simulation.run(1.0)
    assert _deep(simulation, grating) < 0.001
    assert simulation.state.bodies["position"][0, 2] > 0.0  # and stays on top


def test_what_is_jammed_between_walls_by_two_colliders_comes_out():
    slope = np.tan(np.radians(80))
    corners = np.array([[x, y, slope * abs(x)] for x in (-0.5, 0.0, 0.5) for y in (-1.0, 1.0)])
    wedge = Mesh(corners, np.array([[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]], np.int32))
    sides = [Geometry(Box((0.04, 0.3, 0.04)), Pose([x, 0.0, 0.0])) for x in (-0.08, 0.08)]
    simulation = _over(wedge, sides, Pose([0.0, 0.0, 0.6]), down=6.0)
    simulation.run(1.0)
    assert _deep(simulation, wedge) < 0.0015


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("sheet", 2),
        ("overhanging", 3),
        ("slivers", 1),
        ("holed", 1),
        ("holed", 11),
        ("crossing", 5),  # before: a crate, 23 mm
        ("loose", 7),  # a plank on a block's corner, 2.6 mm
    ],
)
def test_nothing_reaches_into_what_has_come_to_rest(name, seed):
    ground = Geometry(MESHES[name](np.random.default_rng(seed)))
    ended = dropped(World("w", (ground_model([ground]),)), 35, seed, "mujoco", 2.5, ROBOTS)
    slow = [i for i, speed in enumerate(ended.speeds) if speed < 10 * AT_REST]
    bodies = [ended.bodies[i] for i in slow]
    deep = intrusions(ended.simulation, ended.ground.triangles, bodies)
    assert deep.max() < 0.002, [(ended.names[i], d) for i, d in zip(slow, deep, strict=True)]
