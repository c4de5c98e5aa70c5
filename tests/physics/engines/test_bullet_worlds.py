"""Bullet's worlds: made once for a change, without its own state, in pieces that are made soon."""

import numpy as np
import pytest
from engine_worlds import solid, world_of

from outrider.core.frames import Pose
from outrider.physics.bullet import engine
from outrider.physics.bullet.made_world import MadeWorld
from outrider.physics.bullet.terrain import tiles
from outrider.scenarios.scenario import PhysicsSpec, RobotEntry, Scenario
from outrider.scenarios.session.changes import AddObject
from outrider.scenarios.session.session import Session
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec
from outrider.world.shapes import Box, HeightField
from outrider.world.tessellate import heightfield_mesh

BOX = ObjectSpec("box", BoxSpec((0.3, 0.3, 0.3)), PoseSpec(3.0, 0.0, 0.15), mass=3.0)


@pytest.fixture
def session():
    physics = PhysicsSpec(engine="bullet")
    return Session(Scenario(physics=physics, robots=(RobotEntry("jackal"),)))


def counted(monkeypatch, owner, name):
    found, original = [], getattr(owner, name)

    def noted(*args):
        found.append(name)
        return original(*args)

    monkeypatch.setattr(owner, name, noted)
    return found


def test_a_change_makes_one_world_and_writes_nothing_before_it_is_put_in(session, monkeypatch):
    session.simulation.run(0.1)
    made = counted(monkeypatch, MadeWorld, "__init__")
    written = counted(monkeypatch, engine, "saved_bytes")
    session.prepared(AddObject(BOX))
    assert (len(made), len(written)) == (1, 0)


def test_a_start_is_the_same_to_the_last_bit_after_a_reset(session):
    first = session.simulation.state_hash
    session.simulation.run(0.3)
    later = session.simulation.state_hash
    session.reset()
    assert session.simulation.state_hash == first
    session.simulation.run(0.3)
    assert session.simulation.state_hash == later


def test_an_undone_change_goes_on_as_if_it_had_not_been(session):
    session.simulation.run(0.1)
    session.apply(AddObject(BOX))
    session.simulation.run(0.1)
    session.undo()
    session.simulation.run(0.2)
    other = Session(session.scenario)
    other.simulation.run(0.3)
    assert session.simulation.state_hash == other.simulation.state_hash


@pytest.mark.parametrize("shape", [(2, 2), (25, 25), (26, 60), (73, 24)])
def test_tiles_have_the_triangles_of_the_whole_field(shape):
    field = HeightField(np.random.default_rng(2).random(shape), (7.0, 9.0))
    whole = heightfield_mesh(field)
    parts = [vertices[faces] for vertices, faces in tiles(field)]
    assert max(map(len, parts)) <= 2 * 24 * 24

    def ordered(triangles):
        rounded = np.round(triangles.reshape(-1, 9), 9) + 0.0
        return rounded[np.lexsort(rounded.T)]

    np.testing.assert_allclose(
        ordered(np.concatenate(parts)), ordered(whole.vertices[whole.faces]), atol=1e-9
    )


def test_what_is_scripted_and_rests_is_where_it_was_after_its_state_is_restored():
    pose = Pose([0, 0, 0.5])
    world = world_of(solid("plate", Box((1, 1, 0.1)), 5.0, pose, mobility="scripted"))
    first = engine.BulletEngine(world, 0.0025)
    body = np.array([0])
    first.lead(body, np.array([[0.8, 0.0, 0.0, 0.0, 0.0, 0.3]]))
    for _ in range(100):
        first.step()
    first.lead(body, np.zeros((1, 6)))
    first.step()
    second = engine.BulletEngine(world, 0.0025)
    second.set_state(first.get_state())
    for one in (first, second):
        one.step()
        place = engine.pybullet.getBasePositionAndOrientation(
            one._tree_of[0].handle, physicsClientId=one._client
        )[0]
        assert place == pytest.approx((0.2, 0.0, 0.5), abs=1e-9)
    assert np.array_equal(first.state.bodies, second.state.bodies)
