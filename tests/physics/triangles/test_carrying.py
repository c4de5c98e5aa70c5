"""Any static mesh carries what lies on it, and nothing invisible stands where it has a hole."""

import mujoco
import numpy as np
import pytest
from carrying import AT_REST, THINGS, drop, ground_model, thing_model
from rough_meshes import MESHES

from outrider.core.frames import Pose
from outrider.physics.colliders.distance import nearest
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import WORLD
from outrider.world.model import Geometry, World
from outrider.world.shapes import HeightField, Mesh
from outrider.world.tessellate import heightfield_mesh, tessellate

FLAT = Mesh(
    np.array([[-9.0, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]]), np.array([[0, 1, 2], [0, 2, 3]])
)


def sheet(cells: int, size: float) -> Mesh:
    """Return a flat sheet of many triangles."""
    return heightfield_mesh(HeightField(np.zeros((cells + 1, cells + 1)), (size, size)))


def uneven_cells() -> Mesh:
    """Return a flat sheet of triangles of all shapes, some 30 cm wide."""
    mesh, random = sheet(60, 18.0), np.random.default_rng(0)
    corners = mesh.vertices.copy()
    inner = np.abs(corners[:, :2]).max(axis=1) < 8.9
    corners[inner, :2] += random.uniform(-0.1, 0.1, (int(inner.sum()), 2))
    return Mesh(corners, mesh.faces)


def one(mesh: Mesh, kind: str, pose: Pose, velocity: list[float], engine: str) -> Simulation:
    """Return a simulation of one thing over a mesh."""
    world = World("one", (ground_model([Geometry(mesh)]), thing_model("thing", kind, pose)))
    simulation = Simulation(world, engine=engine)
    simulation.rig.engine.place(0, pose, np.array(velocity), np.zeros(3))
    return simulation


def at(simulation: Simulation) -> np.ndarray:
    """Return where the thing is."""
    place: np.ndarray = simulation.state.bodies["position"][0].copy()
    return place


@pytest.mark.parametrize("name", list(MESHES))
def test_nothing_falls_through_a_mesh(name: str) -> None:
    found = drop(MESHES[name](np.random.default_rng(3)), 14, 3, "mujoco", 3.0)
    assert len(found.names) == 14
    assert not found.fell.any()
    assert not found.left.any()
    assert (found.off() < 0.002).all()


@pytest.mark.parametrize("seed", [6, 13])  # before: a crate 2.2 mm off, a plank 76 mm
def test_nothing_is_jammed_where_ground_passes_through_itself(seed: int) -> None:
    found = drop(MESHES["crossing"](np.random.default_rng(seed)), 35, seed, "mujoco", 2.5)
    rest = found.speeds < AT_REST
    assert rest.sum() > 20
    assert (found.off()[rest] < 0.001).all()


def test_a_wall_that_crosses_the_floor_it_belongs_to_stops_what_slides_into_its_back() -> None:
    way = [[-1.5, 0.0], [1.2, 0.0], [1.2, -0.5], [-0.1, -0.5], [-0.1, 0.4], [-0.1, 0.8]]
    corners = np.array([[x, y, z] for x, z in way for y in (-1.0, -0.4, 0.4, 1.0)])
    starts = [4 * i + j for i in range(len(way) - 1) for j in range(3)]
    faces = np.array([[[q, q + 4, q + 5], [q, q + 5, q + 1]] for q in starts], np.int32)
    mesh = Mesh(corners, faces.reshape(-1, 3))
    simulation = one(mesh, "plank", Pose([0.4, 0.0, 0.031]), [-2.0, 0.0, 0.0], "mujoco")
    simulation.run(1.0)
    assert at(simulation) == pytest.approx([0.35, 0.0, 0.03], abs=1e-3)  # 0.21 m in it before


@pytest.mark.parametrize("kind", ["crate", "ball", "capsule", "barrel", "pebble", "plank"])
@pytest.mark.parametrize("speed", [5.0, 75.0])  # a fall from 300 m: 19 cm in a step
def test_a_sheet_of_no_thickness_stops_what_falls_on_it(kind: str, speed: float) -> None:
    simulation = one(FLAT, kind, Pose([0.3, 0.2, 1.0]), [0, 0, -speed], "mujoco")
    simulation.run(2.0)
    assert 0.02 < at(simulation)[2] < 0.5


