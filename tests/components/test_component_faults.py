"""Whatever a component does, the run goes on or ends as asked, and says which line it was."""

import time

import pytest

import outrider as o
from outrider.components.component import Component


class Raises(Component):
    def step(self, _me):
        raise ZeroDivisionError("of no use")


class Exits(Component):
    def step(self, _me):
        raise SystemExit(3)


class Loops(Component):
    def step(self, _me):
        while True:
            pass


class LoopsAndCatches(Component):
    def step(self, _me):
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


class Sleeps(Component):
    def step(self, _me):
        time.sleep(1.5)


class WritesNaN(Component):
    def step(self, me):
        me.push([0.0, 0.0, float("nan")])


class PlacesNowhere(Component):
    def step(self, me):
        me.place(o.Pose([float("inf"), 0.0, 0.0]))


class WritesItself(Component):
    speed: float = 1.0

    def step(self, _me):
        self.speed = 2.0


class LooksForNothing(Component):
    def step(self, me):
        me.find("crat")


class RemembersAnObject(Component):
    def step(self, me):
        me.state.robot = me.robot()


class Counts(Component):
    def start(self, me):
        me.state.steps = 0

    def step(self, me):
        me.state.steps += 1


@pytest.fixture
def sim():
    made = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
    made.said = []
    made.components.tell = made.said.append
    return made


CASES = {
    Raises: "ZeroDivisionError: of no use",
    Exits: "SystemExit: 3",
    Loops: "took more than 0.3 s",
    LoopsAndCatches: "took more than 0.3 s",
    Sleeps: "took more than 0.3 s",
    WritesNaN: "push: force: expected three finite numbers",
    PlacesNowhere: "place: pose: expected a pose of finite numbers",
    WritesItself: "keep what changes in me.state",
    LooksForNothing: "there is no model, link, joint or sensor 'crat'",
    RemembersAnObject: "me.state.robot: expected plain data",
}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.__name__)
def test_a_faulty_component_is_named_with_its_line_and_the_run_goes_on_without_it(sim, kind):
    sim.attach(kind, "jackal", limit_s=0.3)
    after = sim.attach(Counts, "jackal")
    sim.run(0.02)
    (said,) = [text for text in sim.said if "does not stop" not in text]
    assert said.startswith(f"component '{kind.__name__}' on 'jackal'")
    assert "test_component_faults.py:" in said
    assert CASES[kind] in said
    assert said.endswith("the run goes on without it")
    assert after.state.steps == sim.steps == 8
    assert len(sim.components.faults) == 1


def test_a_sleep_outside_python_is_told_of_while_it_lasts(sim):
    sim.attach(Sleeps, "jackal", limit_s=0.2)
    sim.step()
    assert "cannot be interrupted" in sim.said[0]
    assert "time.sleep(1.5)" in sim.said[0]


def test_the_run_fails_where_it_is_asked_to(sim):
    sim.components.on_fault = "fail"
    sim.attach(Raises, "jackal")
    sim.run(1.0)
    assert sim.finished is False
    assert sim.steps == 1
    assert sim.said[0].endswith("the run ends")


def test_a_components_own_word_on_faults_goes_before_the_scenarios(sim):
    sim.components.on_fault = "fail"
    sim.attach(Raises, "jackal", on_fault="continue")
    sim.run(0.01)
    assert sim.finished is None


def test_a_reset_lets_a_failed_component_try_again(sim):
    sim.attach(Raises, "jackal")
    sim.run(0.01)
    sim.reset()
    assert sim.components.faults == []
    sim.run(0.01)
    assert len(sim.said) == 2


def test_a_slow_component_in_a_debugger_is_left_alone(sim, monkeypatch):
    monkeypatch.setattr("outrider.components.watchdog.is_debugged", lambda _: True)
    sim.attach(Sleeps, "jackal", limit_s=0.2)
    sim.step()
    assert sim.said == []


def test_a_debugger_is_noticed_by_the_frames_that_it_traces():
    import bdb
    import sys

    from outrider.components.debugger import is_debugged

    assert not is_debugged(sys._getframe())
    seen = []

    class Watched(bdb.Bdb):
        def user_line(self, frame):
            seen.append(is_debugged(frame))

    Watched().runcall(lambda: 1 + 1)
    assert seen
    assert all(seen)
