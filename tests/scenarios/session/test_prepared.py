"""Changes that are prepared beside the loop and put in between two steps."""

import gc
import sys
import threading
import weakref
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from outrider.core.errors import OutriderError
from outrider.core.frames import Pose
from outrider.core.process import chores
from outrider.messages.services.requests import ModelText
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session import spawning
from outrider.scenarios.session.branch import Branch
from outrider.scenarios.session.changes import AddObject, AddRobot, Move, Remove
from outrider.scenarios.session.placing import place
from outrider.scenarios.session.session import Session
from outrider.scenarios.session.spawning import prepared_spawn
from outrider.sensors.camera import renderer_pool
from outrider.sensors.gnss.gnss import Gnss
from outrider.sensors.imu.imu import Imu
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

WALL = ObjectSpec("wall", BoxSpec(size=(0.2, 4.0, 1.0)), PoseSpec(x=-20.0))
CRATE = ObjectSpec("crate", BoxSpec(), PoseSpec(x=20.0), mass=3.0)
SECOND = AddRobot(RobotEntry("create", "second", PoseSpec(x=5.0)))
TEXT = (
    "<robot name='b'><link name='a'><collision><geometry><box size='1 1 1'/></geometry>"
    "</collision><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'"
    " iyz='0'/></inertial></link></robot>"
)


opened = []  # files, by this thread, once they are watched


@cache
def watch_files():
    """Note all files that are opened, for good: an audit hook cannot be taken away."""

    def look(event, arguments):
        if event == "open" and threading.current_thread() is threading.main_thread():
            opened.append(arguments[0])

    sys.addaudithook(look)


@pytest.fixture
def session():
    return Session(Scenario())


def in_a_thread(work):
    """Do something in another thread, as a bridge does."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def names(session):
    return {topic.name for topic in session.bus.topics()}


def subscribers(session):
    return sum(topic.subscribers for topic in session.bus.topics())


@pytest.mark.parametrize("change", [AddObject(WALL), SECOND, Move("jackal", PoseSpec(x=2.0))])
def test_a_prepared_change_gives_the_state_of_one_made_at_once(change):
    hashes = []
    for way in ("prepared", "at once"):
        session = Session(Scenario())
        session.simulation.run(0.05)
        if way == "prepared":
            in_a_thread(lambda found=session: found.prepared(change))()
        else:
            session.apply(change)
        session.simulation.run(0.05)
        hashes.append(session.simulation.state_hash)
    assert hashes[0] == hashes[1]


def test_nothing_is_changed_until_it_is_put_in_and_time_goes_on_meanwhile(session):
    before = session.simulation
    finish = in_a_thread(lambda: session.prepared(AddObject(WALL)))
    session.simulation.run(0.05)
    assert session.simulation is before
    finish()
    assert session.simulation is not before
    assert session.simulation.time_s == pytest.approx(0.05)


@pytest.mark.parametrize("part", [MujocoEngine, Imu, Gnss])
def test_who_puts_a_change_in_leaves_the_state_before_it_to_others(session, monkeypatch, part):
    askers, real = [], part.get_state

    def noted(self):
        askers.append(threading.current_thread())
        return real(self)

    monkeypatch.setattr(part, "get_state", noted)
    for prepare in (lambda: session.prepared(AddObject(WALL)), session.prepared_undo):
        session.simulation.run(0.05)
        finish = in_a_thread(prepare)
        askers.clear()
        finish()
        assert threading.current_thread() not in askers


def heard(session):
    """Return what a robot's sensors measured last: noise and all, to what rounding leaves."""
    sensors = session.simulation.robots["jackal"].sensors
    imu, fix, turned = (sensors[name].latest for name in ("imu", "navsat", "encoders"))
    force = imu.linear_acceleration
    return [force.x, force.y, force.z, fix.latitude, fix.longitude, *turned.ticks]


def test_sensors_go_on_as_if_nothing_were_after_changes_without_a_step_between():
    found = []
    for changes in ((), (AddObject(WALL), AddObject(CRATE))):
        session = Session(Scenario())
        session.simulation.run(0.11)
        for change in changes:
            session.apply(change)
        found.append(heard(session))  # what was measured before
        session.simulation.run(0.3)
        found.append(heard(session))
    assert found[0] == found[2]
    assert found[1] == pytest.approx(found[3], rel=1e-9)
    assert found[0] != pytest.approx(found[1], rel=1e-6)


