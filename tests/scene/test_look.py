"""What sensors see of a scene, against casting every ray into everything."""

import math

import numpy as np
import pytest

from outrider.core.frames import Pose, quaternion_from_rpy
from outrider.core.seeds import generator
from outrider.scene.past_poses import PastPoses
from outrider.scene.scene import Scene
from outrider.scene.sensor_rays import STATIC
from outrider.scene.triangles import BUDGET, TOLERANCE, segments, tolerance_for, triangles
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Cone, Cylinder, Plane, Sphere
from outrider.world.state import WorldState


def body(name: str, *parts: Geometry, mobility: str = "scripted") -> Model:
    return Model(name, (Link("link", None, parts),), mobility=mobility)  # type: ignore[arg-type]


def crowd(count: int) -> tuple[Scene, WorldState]:
    """Return a floor and so many boxes strewn about it."""
    rng = generator(5, "crowd")
    models = [body("floor", Geometry(Plane(200.0)), mobility="static")]
    models += [
        body(f"box{i}", Geometry(Box(tuple(rng.uniform(0.1, 1.5, 3))))) for i in range(count)
    ]
    assembly = assemble(World("test", tuple(models)))
    state = WorldState.zeros(count, 0)
    for row in state.bodies:
        row["position"] = rng.uniform(-10, 10, 3)
        row["rotation"] = quaternion_from_rpy(*rng.uniform(-3, 3, 3))
    return Scene(assembly), state