@pytest.mark.parametrize("kind", ["barrel", "pebble", "crate", "plank"])
def test_how_deep_a_thing_is_does_not_depend_on_where_the_edges_of_triangles_are(kind: str) -> None:
    random, deep = np.random.default_rng(6), 0.003
    simulation = one(sheet(40, 12.0), kind, Pose([0, 0, 2]), [0, 0, 0], "mujoco")
    points = tessellate(THINGS[kind], 720).vertices
    for _ in range(30):
        turned = Pose.from_rpy([0, 0, 0], random.uniform(-3, 3, 3))
        x, y = random.uniform(-1, 1, 2)
        lowest = float(turned.apply(points)[:, 2].min())
        pose = Pose([x, y, -lowest - deep], turned.rotation)
        simulation.rig.engine.place(0, pose, np.zeros(3), np.zeros(3))
        found = [overlap.depth for overlap in simulation.rig.engine.overlaps()]
        assert max(found, default=0.0) == pytest.approx(deep, rel=0.01)


def test_an_impact_into_a_wedge_leaves_nothing_deep_in_its_walls() -> None:
    slope = np.tan(np.radians(75))
    corners = [[x, y, slope * abs(x)] for x in (-0.5, 0.0, 0.5) for y in (-1.0, 1.0)]
    faces = np.array([[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]], np.int32)
    start = Pose.from_rpy([0.01, 0.0, 0.6], [0.0, 0.2, 0.0])
    simulation = one(Mesh(np.array(corners), faces), "brick", start, [0, 0, -4.0], "mujoco")
    simulation.rig.engine.watch_contacts = True
    simulation.run(1.0)
    met = simulation.rig.engine.contacts()
    assert met
    assert (
        nearest(np.array([c.point for c in met]), np.array(corners)[faces]).max() < 0.0008
    )  # before: 1.1 mm


def test_what_is_below_a_sheet_stays_below() -> None:
    simulation = one(FLAT, "crate", Pose([0.3, 0.2, -0.3]), [0, 0, 4.0], "mujoco")
    simulation.run(1.0)
    assert at(simulation)[2] < -1.0


def test_a_hole_lets_through_what_fits_and_its_rim_carries() -> None:
    whole = sheet(16, 8.0)
    middle = whole.vertices[whole.faces].mean(axis=1)
    holed = Mesh(whole.vertices, whole.faces[np.abs(middle[:, :2]).max(axis=1) > 0.5])
    through = one(holed, "ball", Pose([0.0, 0.0, 1.0]), [0, 0, 0], "mujoco")
    beside = one(holed, "crate", Pose([0.75, 0.0, 1.0]), [0, 0, 0], "mujoco")
    for simulation in (through, beside):
        simulation.run(1.2)
    assert at(through)[2] == pytest.approx(1.0 - 9.81 / 2 * 1.2**2, abs=0.02)  # free fall
    assert at(beside)[2] == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
@pytest.mark.parametrize("kilometres", [1.0, 20.0])
def test_what_is_fine_carries_beside_triangles_of_kilometres(
    engine: str, kilometres: float
) -> None:
    fine = sheet(100, 0.6)  # triangles of 6 mm
    far = FLAT.vertices * (500.0 * kilometres / 9.0) - [0.0, 0.0, 1.0]
    ground = Mesh(
        np.concatenate([fine.vertices, far]),
        np.concatenate([fine.faces, FLAT.faces + len(fine.vertices)]).astype(np.int32),
    )
    simulation = one(ground, "crate", Pose([0.05, 0.02, 0.5]), [0, 0, 0], engine)
    simulation.run(1.5)
    assert at(simulation)[2] == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize(("engine", "kind"), [("mujoco", "plank"), ("bullet", "brick")])
def test_what_slides_over_many_triangles_stops_where_friction_says(engine: str, kind: str) -> None:
    start = Pose([-4.0, 0.3, 0.03 if kind == "plank" else 0.05])
    simulation = one(sheet(300, 18.0), kind, start, [3.0, 0.4, 0], engine)
    simulation.run(0.6)
    way = np.linalg.norm((at(simulation) - start.position)[:2])
    assert way == pytest.approx((3.0**2 + 0.4**2) / (2 * 0.8 * 9.81), abs=0.01)  # half: 30 cm less


@pytest.mark.parametrize("kind", ["ball", "capsule"])
def test_what_rolls_over_many_triangles_rolls_as_on_a_plane(kind: str) -> None:
    radius = THINGS[kind].radius
    start = Pose.from_rpy([-4.0, 0.3, radius], [np.pi / 2, 0.0, 0.0])
    simulation = one(uneven_cells(), kind, start, [3.0, 0, 0], "mujoco")
    spin = np.array([0.0, 3.0 / radius, 0.0])
    simulation.rig.engine.place(0, start, np.array([3.0, 0, 0]), spin)
    simulation.run(1.0)
    np.testing.assert_allclose(at(simulation), [-1.0, 0.3, radius], atol=6e-4)
    speed = simulation.state.bodies["velocity"][0]
    np.testing.assert_allclose(speed, [3.0, 0, 0], atol=6e-4)  # before: 3 to 7 mm/s slower


