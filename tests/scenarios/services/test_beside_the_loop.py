"""What takes long is done in the caller's thread, while the loop goes on."""

import threading
from contextlib import contextmanager

import pytest

from outrider.core.errors import PlaceError
from outrider.messages.services import replies
from outrider.physics.bullet import made_world
from outrider.scenarios.scenario import PhysicsSpec, Scenario
from outrider.scenarios.services import control
from outrider.scenarios.services.handlers import prepare
from outrider.scenarios.session import session as session_module
from outrider.scenarios.session import successor
from outrider.scenarios.session.session import Session
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Runner
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

WALL = ObjectSpec("wall", pose=PoseSpec(9.0, 0.0), shape=BoxSpec(size=(0.2, 2.0, 1.0)))
PATIENCE_S = 60.0


@contextmanager
def running(session):
    runner = Runner(session.simulation, Pacer(1.0))
    prepare(session, runner)
    thread = threading.Thread(target=runner.run, args=(1e9,), daemon=True)
    thread.start()
    try:
        yield runner.services()
    finally:
        runner.stop()
        thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.fixture
def session():
    return Session(Scenario(obstacles=(WALL,)))


def noting(monkeypatch, owner, name):
    """Have the threads noted that call a function."""
    found, original = [], getattr(owner, name)

    def noted(*args, **named):
        found.append(threading.current_thread())
        return original(*args, **named)

    monkeypatch.setattr(owner, name, noted)
    return found


def test_a_saved_state_is_written_beside_the_loop(session, monkeypatch, tmp_path):
    threads = noting(monkeypatch, session_module, "write_saved_state")
    with running(session) as services:
        told = services["save_state"]({"file": str(tmp_path / "s")})
    assert threads == [threading.current_thread()]
    again = Session.of_file(tmp_path / "s")
    assert again.simulation.steps == told["steps"]
    assert again.simulation.state_hash == told["state_hash"]


def test_what_stands_fixed_is_built_anew_beside_the_loop(session, monkeypatch):
    threads = noting(monkeypatch, successor, "build")
    with running(session) as services:
        services["set_state"]({"name": "wall", "position": [12.0, 1.0, 0.5]})
        found = services["get_state"]({"name": "wall"})["position"]
    assert found == pytest.approx([12.0, 1.0, 0.5])
    assert threads == [threading.current_thread()]


def test_the_states_of_all_things_are_told_as_they_were_at_one_time(session, monkeypatch):
    threads = noting(monkeypatch, control, "motion_at")
    with running(session) as services:
        services["pause"]({})
        told = services["get_states"]({})
        one = services["get_state"]({"name": "jackal"})
        link = services["get_state"]({"name": "jackal/front_left_wheel_link"})
    assert set(threads) == {threading.current_thread()}
    for found, alone in (
        (told["models"]["jackal"], one),
        (told["links"]["jackal/front_left_wheel_link"], link),
    ):
        names = replies.MotionState.__dataclass_fields__
        assert found == {name: alone[name] for name in names}
    assert told["time_s"] == one["time_s"]


def test_on_bullet_no_world_is_made_in_the_loop(monkeypatch):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    threads = noting(monkeypatch, made_world.MadeWorld, "__init__")
    on_bullet = Scenario(obstacles=(WALL,), physics=PhysicsSpec(engine="bullet"))
    with running(Session(on_bullet)) as services:
        services["move"]({"name": "jackal", "x": 2.0})
        services["undo"]({})
        services["redo"]({})
        services["set_state"]({"name": "jackal", "position": [3.0, 0.0, 0.5]})
        with pytest.raises(PlaceError):
            services["set_state"]({"name": "jackal", "position": [9.0, 0.0, 0.1]})
        services["put_back"]({})
        services["reset_world"]({})
        services["reset"]({})
        services["remove"]({"name": "wall"})
        services["reset"]({})
    assert len(threads) > 4
    assert set(threads) == {threading.current_thread()}
