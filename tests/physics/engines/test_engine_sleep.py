"""What has come to rest is left out of MuJoCo's steps: nothing else may tell."""

import numpy as np
import pytest
from engine_truth import DT, run
from engine_worlds import WEIGHTLESS, G, ball, brick, ground, pendulum, solid, world_of

from outrider.core.errors import PhysicsError
from outrider.core.frames import Pose
from outrider.core.state import State
from outrider.physics.mujoco import sleeping
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.sim.simulation import Simulation
from outrider.world.assembly import Assembly
from outrider.world.model import World
from outrider.world.shapes import Box

_MICROMETRE = 1e-6
_CUBE = Box((0.2, 0.2, 0.2))


def _cube(name: str, x: float, z: float = 0.1):
    return solid(name, _CUBE, 2.0, Pose([x, 0.0, z]))


def _stack_and_neighbour(*more) -> Assembly:
    return world_of(ground(), _cube("low", 0.0), _cube("high", 0.0, 0.3), _cube("far", 3.0), *more)


def _sleepless(assembly: Assembly, monkeypatch) -> MujocoEngine:
    with monkeypatch.context() as patch:
        patch.setattr(sleeping, "_STILL_S", 1e6)
        return MujocoEngine(assembly, DT)


def _asleep(engine: MujocoEngine) -> list[bool]:
    ids = [engine._model.body(f"body{i}").id for i in range(len(engine.assembly.bodies))]
    return [bool(engine._data.body_awake[i] == 0) for i in ids]


def _at_rest(*more) -> MujocoEngine:
    engine = MujocoEngine(_stack_and_neighbour(*more), DT)
    run(engine, 1.0)
    assert _asleep(engine)[:3] == [True, True, True]
    return engine


def _push(engine: MujocoEngine, body: int, force: float) -> None:
    engine.loads.bodies["force"][body] = [force, 0.0, 0.0]
    engine.step()


def test_what_sleeps_lies_where_it_would_lie_awake(monkeypatch):
    engine = _at_rest()
    awake = _sleepless(engine.assembly, monkeypatch)
    run(awake, 1.0)
    run(awake, 2.0)
    run(engine, 2.0)
    assert _asleep(awake) == [False] * 3
    far = np.abs(engine.state.bodies["position"] - awake.state.bodies["position"])
    assert far.max() < _MICROMETRE
    assert not engine.state.bodies["velocity"].any()


def _heap() -> World:
    """Return three layers of cubes, every one a little aside: they fall, and tremble for long."""
    aside = np.random.default_rng(3).uniform(-0.06, 0.06, (27, 2))
    grid = np.mgrid[0:3, 0:3, 0:3].reshape(3, -1).T * 0.21 + [0.0, 0.0, 0.12]
    grid[:, :2] += aside
    cubes = [solid(f"cube{k}", _CUBE, 2.0, Pose(at)) for k, at in enumerate(grid)]
    return World("heap", (ground(), *cubes))


def test_a_heap_that_trembles_falls_asleep_where_it_would_lie_awake(monkeypatch):
    heap = Simulation(_heap())
    heap.run(2.5)
    assert all(_asleep(heap.rig.engine))
    with monkeypatch.context() as patch:
        patch.setattr(sleeping, "_STILL_S", 1e6)
        awake = Simulation(_heap())
    awake.run(2.5)
    far = np.abs(heap.state.bodies["position"] - awake.state.bodies["position"])
    assert far.max() < 1e-4


@pytest.mark.parametrize(("body", "force"), [(0, 40.0), (1, 15.0)])
def test_a_load_wakes_a_stack_in_the_same_step_and_moves_it_as_if_it_had_been_awake(
    body, force, monkeypatch
):
    engine = _at_rest()
    awake = _sleepless(engine.assembly, monkeypatch)
    run(awake, 1.0)
    for each in (engine, awake):
        _push(each, body, force)
        assert each.state.bodies["velocity"][body][0] > 5e-4
    assert _asleep(engine) == [False, False, True]
    for _ in range(100):
        _push(engine, body, force)
        _push(awake, body, force)
    moved, same = engine.state.bodies["position"], awake.state.bodies["position"]
    assert moved[body, 0] > 0.003
    assert np.abs(moved - same).max() < _MICROMETRE


def test_what_is_struck_wakes_and_flies_as_if_it_had_been_awake(monkeypatch):
    engine = _at_rest(ball(0.1))
    awake = _sleepless(engine.assembly, monkeypatch)
    run(awake, 1.0)
    for each in (engine, awake):
        each.place(3, Pose([2.0, 0.02, 0.1]), np.array([3.0, 0.0, 0.0]), np.zeros(3))
        run(each, 0.5)
    assert _asleep(engine) == [True, True, False, False]
    moved, same = engine.state.bodies["position"], awake.state.bodies["position"]
    assert moved[2, 0] > 3.05
    assert np.abs(moved - same).max() < _MICROMETRE


