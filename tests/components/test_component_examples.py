"""The five examples, all in one scenario."""

from pathlib import Path

import numpy as np
import pytest

import outrider as o
from outrider.scenarios.session.session import Session

FOLDER = Path(__file__).parents[2] / "examples" / "components"


@pytest.fixture(scope="module")
def yard():
    return o.scenario(FOLDER / "yard.yaml", trust=True)


def notes(sim):
    return {member.name: dict(member.handle.state) for member in sim.components}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_at_most_thirty_lines(path):
    assert len(path.read_text().splitlines()) <= 30


def test_all_examples_do_what_they_say(yard):
    sim = o.build(yard)
    box = sim.bus.subscribe("/range_ahead", kept="all")
    crate = sim.rig.assembly.root("crate")
    started = sim.state.bodies[crate]["position"].copy()
    sim.run(1.0)
    carried = sim.state.bodies[crate]["position"] - started
    assert carried[0] == pytest.approx(0.3, abs=0.02)  # 0.3 m/s for a second, less the start
    measured = []
    while (item := box.poll()) is not None:
        measured.append(item[1].data)
    assert len(measured) == 20
    assert np.max(measured) == pytest.approx(10.0, abs=0.05)  # nothing is that near yet
    sim.run(6.0)
    found = notes(sim)
    assert found["barn/door Door"]["openings"] == 1
    assert found["light TrafficLight"]["crossed_at_red"] == 1  # the second robot, 1.5 m behind
    hinge = next(m for m in sim.components if m.name == "barn/door Door").handle.joint
    assert hinge.position > 1.0
    gap = sim.robots["first"].pose.position - sim.robots["second"].pose.position
    assert np.linalg.norm(gap) == pytest.approx(2.0, abs=0.3)  # 1.5 m, and 0.8 m/s / 1.5 behind
    assert sim.components.faults == []


def test_the_same_run_twice_and_after_a_reset_gives_the_same_hash(yard):
    one, other = o.build(yard), o.build(yard)
    for sim in (one, other):
        sim.run(2.0)
    assert one.state_hash == other.state_hash
    assert notes(one).keys() == notes(other).keys()
    other.reset()
    other.run(2.0)
    assert other.state_hash == one.state_hash
    np.testing.assert_equal(notes(other), notes(one))


def test_a_saved_state_goes_on_with_all_of_them(yard, tmp_path):
    session = Session(yard)
    session.simulation.run(1.0)
    session.save(tmp_path / "a.state")
    session.simulation.run(0.5)
    again = Session.of_file(tmp_path / "a.state", trust=True)
    again.simulation.run(0.5)
    assert again.simulation.state_hash == session.simulation.state_hash
    np.testing.assert_equal(notes(again.simulation), notes(session.simulation))
