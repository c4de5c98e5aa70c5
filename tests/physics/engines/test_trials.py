"""Places that are tried without moving anything: as if they had been taken, in every engine."""

import numpy as np
import pytest
from engine_worlds import arm, ground, solid, world_of

from outrider.core.errors import PhysicsError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.physics.bullet.made_world import MadeWorld
from outrider.physics.engine import ENGINES
from outrider.physics.trial import Trial
from outrider.world.forward_kinematics import ForwardKinematics
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Box, Capsule, Cylinder, HeightField, Mesh, Sphere
from outrider.world.state import BODY, Placement
from outrider.world.tessellate import tessellate

DT = 0.002
STILL = np.zeros(3)


@pytest.fixture(params=list(ENGINES))
def make(request):
    """Return the factory of one engine."""
    if request.param == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return ENGINES.load(request.param)


def robot():
    """Return a body with a joint of every kind, a box on each part."""
    joints = [
        Joint(
            "a",
            "revolute",
            "base",
            "link0",
            Pose.from_rpy([0.4, 0.2, 0.3], [1, 2, 3]),
            (0.6, 0.8, 0),
        ),
        Joint(
            "b",
            "prismatic",
            "link0",
            "link1",
            Pose.from_rpy([0, 0.5, 0], [0, 1, 0]),
            (0, 0.6, -0.8),
        ),
        Joint(
            "c", "continuous", "base", "link2", Pose.from_rpy([0, 0, -0.3], [0.2, 0, 0]), (1, 0, 0)
        ),
    ]
    part = Inertial(1.5, np.diag([0.1, 0.12, 0.15]), Pose.from_rpy([0.05, 0.02, 0], [0.3, 0, 0.1]))
    model = arm(joints, [part] * 3, part)
    box = Geometry(Box((0.5, 0.3, 0.2)), Pose.from_rpy([0.1, 0, 0.05], [0.3, 0.2, 0.1]), name="box")
    links = tuple(
        Link(link.name, link.inertial, link.visuals, (*link.colliders, box)) for link in model.links
    )
    return Model("robot", links, model.joints, Pose([0.0, 0.0, 5.0]))


def bumps(kind):
    axis = np.linspace(-4.0, 4.0, 33)
    heights = 0.3 * np.sin(2.0 * axis)[:, None] * np.cos(1.5 * axis)
    field = HeightField(heights, (8.0, 8.0))
    if kind == "field":
        return field
    mesh = tessellate(field)
    return Mesh(mesh.vertices, mesh.faces)


def things():
    shapes = [Box((0.6, 0.3, 0.2)), Sphere(0.2), Capsule(0.1, 0.4), Cylinder(0.2, 0.3)]
    hull = Geometry(tessellate(Box((0.4, 0.3, 0.5))), Pose(), name="hull")
    stone = Link("body", Inertial(2.0, 0.1 * np.eye(3)), (), (hull,))
    return [
        Model("stone", (stone,), pose=Pose([0.0, 30.0, 9.0])),
        *(
            solid(f"thing{i}", shape, 2.0, Pose([3.0 * i, 20.0, 9.0]))
            for i, shape in enumerate(shapes)
        ),
    ]


def world(kind="field"):
    return world_of(ground(shape=bumps(kind)), robot(), *things())


def trial_of(engine):
    return Trial(engine, ForwardKinematics(engine.assembly), engine.state)


def named(overlaps):
    """Return the deepest overlap of each pair."""
    found = {}
    for one in overlaps:
        pair = frozenset([one.first_name, one.second_name])
        found[pair] = max(found.get(pair, 0.0), one.depth)
    return found


def tangled(engine, generator):
    """Return a placement of everything near one place, with the joints anyhow."""
    roots = np.array([i for i, body in enumerate(engine.assembly.bodies) if body.joint < 0])
    rows = np.zeros(len(roots), BODY)
    rows["position"] = generator.uniform([-0.8, -0.8, -0.1], [0.8, 0.8, 0.8], (len(roots), 3))
    turns = generator.normal(size=(len(roots), 4))
    rows["rotation"] = turns / np.linalg.norm(turns, axis=1)[:, None]
    joints = engine.state.joints.copy()
    joints["position"] = generator.uniform(-1.0, 1.0, len(joints))
    return Placement(roots, rows, np.arange(len(joints)), joints)