def test_what_was_changed_meanwhile_is_kept(session):
    finish = in_a_thread(lambda: session.prepared(AddObject(WALL)))
    session.apply(AddObject(CRATE))
    finish()
    assert [item.name for item in session.scenario.obstacles] == ["crate", "wall"]
    assert {"crate", "wall"} <= {m.name for m in session.simulation.rig.assembly.world.models}


def test_an_undo_is_prepared_as_well(session):
    session.apply(AddObject(WALL))
    in_a_thread(session.prepared_undo)()
    assert session.scenario.obstacles == ()
    in_a_thread(session.prepared_redo)()
    assert session.scenario.obstacles == (WALL,)


def test_a_change_that_is_refused_leaves_no_topics_and_no_readers(session):
    before = names(session), subscribers(session)
    inside = AddRobot(RobotEntry("create", "second", PoseSpec(x=0.1)))
    with pytest.raises(OutriderError, match=r"would start .* the nearest free place is"):
        session.prepared(inside)  # beside the loop: the search for a place takes long
    assert (names(session), subscribers(session)) == before


def test_who_has_moved_into_the_place_meanwhile_is_told_of(session):
    before = names(session), subscribers(session)
    beside = AddRobot(RobotEntry("create", "second", PoseSpec(x=3.0)))
    finish = in_a_thread(lambda: session.prepared(beside))
    height = session.simulation.robots["jackal"].pose.position[2]
    place(session.simulation, "jackal", Pose(np.array([2.9, 0.0, height])))
    with pytest.raises(OutriderError, match=r"inside 'jackal' .* moved there meanwhile"):
        finish()
    assert (names(session), subscribers(session)) == before


def test_a_topic_that_another_made_meanwhile_stays(session):
    session.apply(SECOND)
    finish = in_a_thread(lambda: session.prepared(Remove("second")))
    session.bus.declare("/another", "std_msgs/msg/String")
    finish()
    assert "/another" in names(session)
    assert not any(name.startswith("/second") for name in names(session))


def test_a_text_that_cannot_be_kept_is_one_sentence(session, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "file"))
    with pytest.raises(OutriderError, match="cannot be written: Not a directory"):
        prepared_spawn(session, ModelText("box", TEXT))