def rays(count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = generator(seed, "rays")
    directions = rng.standard_normal((count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins = rng.uniform(-3, 3, (count, 3))
    return origins.astype(np.float32), directions.astype(np.float32)


@pytest.mark.parametrize("order", ["random", "fan"])
def test_looking_finds_what_casting_every_ray_into_everything_finds(order):
    scene, state = crowd(60)
    origins, directions = rays(5000)
    if order == "fan":  # as a sensor does: all from one point, neighbours side by side
        origins[:] = [0.3, -0.2, 1.0]
        angle = np.linspace(0, 2 * math.pi, 5000)
        directions = np.stack([np.cos(angle), np.sin(angle), 0.2 * np.sin(7 * angle)], 1)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        directions = directions.astype(np.float32)
    truth = scene.cast(origins.astype(float), directions.astype(float), 50.0, state)
    far = np.full(5000, 50.0, np.float32)
    times = np.zeros(5000, np.int64)
    sight = scene.look(origins, directions, far, times, PastPoses.of(state.bodies, 0))
    assert (sight.shape >= 0).sum() > 2000
    assert (sight.part > STATIC).sum() > 100
    assert np.array_equal(sight.shape >= 0, truth.shape >= 0)
    assert np.abs(sight.distance - truth.distance).max() < 1e-4
    hit = truth.shape >= 0
    dot = np.abs((truth.normal * directions).sum(1))[hit]
    cosine = dot / np.linalg.norm(truth.normal[hit], axis=1)
    assert np.abs(sight.cosine[hit] - cosine).max() < 1e-3
    assert not sight.cosine[~hit].any()


def test_a_model_can_be_left_out():
    scene, state = crowd(60)
    origins, directions = rays(5000)
    models = {
        scene.view.movers[p].model for p in _look(scene, state, origins, directions).part if p >= 0
    }
    left_out = min(models)
    sight = _look(scene, state, origins, directions, left_out)
    assert left_out not in {scene.view.movers[p].model for p in sight.part if p >= 0}
    truth = scene.cast(origins.astype(float), directions.astype(float), 50.0, state, left_out)
    assert np.abs(sight.distance - truth.distance).max() < 1e-4


def _look(scene, state, origins, directions, ignore=-2):
    far = np.full(len(origins), 50.0, np.float32)
    times = np.zeros(len(origins), np.int64)
    return scene.look(origins, directions, far, times, PastPoses.of(state.bodies, 0), ignore)


def test_every_shape_throws_back_what_its_material_does():
    bright, dark = Material("bright", reflectivity=0.9), Material("dark", reflectivity=0.1)
    static = body(
        "walls",
        Geometry(Box((0.1, 1, 1)), Pose(np.array([2.0, 0, 0])), bright),
        Geometry(Box((0.1, 1, 1)), Pose(np.array([-2.0, 0, 0])), dark),
        mobility="static",
    )
    mover = body("ball", Geometry(Sphere(0.5), material=Material("ball", reflectivity=0.5)))
    scene = Scene(assemble(World("test", (static, mover))))
    state = WorldState.zeros(1, 0)
    state.bodies[0]["position"] = [0, 2, 0]
    directions = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], np.float32)
    sight = _look(scene, state, np.zeros((4, 3), np.float32), directions)
    assert sight.reflectivity == pytest.approx([0.9, 0.1, 0.5, 0.0])
    assert sight.shape.tolist() == [0, 1, 0, -1]
    assert sight.part.tolist() == [STATIC, STATIC, 0, STATIC]
    assert sight.cosine == pytest.approx([1, 1, 1, 0], abs=1e-3)


def test_only_shapes_that_hide_are_left_out_of_the_view():
    hidden = Material("glass", hidden_from_sensors=True)
    both = (
        Geometry(Box((0.1, 1, 1)), Pose(np.array([2.0, 0, 0])), hidden),
        Geometry(Box((0.1, 1, 1)), Pose(np.array([3.0, 0, 0]))),
    )
    for mobility in ("static", "scripted"):
        scene = Scene(assemble(World("test", (body("pair", *both, mobility=mobility),))))
        state = WorldState.zeros(int(mobility == "scripted"), 0)
        ahead = np.array([[1.0, 0, 0]])
        sight = _look(scene, state, np.zeros((1, 3), np.float32), ahead.astype(np.float32))
        assert sight.distance[0] == pytest.approx(2.95, abs=1e-5)
        assert scene.cast(np.zeros((1, 3)), ahead, 50.0, state).distance[0] == pytest.approx(1.95)


def test_nothing_is_built_twice_where_nothing_hides():
    scene, _ = crowd(3)
    assert scene.view.static is scene.static
    assert all(a is b for a, b in zip(scene.view.movers, scene.movers, strict=True))


def test_an_empty_scene_has_nothing_to_see():
    scene = Scene(assemble(World("empty")))
    sight = _look(scene, WorldState.zeros(0, 0), *rays(10))
    assert (sight.shape == -1).all()
    assert (sight.distance == 50.0).all()


@pytest.mark.parametrize("radius", [0.02, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("kind", [Sphere, Cylinder, Cone])
def test_round_shapes_keep_the_tolerance(kind, radius):
    shape = Sphere(radius) if kind is Sphere else kind(radius, 2.0)
    mesh = triangles(shape)
    flat = mesh.vertices[mesh.faces].mean(axis=1)  # the middles lie deepest
    corners = mesh.vertices
    if kind is Sphere:
        inner, outer = np.linalg.norm(flat, axis=1).min(), np.linalg.norm(corners, axis=1).max()
    else:
        side = np.abs(np.abs(flat[:, 2]) - 1.0) > 1e-6  # not the flat ends
        scale = (0.5 - flat[side, 2] / 2) if kind is Cone else 1.0
        inner = (np.hypot(flat[side, 0], flat[side, 1]) / scale).min()
        outer = np.hypot(corners[:, 0], corners[:, 1]).max()
    assert outer - radius <= TOLERANCE * 1.01
    assert radius - inner <= TOLERANCE * 1.01


def test_a_forest_of_balls_stays_within_the_budget():
    many = [Sphere(1.0)] * 500
    tolerance = tolerance_for(many)  # type: ignore[arg-type]
    assert tolerance > TOLERANCE
    assert sum(segments(ball, tolerance) ** 2 for ball in many) <= BUDGET
    assert tolerance_for([Sphere(1.0)] * 3) == TOLERANCE