@pytest.mark.parametrize("kind", ["crate", "plank"])
def test_both_engines_agree_where_things_come_to_rest(kind: str) -> None:
    x = np.linspace(-3, 3, 61)
    dish = heightfield_mesh(HeightField(0.08 * (x[:, None] ** 2 + x[None, :] ** 2), (6.0, 6.0)))
    places = []
    for engine in ("mujoco", "bullet"):
        simulation = one(dish, kind, Pose([0.1, 0.05, 0.4]), [0, 0, 0], engine)
        simulation.run(2.0)
        places.append(at(simulation))
    np.testing.assert_allclose(places[0], places[1], atol=0.03)


@pytest.mark.parametrize("name", ["overhanging", "sheet"])
@pytest.mark.parametrize(("one_engine", "other"), [("mujoco", "bullet"), ("bullet", "mujoco")])
def test_what_rests_on_one_engine_stays_on_the_other(
    name: str, one_engine: str, other: str
) -> None:
    found = drop(MESHES[name](np.random.default_rng(3)), 14, 3, one_engine, 2.5)
    still = found.speeds < AT_REST
    assert still.sum() > 5
    assert found.moved_in(other, 0.5)[still].max() < 0.05


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_a_ball_rests_on_four_walls_of_a_pit(engine: str) -> None:
    rim = [[-2.0, -2, 2], [2, -2, 2], [2, 2, 2], [-2, 2, 2], [0, 0, 0]]
    pit = Mesh(np.array(rim), np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]))
    simulation = one(pit, "ball", Pose([0.05, -0.03, 0.5]), [0, 0, 0], engine)
    simulation.run(2.0)
    np.testing.assert_allclose(at(simulation), [0, 0, 0.2 * np.sqrt(2)], atol=0.005)


def test_a_robot_on_its_back_is_carried() -> None:
    heights = 0.3 * np.random.default_rng(1).random((61, 61))
    mesh = heightfield_mesh(HeightField(heights, (12.0, 12.0)))
    over = Pose.from_rpy([0.0, 0.0, 1.2], [np.pi, 0.0, 0.4])
    jackal = Participant(load_robot("jackal").bare(), "jackal", over, on_ground=False)
    simulation = Simulation(World("w", (ground_model([Geometry(mesh)]),)), [jackal])
    simulation.run(2.0)
    assert 0.2 < simulation.robots["jackal"].pose.position[2] < 1.0


def test_the_same_drop_ends_the_same_to_the_last_bit_also_from_a_saved_state() -> None:
    mesh = MESHES["overhanging"](np.random.default_rng(2))
    first, again = (one(mesh, "pebble", Pose([0, 0, 1.5]), [1, 0, -9], "mujoco") for _ in "ab")
    first.run(0.2)
    saved = first.rig.engine.get_state()
    first.run(0.5)
    again.run(0.7)
    np.testing.assert_array_equal(at(first), at(again))
    again.rig.engine.set_state(saved)
    again.run(0.5)
    np.testing.assert_array_equal(at(first), at(again))


def test_other_models_of_the_process_keep_their_height_fields() -> None:
    one(FLAT, "ball", Pose([0, 0, 1]), [0, 0, 0], "mujoco").run(0.1)
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><asset><hfield name='f' nrow='2' ncol='2' size='2 2 1 1' elevation='0 0 0 1'/>"
        "</asset><worldbody><geom type='hfield' hfield='f'/><body pos='-1 -1 .5'><freejoint/>"
        "<geom size='.2'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    for _ in range(200):
        mujoco.mj_step(model, data)
    assert data.qpos[2] > 0.1


def test_the_far_slope_of_a_ridge_does_not_throw_what_lies_on_the_near_one() -> None:
    x, y, z = [-0.25, 0.0, 0.25], [-1.0, 1.0], [0.0, 0.3, 0.0]
    corners = np.array([[x[i], y[j], z[i]] for i in range(3) for j in range(2)])
    faces = np.array([[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]], np.int32)
    start = Pose([-0.35, 0.0, 0.27])  # its end reaches past the ridge, which stands inside it
    simulation = one(Mesh(corners, faces), "plank", start, [0.0, 0.0, 0.0], "mujoco")
    engine = simulation.rig.engine
    engine.watch_contacts = True
    simulation.step()
    assert engine.contacts()
    for contact in engine.contacts():
        up = contact.normal if contact.first == WORLD else -contact.normal
        assert up[2] > -0.01  # nothing of a ground pushes down what is above it
    simulation.run(0.1)
    assert np.linalg.norm(simulation.state.bodies["velocity"][0]) < 2.5