def test_a_text_that_is_refused_is_not_kept(session, tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with pytest.raises(OutriderError, match="spawn 'box'"):
        prepared_spawn(session, ModelText("box", TEXT.replace("1 1 1", "nan 1 1")))
    assert not list((tmp_path / "spawned").iterdir())
    prepared_spawn(session, ModelText("box", TEXT, pose={"x": 9.0}))()
    assert len(list((tmp_path / "spawned").iterdir())) == 1


def test_texts_do_not_fill_the_disk(session, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    monkeypatch.setattr(spawning, "_MOST_KEPT", len(TEXT) + 5)
    pose = {"x": 9.0}
    prepared_spawn(session, ModelText("box", TEXT, pose=pose))()
    prepared_spawn(session, ModelText("two", TEXT + " ", pose={"x": 12.0}))()
    with pytest.raises(OutriderError, match="no more descriptions are kept here"):
        prepared_spawn(session, ModelText("three", TEXT + "  ", pose={"x": 15.0}))
    prepared_spawn(session, ModelText("three", TEXT, pose={"x": 15.0}))()  # which is there
    assert str(tmp_path / "spawned") in capfd.readouterr().err


def test_a_camera_that_is_watched_has_its_renderer_before_another_scenario_is_put_in():
    lens = {"width": 32, "height": 24, "renderer": "embree"}
    eye = SensorEntry("eye", "camera", topics={"image": "eye/image"}, set=lens)
    watched = Scenario(robots=(RobotEntry("jackal", sensors=(eye,)),))
    session = Session(watched)
    box = session.bus.subscribe("/eye/image")
    session.simulation.run(0.2)
    assert box.poll() is not None
    other = replace(watched, seed=2, world="ice")
    gc.collect()  # rooms of earlier tests
    before = len(renderer_pool._rooms)
    put_in = in_a_thread(lambda: session.prepared_open(other))
    assert len(renderer_pool._rooms) == before + 1
    put_in()
    session.simulation.run(0.2)
    assert box.poll() is not None


def test_nothing_is_rendered_in_advance_for_nobody():
    eye = SensorEntry("eye", "camera", set={"renderer": "embree"})
    watched = Scenario(robots=(RobotEntry("jackal", sensors=(eye,)),))
    session = Session(watched)
    gc.collect()  # rooms of earlier tests
    before = set(renderer_pool._rooms)  # held: none of them may go meanwhile
    kept = session.prepared_open(replace(watched, seed=2))
    assert set(renderer_pool._rooms) == before
    kept()


def crates(count):
    return tuple(replace(CRATE, name=f"c{i}", pose=PoseSpec(x=20.0 + i)) for i in range(count))


def test_what_is_put_in_takes_as_many_calls_among_many_things(monkeypatch):
    calls, real = [], MujocoEngine._find
    monkeypatch.setattr(MujocoEngine, "_find", lambda self: (calls.append(1), real(self)))

    def needed(count):
        session = Session(Scenario(obstacles=crates(count)))
        finish = session.prepared(SECOND)
        calls.clear()
        finish()
        return len(calls)

    assert needed(2) == needed(8)


@pytest.mark.parametrize("change", [AddObject(WALL), SECOND])
def test_what_is_replaced_is_freed_without_a_collection(session, change):
    session.simulation.step()
    gc.collect()
    gc.disable()
    try:
        old = [weakref.ref(session.simulation), weakref.ref(session.simulation.rig.engine)]
        session.prepared(change)()
        new = weakref.ref(session.simulation)
        session.undo()
        gone = threading.Event()
        chores.let_go_later(None)  # after what was let go before
        chores.do_later(gone.set)
        assert gone.wait(30.0)
        assert [ref() for ref in (*old, new)] == [None, None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "change",
    [AddObject(WALL), SECOND, Move("crate", PoseSpec(x=21.0)), Remove("crate")],
    ids=["object", "robot", "move", "remove"],
)
def test_no_file_is_opened_when_something_is_put_in(session, change):
    session.apply(AddObject(CRATE))
    finish = session.prepared(change)
    watch_files()
    opened.clear()
    finish()
    assert not opened


def test_what_both_have_is_compared_before_it_is_put_in(session, monkeypatch):
    finish = session.prepared(SECOND)
    monkeypatch.setattr(Branch, "between", None)
    finish()
    assert list(session.simulation.robots) == ["jackal", "second"]


def test_an_undo_is_put_together_beside_the_loop(session, monkeypatch):
    session.apply(SECOND)
    who, real = [], Simulation.set_parts

    def noted(self, state):
        who.append(threading.current_thread().name)
        real(self, state)

    monkeypatch.setattr(Simulation, "set_parts", noted)
    finish = in_a_thread(session.prepared_undo)
    finish()
    assert len(who) == 1
    assert threading.current_thread().name not in who
    assert list(session.simulation.robots) == ["jackal"]


def test_a_state_is_not_waited_for_when_something_is_put_in(monkeypatch):
    session = Session(Scenario())
    image = session.simulation.robots["jackal"].topics.get("image") or next(
        name for name in names(session) if name.endswith("image_raw")
    )
    session.bus.subscribe(image)
    for _ in range(40):
        session.simulation.step()
    finish = session.prepared(SECOND)
    drawn = threading.Event()
    monkeypatch.setattr("outrider.sensors.camera.camera.Exposure.picture", _after(drawn))
    for sampled in session.simulation.sensors:
        if sampled.exposes:
            sampled.measure(session.simulation.time_ns)
    worker = threading.Thread(target=finish, daemon=True)
    worker.start()
    worker.join(60.0)
    waited = worker.is_alive()
    drawn.set()
    worker.join()
    assert not waited
    session.simulation.step()


def _after(event):
    from outrider.sensors.camera.camera import Exposure

    real = Exposure.picture

    def picture(self, name):
        event.wait()
        return real(self, name)

    return picture
