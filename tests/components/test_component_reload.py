"""New code in a running simulation."""

import pytest
from counting import COUNTER as CODE

import outrider as o
from outrider.bridges.policy import OWN_USER, Policy, guarded
from outrider.core.errors import BridgeError, ComponentError
from outrider.scenarios.run import Run
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

SCENARIO = """
robots: [{model: jackal}]
components: [{file: counter.py, class: Counter, by: 2}]
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "counter.py").write_text(CODE)
    (tmp_path / "s.yaml").write_text(SCENARIO)
    return Run(o.scenario(tmp_path / "s.yaml", trust=True), speed=0.0)


def call(run, service):
    return run.runner.handlers()[service](None)


def count(run):
    (member,) = run.simulation.components
    return member.handle.state.count


def test_new_code_takes_over_and_what_was_remembered_stays(run, tmp_path):
    run.simulation.run(0.01)
    assert count(run) == 8
    (tmp_path / "counter.py").write_text(CODE.replace("+= self.by", "+= 100 * self.by"))
    assert call(run, "reload_components").names == ["world Counter"]
    run.simulation.step()
    assert count(run) == 208


def test_code_that_cannot_be_read_leaves_the_old_one_at_work(run, tmp_path):
    run.simulation.step()
    (tmp_path / "counter.py").write_text("class Counter(:\n")
    with pytest.raises(ComponentError, match=r"counter.py:1: SyntaxError"):
        call(run, "reload_components")
    run.simulation.step()
    assert count(run) == 4


def test_new_code_revives_a_component_that_failed(run, tmp_path):
    (tmp_path / "counter.py").write_text(CODE.replace("+= self.by", "+= self.buy"))
    call(run, "reload_components")
    run.simulation.step()
    assert "has no attribute 'buy'" in call(run, "list_components").components[0].fault
    (tmp_path / "counter.py").write_text(CODE)
    call(run, "reload_components")
    run.simulation.step()
    assert count(run) == 2
    assert call(run, "list_components").components[0].fault == ""


def test_what_is_remembered_survives_a_change_after_a_reload(run, tmp_path):
    run.simulation.run(0.01)
    (tmp_path / "counter.py").write_text(CODE + "\n# new\n")
    call(run, "reload_components")
    run.session.add(ObjectSpec("box", BoxSpec(), PoseSpec(x=5.0)))
    assert count(run) == 8


def test_no_peer_on_a_bridge_may_bring_or_renew_code(run):
    services = run.runner.services()
    over_a_bridge = guarded(services, Policy())
    entry = {"type": "gate", "on": "jackal"}
    for name, arguments in (
        ("reload_components", {}),
        ("add_robot", {"model": "husky", "components": [entry]}),
        ("load_world", {"world": {"components": [entry]}}),
    ):
        with pytest.raises(BridgeError, match=f"{name}: .*(only the user|not be attached)"):
            over_a_bridge[name](arguments)
    OWN_USER.admit("reload_components")


def test_breakpoint_stops_in_a_component(run, tmp_path, monkeypatch):
    stopping = CODE.replace("me.state.count +=", "breakpoint()\n        me.state.count +=")
    (tmp_path / "counter.py").write_text(stopping)
    call(run, "reload_components")
    seen = []
    monkeypatch.setattr("sys.breakpointhook", lambda: seen.append(True))
    run.simulation.step()
    assert seen == [True]
    assert run.simulation.components.faults == []
