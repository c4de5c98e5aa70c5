"""Height fields collide as the triangles that wheels, rays and pictures have of them."""

import numpy as np
import pytest
from carrying import THINGS, ground_model, thing_model

from outrider.core.frames import Pose
from outrider.sim.simulation import Simulation
from outrider.world.block_tops import block_tops
from outrider.world.model import Geometry, World
from outrider.world.shapes import HeightField, MappedField, Shape
from outrider.world.tessellate import heightfield_height, heightfield_mesh

LINE = np.linspace(-12, 12, 241)  # cells of 10 cm


def field(height_of_x: np.ndarray) -> HeightField:
    """Return a field that is level across."""
    return HeightField(np.repeat(height_of_x[:, None], len(LINE), axis=1), (24.0, 24.0))


def rough(seed: int = 4) -> HeightField:
    """Return random ground in cells of 12 cm."""
    return HeightField(0.2 * np.random.default_rng(seed).random((51, 51)), (6.0, 6.0))


def mapped(of: HeightField) -> MappedField:
    """Return the same in single precision, as it is kept on disk."""
    heights = of.heights.astype(np.float32)
    return MappedField(heights, of.size, float(heights.min()), (block_tops(heights),))


def one(shape: Shape, kind: str, start: Pose, engine: str = "mujoco") -> Simulation:
    """Return a simulation of one thing over a ground."""
    world = World("one", (ground_model([Geometry(shape)]), thing_model("thing", kind, start)))
    return Simulation(world, engine=engine)


def sent(simulation: Simulation, start: Pose, velocity: np.ndarray, spin: list[float]) -> None:
    """Let the thing go."""
    simulation.rig.engine.place(0, start, velocity, np.array(spin))


def over(shape: HeightField, x: float, y: float) -> float:
    """Return how high the ground is."""
    return float(heightfield_height(shape, np.array([x]), np.array([y]))[0])


@pytest.mark.parametrize("speed", [0.5, 2.0, 6.0])
def test_a_ball_rolls_over_many_cells_as_on_a_plane(speed: float) -> None:
    start = Pose([-6.0, 0.037, 0.2])
    simulation = one(field(0 * LINE), "ball", start)
    sent(simulation, start, np.array([speed, 0, 0]), [0, speed / 0.2, 0])
    simulation.run(1.0)
    body = simulation.state.bodies[0]
    np.testing.assert_allclose(body["position"], [speed - 6.0, 0.037, 0.2], atol=6e-4)
    np.testing.assert_allclose(body["velocity"], [speed, 0, 0], atol=6e-4)  # before: 4 to 23 mm/s


@pytest.mark.parametrize("speed", [2.0, 6.0])
def test_a_plank_slides_up_a_slope_as_far_as_friction_lets_it(speed: float) -> None:
    slope = np.radians(10)
    start = Pose.from_rpy([-3, 0.037, -3 * np.tan(slope)], [0, -slope, 0]) @ Pose([0, 0, 0.03])
    simulation = one(field(np.tan(slope) * LINE), "plank", start)
    sent(simulation, start, speed * np.array([np.cos(slope), 0, np.sin(slope)]), [0, 0, 0])
    simulation.run(1.0)
    way = start.inverse().apply(simulation.state.bodies["position"][0])
    braked = 9.81 * (0.8 * np.cos(slope) + np.sin(slope))
    assert way[0] == pytest.approx(speed**2 / 2 / braked, abs=0.01)  # before: 5 cm less, or thrown
    assert way[1] == pytest.approx(0.0, abs=1e-3)  # before: 1.3 m aside