@pytest.mark.parametrize("kind", ["field", "mesh"])
def test_what_is_tried_is_found_as_if_it_had_been_done(make, kind):
    engine, other = make(world(kind), DT), make(world(kind), DT)
    generator, compared = np.random.default_rng(5), 0
    for _ in range(12):
        placed = tangled(engine, generator)
        trial = trial_of(engine)
        trial.place_all(placed)
        tried = named(trial.overlaps(1e-3))
        other.place_all(placed)
        done = named(other.overlaps(1e-3))
        bodies = other.state.bodies
        np.testing.assert_allclose(trial.state.bodies["position"], bodies["position"], atol=1e-9)
        for mine, theirs in zip(trial.state.bodies["rotation"], bodies["rotation"], strict=True):
            turns = matrix_from_quaternion(mine), matrix_from_quaternion(theirs)
            np.testing.assert_allclose(*turns, atol=1e-9)
        assert tried.keys() == done.keys()
        for pair, depth in done.items():
            assert tried[pair] == pytest.approx(depth, abs=1e-6)
        compared += len(done)
    assert compared > 50
    assert not engine.overlaps(1e-3), "nothing was moved"


def test_trials_leave_no_trace_in_an_engine_in_which_things_touch(make):
    one, other = make(world(), DT), make(world(), DT)
    generator = np.random.default_rng(6)
    for engine in (one, other):
        engine.place(4, Pose([0.3, 0.2, 0.6]), STILL, STILL)
        engine.place(5, Pose([0.2, 0.3, 1.2]), STILL, STILL)
    for step in range(300):
        if step % 10 == 0:
            trial = trial_of(one)
            trial.place_all(tangled(one, generator))
            trial.overlaps()
        one.step()
        other.step()
        assert one.state.hash(*one.arrays()) == other.state.hash(*other.arrays())


def test_a_state_that_was_prepared_is_continued_like_any_other(make):
    engine = make(world(), DT)
    engine.place(4, Pose([0.3, 0.2, 0.6]), STILL, STILL)
    for _ in range(150):
        engine.step()
    kept, hashes = engine.get_state(), []
    for prepared in (False, True, True, False):
        if prepared:
            engine.prepare(kept)
            engine.step()  # meanwhile
        engine.set_state(kept)
        for _ in range(100):
            engine.step()
        hashes.append(engine.state.hash(*engine.arrays()))
    assert len(set(hashes)) == 1


def test_bullet_makes_no_world_for_a_state_that_was_prepared(monkeypatch):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    engine = ENGINES.load("bullet")(world(), DT)
    kept = engine.get_state()
    engine.prepare(kept)

    def made(*_):
        raise AssertionError("a world was made")

    monkeypatch.setattr(MadeWorld, "__init__", made)
    engine.prepare(kept)  # it is still there
    engine.set_state(kept)


@pytest.mark.parametrize("kind", ["field", "mesh"])
def test_a_state_of_bullet_does_not_hold_the_ground(kind):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    engine = ENGINES.load("bullet")(world(kind), DT)
    engine.place(4, Pose([0.3, 0.2, 0.6]), STILL, STILL)
    for _ in range(150):
        engine.step()
    assert engine.contacts()
    assert engine.get_state().rows("bullet", np.uint8).size < 60_000  # the mesh alone: 200,000


def test_a_model_with_more_links_than_bullet_takes_is_refused_in_a_sentence():
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    box = Geometry(Box((0.1, 0.1, 0.1)), Pose(), name="box")
    link = Link("body", Inertial(1.0, np.eye(3)), (), (box,) * 1000)
    with pytest.raises(PhysicsError, match=r"'pile' has 1000 links and collision shapes: the eng"):
        ENGINES.load("bullet")(world_of(Model("pile", (link,))), DT)
