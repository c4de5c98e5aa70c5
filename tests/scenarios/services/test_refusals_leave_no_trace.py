"""A refused place leaves no trace in the engine, and costs no new world."""

import pytest

from outrider.core.errors import PlaceError
from outrider.core.structure import from_data
from outrider.physics.engine import ENGINES
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session.session import Session

WALL = {"name": "wall", "shape": {"type": "box", "size": [0.6, 8.0, 2.0]}, "pose": {"x": 4.0}}
CRATE = {
    "name": "crate",
    "shape": {"type": "box", "size": [0.6, 0.6, 0.6]},
    "pose": {"x": -2.0, "z": 0.8},  # about to fall: it touches and comes to rest meanwhile
    "mass": 10.0,
}
REFUSED = {
    "set_state": {"name": "jackal", "position": [4.0, 0.0, 0.07]},
    "set_state of a thing": {"name": "crate", "position": [4.0, 1.0, 0.3]},
    "set_state below the ground": {"name": "jackal", "position": [0.0, 3.0, -0.2]},
    "move": {"name": "jackal", "x": 4.0, "z": 0.07},
    "move of a thing": {"name": "crate", "x": 4.0},
    "set_joints": {"model": "tank", "joints": {"turret_joint": 1.5708}},
    "put_back": {"name": "tank"},
    "reset_world": {},
    "reset": {},
}


@pytest.fixture(params=list(ENGINES))
def engine(request):
    if request.param == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return request.param


def made(engine):
    """Return a run in which a block stands where a tank began, and a wall beside the tank."""
    world = {"name": "yard", "ground": {"type": "flat"}, "objects": [WALL, CRATE]}
    robots = [
        {"model": "jackal", "pose": {}},
        {"model": "tank", "pose": {"y": -6.0}},
    ]
    data = {"name": "s", "world": world, "robots": robots, "physics": {"engine": engine}}
    session = Session(from_data(Scenario, data, "s"))
    control = Control(session)
    control.call("set_state", name="tank", position=[0.0, -12.0, 0.5])
    box = {"type": "box", "size": [1.0, 1.0, 0.6]}
    control.call("add_object", name="block", shape=box, pose={"y": -6.0})
    side = {"type": "box", "size": [3.0, 0.2, 4.0]}
    control.call("add_object", name="side", shape=side, pose={"y": -10.2})
    session.simulation.run(0.2)
    return session, control


def later(session, steps=200):
    """Return the hashes of every 50th of the next steps."""
    found = []
    for number in range(steps):
        session.simulation.step()
        if number % 50 == 49:
            found.append(session.simulation.state_hash)
    return found


def test_a_run_goes_on_to_the_last_bit_as_if_nothing_had_been_refused(engine):
    undisturbed = later(made(engine)[0])
    session, control = made(engine)
    before = session.simulation.state_hash
    for name, arguments in REFUSED.items():
        with pytest.raises(PlaceError):
            control.call(name.split()[0], **arguments)
        assert session.simulation.state_hash == before, name
    assert later(session) == undisturbed


def test_a_refusal_builds_no_world_and_changes_nothing_in_the_engine(engine, monkeypatch):
    session, control = made(engine)
    live = session.simulation.rig.engine

    def touched(*args, **named):
        raise AssertionError("a refusal touched the engine")

    for method in ("place", "place_all", "set_joints", "set_state", "get_state", "lead"):
        monkeypatch.setattr(live, method, touched)
    monkeypatch.setattr(type(live), "__init__", touched)  # no other engine is made
    if engine == "bullet":
        monkeypatch.setattr("outrider.physics.bullet.made_world.MadeWorld.__init__", touched)
    for name, arguments in REFUSED.items():
        if name != "reset":  # which is prepared before it is refused
            with pytest.raises(PlaceError):
                control.call(name.split()[0], **arguments)