def test_what_stood_on_something_that_is_taken_away_falls():
    engine = _at_rest()
    engine.place(0, Pose([0.0, 5.0, 0.1]), np.zeros(3), np.zeros(3))
    run(engine, 0.5)
    assert engine.state.bodies["position"][1][2] == pytest.approx(0.1, abs=1e-3)


def test_what_lies_on_a_scripted_body_never_sleeps_and_one_that_comes_wakes():
    plate = solid("plate", Box((1.0, 1.0, 0.1)), pose=Pose([0, 5.0, 1.0]), mobility="scripted")
    engine = _at_rest(plate, brick(Pose([0.0, 5.0, 1.1])))
    assert _asleep(engine)[3:] == [False, False]
    engine.place(3, Pose([2.35, 0, 0.1]), np.array([0.2, 0.0, 0.0]), np.zeros(3))
    run(engine, 1.0)
    assert engine.state.bodies["position"][2][0] == pytest.approx(3.15, abs=0.01)
    assert engine.state.bodies["position"][4][2] < 0.1  # the brick has lost its plate


def test_neither_joints_nor_their_neighbours_nor_what_floats_ever_sleeps():
    hanging = MujocoEngine(world_of(ground(), pendulum(4.7)), DT)
    assert not len(sleeping._sleepers(hanging._model))
    floating = MujocoEngine(world_of(_cube("cube", 0.0), gravity=WEIGHTLESS), DT)
    run(floating, 1.0)
    assert _asleep(floating) == [False]


def test_sleepers_keep_their_contacts():
    engine = MujocoEngine(_stack_and_neighbour(), DT)
    run(engine, 0.2)
    before = {(c.first_name, c.second_name) for c in engine.contacts()}
    assert len(before) == 3
    assert engine.contact_rows().pairs() == before
    run(engine, 0.8)
    assert not len(engine.contact_rows())
    assert engine.resting == before
    weights = {}
    for contact in engine.contacts():
        key = contact.first_name, contact.second_name
        weights[key] = weights.get(key, 0.0) + contact.impulse / DT
    assert sorted(weights.values()) == pytest.approx([2 * G, 2 * G, 4 * G], 1e-3)


def test_a_body_that_wakes_does_not_strike_what_it_lay_on():
    models = (ground(), _cube("low", 0.0), _cube("high", 0.0, 0.3))
    simulation = Simulation(World("test", models), step_s=DT)
    simulation.run(1.0)
    touched = [(c.first, c.second) for c in simulation.collisions]
    assert len(touched) == 2
    assert len(simulation.rig.engine.resting) == 2
    for _ in range(20):
        simulation.rig.engine.loads.bodies["force"][1] = [5.0, 0.0, 0.0]
        simulation.step()
    assert not simulation.rig.engine.resting
    assert len(simulation.collisions) == 2


@pytest.mark.parametrize("moment_s", [0.1, 0.3, 1.0])
def test_a_saved_state_goes_on_to_the_last_bit_asleep_or_awake(moment_s):
    engine = MujocoEngine(_stack_and_neighbour(), DT)
    run(engine, moment_s)
    twin = MujocoEngine(engine.assembly, DT)
    run(twin, 0.7)  # another past
    twin.set_state(engine.get_state())
    for step in range(400):
        for each in (engine, twin):
            if 120 < step < 140:
                each.loads.bodies["force"][1] = [30.0, 0.0, 0.0]
            each.step()
        assert _asleep(twin) == _asleep(engine)
        assert twin.state.hash(*twin.arrays()) == engine.state.hash(*engine.arrays())
    assert [c.impulse for c in twin.contacts()] == [c.impulse for c in engine.contacts()]
    assert _asleep(engine)[2]


def test_in_a_state_that_knows_no_sleep_everything_is_awake():
    engine = _at_rest()
    known = {
        name: value
        for name, value in engine.get_state().items()
        if name not in ("asleep", "places")
    }
    engine.set_state(State(known))
    assert _asleep(engine) == [False] * 3
    run(engine, 1.0)
    assert _asleep(engine) == [True] * 3


def test_a_state_in_which_others_sleep_is_refused():
    engine = _at_rest()
    state = engine.get_state()
    asleep = state.rows("asleep", np.int32)
    asleep[2] = 0
    with pytest.raises(PhysicsError, match="asleep"):
        engine.set_state(State(state, asleep=asleep))