def test_a_plank_slides_over_a_dish_as_on_the_other_engine() -> None:
    dish, ways = field(LINE**2 / 80.0), []
    tilt = np.arctan(6.0 / 40.0)
    start = Pose.from_rpy([-6, 0.037, over(dish, -6, 0.037)], [0, tilt, 0]) @ Pose([0, 0, 0.032])
    for engine in ("mujoco", "bullet"):
        simulation = one(dish, "plank", start, engine)
        sent(simulation, start, 6.0 * np.array([np.cos(tilt), 0, -np.sin(tilt)]), [0, 0, 0])
        simulation.run(1.0)
        ways.append(np.linalg.norm(simulation.state.bodies["position"][0] - start.position))
    assert ways[0] == pytest.approx(ways[1], rel=0.05)  # before: 0.26 m and 2.56 m
    assert ways[1] > 2.0


@pytest.mark.parametrize("kind", list(THINGS))
def test_contacts_are_those_of_the_same_triangles_as_a_mesh(kind: str) -> None:
    shape, random = rough(), np.random.default_rng(1)
    grounds = [one(s, kind, Pose([0, 0, 2])) for s in (shape, heightfield_mesh(shape))]
    compared = 0
    for _ in range(60):
        x, y = random.uniform(-2, 2, 2)
        turned = Pose.from_rpy([x, y, 0], random.uniform(-3, 3, 3))
        pose = Pose([x, y, over(shape, x, y) + random.uniform(0.05, 0.3)], turned.rotation)
        depths = []
        for simulation in grounds:
            simulation.rig.engine.place(0, pose, np.zeros(3), np.zeros(3))
            depths.append(max((o.depth for o in simulation.rig.engine.overlaps()), default=0.0))
        if max(depths) < 0.1:  # deeper, contacts are thinned in the order in which they were found
            assert depths[0] == pytest.approx(depths[1], abs=1e-9)
            compared += max(depths) > 0.0
    assert compared > 5


@pytest.mark.parametrize("kind", list(THINGS))
def test_a_ground_on_disk_carries_as_one_in_memory(kind: str) -> None:
    shape, start = rough(), Pose.from_rpy([0.3, -0.4, 0.8], [0.4, 0.3, 1.0])
    same = HeightField(mapped(shape).heights.astype(np.float64), shape.size)
    places = []
    for ground in (same, mapped(shape)):
        simulation = one(ground, kind, start)
        simulation.run(1.0)
        places.append(simulation.state.bodies["position"][0].copy())
    np.testing.assert_array_equal(*places)
    assert places[0][2] > over(shape, places[0][0], places[0][1])


@pytest.mark.parametrize("kind", list(THINGS))
@pytest.mark.parametrize("speed", [5.0, 75.0])  # a fall from 300 m: 19 cm in a step
def test_nothing_falls_through_or_is_thrown_far(kind: str, speed: float) -> None:
    shape = field(LINE**2 / 80.0)
    simulation = one(shape, kind, Pose([0, 0, 2]))
    for seed in range(6):
        random = np.random.default_rng(seed)
        place = [*random.uniform(-2, 2, 2), 1.2 + 0.2 * random.random()]
        start = Pose.from_rpy(place, random.uniform(-3, 3, 3))
        sent(simulation, start, np.array([0, 0, -speed]), [0, 0, 0])
        heights = []
        for _ in range(400):
            simulation.step()
            x, _, z = simulation.state.bodies["position"][0]
            heights.append(z - over(shape, np.clip(x, -12, 12), 0.0))
        assert heights[-1] > 0.0  # before: a crate 3.6 m below
        assert max(heights[20:]) < 8.0  # before: to 21 to 55 m


def test_what_starts_below_the_ground_is_inside_it() -> None:
    simulation = one(rough(), "crate", Pose([0.3, -0.4, -0.7]))
    depths = [overlap.depth for overlap in simulation.rig.engine.overlaps()]
    assert max(depths) == pytest.approx(0.7 + 0.2 + 0.1, abs=0.2)


def test_beside_a_field_there_is_nothing() -> None:
    simulation = one(rough(), "ball", Pose([3.3, 0.0, 0.0]))
    simulation.run(0.5)
    fall = simulation.state.bodies["position"][0][2]
    assert fall == pytest.approx(-9.81 / 2 * 0.5**2, abs=0.01)
