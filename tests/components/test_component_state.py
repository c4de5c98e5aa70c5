"""What components remember is saved, restored, reset and undone with the simulation."""

import numpy as np
import pytest

import outrider as o
from outrider.components.component import Component
from outrider.scenarios.scenario import Scenario
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec, WorldSpec

CRATE = ObjectSpec("crate", BoxSpec(), PoseSpec(x=2.0), mass=10.0)
YARD = Scenario("yard", world=WorldSpec("yard", objects=(CRATE,)), duration_s=None)


class Shoves(Component):
    """Pushes at random, and remembers all kinds of things."""

    force: float = 30.0

    def start(self, me):
        me.state.pushes = 0
        me.state.last = np.zeros(3)
        me.state.seen = {"odom": 0, "names": []}

    def step(self, me):
        me.state.last = self.force * me.random.standard_normal(3)
        me.push(me.state.last)
        me.state.pushes += 1
        topic = me.robot("jackal").topics["odometry"]
        me.state.seen["odom"] += len(me.received(topic))
        if me.latest(topic) is not None:
            me.state.seen["names"] = [me.latest(topic).child_frame_id]


def shoved(session: o.Session) -> o.Session:
    session.simulation.attach(Shoves, "crate", rate_hz=50)
    return session


def told(sim: o.Simulation) -> tuple[object, ...]:
    (member,) = sim.components
    notes = member.handle.state
    return sim.state_hash, notes.pushes, notes.last.tolist(), dict(notes.seen)


def test_a_run_repeats_exactly_and_after_a_reset_again():
    sims = [shoved(o.Session(YARD)).simulation for _ in range(2)]
    for sim in sims:
        sim.run(0.5)
    assert told(sims[0]) == told(sims[1])
    assert told(sims[0])[1] == 25
    assert told(sims[0])[3]["odom"] > 20
    first = told(sims[0])
    sims[0].reset()
    sims[0].run(0.5)
    assert told(sims[0]) == first


def test_another_seed_gives_other_numbers():
    sims = [shoved(o.Session(o.Scenario(**{**_keys(), "seed": seed}))) for seed in (1, 2)]
    for session in sims:
        session.simulation.run(0.1)
    assert told(sims[0].simulation)[2] != told(sims[1].simulation)[2]


def _keys():
    return {"name": "yard", "world": YARD.world, "duration_s": None}


def test_what_is_saved_goes_on_as_if_nothing_had_happened(tmp_path):
    one, other = shoved(o.Session(YARD)), shoved(o.Session(YARD))
    one.simulation.run(0.3)
    one.save(tmp_path / "then.state")
    one.simulation.run(0.3)
    other.load(tmp_path / "then.state")
    assert other.simulation.time_s == pytest.approx(0.3)
    other.simulation.run(0.3)
    assert told(other.simulation) == told(one.simulation)


def test_changes_and_undo_keep_what_is_remembered():
    session = shoved(o.Session(YARD))
    session.simulation.run(0.2)
    before = told(session.simulation)
    session.add(ObjectSpec("box", BoxSpec(), PoseSpec(x=-5.0), mass=1.0))
    assert told(session.simulation)[1:] == before[1:]
    session.simulation.run(0.1)
    session.undo()
    assert told(session.simulation) == before


def test_what_a_component_is_on_takes_it_along_when_it_is_removed():
    session = shoved(o.Session(YARD))
    said = []
    session.simulation.components.tell = said.append
    session.remove("crate")
    assert len(session.simulation.components) == 0
    assert "is left out" in said[0]
    session.simulation.run(0.01)


class Leaves(Component):
    def step(self, me):
        if me.time_s >= 0.05:
            me.remove()


def test_a_component_may_remove_its_own_body_between_two_steps():
    from outrider.scenarios.run import Run

    run = Run(YARD, speed=0.0)
    run.simulation.attach(Leaves, "crate")
    run.runner.run(0.1)
    assert "crate" not in run.simulation.rig.assembly.models
    assert run.simulation.time_s == pytest.approx(0.1)
    assert len(run.simulation.components) == 0


def test_in_a_bare_simulation_removing_is_refused_with_the_line(capsys):
    sim = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
    sim.attach(Leaves, "jackal")
    sim.run(0.1)
    said = capsys.readouterr().err
    assert "test_component_state.py:" in said
    assert "remove: only in a run or session" in said
