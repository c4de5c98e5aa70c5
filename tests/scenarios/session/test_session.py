"""Changes to a running simulation: all else goes on, readers stay, all can be undone."""

import math

import numpy as np
import pytest

from outrider.core.errors import ConfigError, OutriderError
from outrider.core.state import State
from outrider.core.structure import plain
from outrider.scenarios.load import load, loads
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.changes import (
    AddObject,
    AddRobot,
    AddSensor,
    LoadWorld,
    Move,
    Remove,
    RemoveSensor,
    RenameTopic,
)
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec, SphereSpec

WALL = ObjectSpec("wall", BoxSpec(size=(0.2, 4.0, 1.0)), PoseSpec(x=-20.0))
BALL = ObjectSpec("new_ball", SphereSpec(radius=0.3), PoseSpec(x=-22.0), mass=2.0)


def session(**keys) -> Session:
    found = Session(load("playground-round", [f"{key}={value}" for key, value in keys.items()]))
    found.simulation.run(0.6)
    return found


def where(found: Session, name: str):
    state, assembly = found.simulation.state, found.simulation.rig.assembly
    return state.bodies[assembly.root(name)].copy()


@pytest.mark.parametrize(
    "change",
    [
        AddObject(WALL),
        AddObject(BALL),
        AddRobot(RobotEntry("husky", pose=PoseSpec(-20.0, 5.0))),
        AddSensor(SensorEntry("far", "rplidar-a2", pose=PoseSpec(z=0.4)), "jackal"),
        AddSensor(SensorEntry("mast", "rplidar-a2", pose=PoseSpec(4.0, 4.0, 2.0))),
        Remove("boulder"),
        Remove("ball"),
        RenameTopic("jackal", "odometry", "my/odom"),
        Move("boulder", PoseSpec(-10.0, -10.0)),
    ],
    ids=lambda change: f"{type(change).__name__} {next(iter(plain(change).values()))!s:.20}",
)
def test_a_change_elsewhere_leaves_robots_and_objects_as_they_were(change):
    plain_run, edited = session(), session()
    edited.apply(change)
    assert edited.simulation.time_ns == plain_run.simulation.time_ns
    for name in ("jackal", "crate", "shuttle"):
        before, after = where(plain_run, name), where(edited, name)
        for field in before.dtype.names:
            np.testing.assert_allclose(after[field], before[field], atol=1e-12)
    for found in (plain_run, edited):
        found.simulation.run(0.5)
    before, after = where(plain_run, "jackal"), where(edited, "jackal")
    assert math.dist(before["position"], after["position"]) < 1e-3
    assert edited.simulation.steps == plain_run.simulation.steps


def test_sensors_controllers_and_odometry_go_on_through_a_change():
    plain_run, edited = session(), session()
    last = {}
    for found in (plain_run, edited):
        bus = found.simulation.bus
        last[found] = {
            topic: bus.subscribe(topic, kept="all")
            for topic in ("/wheel_encoders", "/jackal_velocity_controller/odom", "/imu/data")
        }
    edited.apply(AddObject(WALL))
    for found in (plain_run, edited):
        found.simulation.run(0.1)
    for topic, box in last[plain_run].items():
        one, other = box.poll(), last[edited][topic].poll()
        assert one[0] == other[0], topic  # measured at the same time
        if topic.endswith("odom"):
            assert other[1].pose.pose.position.x == pytest.approx(one[1].pose.pose.position.x)
            assert other[1].pose.pose.position.x > 0.1
        if topic == "/imu/data":  # the same noise: its stream went on
            gap = one[1].linear_acceleration.x - other[1].linear_acceleration.x
            assert abs(gap) < 1e-6


def test_a_reader_keeps_hearing_a_robot_through_changes():
    found = session()
    box = found.bus.subscribe("/imu/data", kept="all")
    times = []
    for change in (AddObject(WALL), Remove("boulder"), AddObject(BALL)):
        found.apply(change)
        found.simulation.run(0.1)
        while (item := box.poll()) is not None:
            times.append(item[0])
    assert times == sorted(set(times))
    assert len(times) == 15  # 50 Hz for 0.3 s: none lost, none twice


def test_a_command_sent_before_a_change_is_obeyed_after_it():
    found = Session(loads("robots: [{model: jackal}]"))
    found.simulation.run(0.2)
    found.simulation.robots["jackal"].drive(0.5)
    found.apply(AddObject(WALL))
    found.simulation.run(0.2)
    assert found.simulation.robots["jackal"].velocity[0] > 0.3


def test_clocks_never_jump_back_in_a_change():
    found = session()
    clock = found.bus.subscribe("/clock", kept="all")
    found.apply(AddRobot(RobotEntry("husky", pose=PoseSpec(5.0, 5.0))))
    found.simulation.run(0.05)
    times = []
    while (item := clock.poll()) is not None:
        times.append(item[0])
    assert times[0] == 602_500_000
    assert np.all(np.diff(times) > 0)


def test_a_moved_robot_stands_where_it_was_put_and_starts_there_after_a_reset():
    found = session()
    found.apply(Move("jackal", PoseSpec(5.0, 4.0, yaw_deg=90.0)))
    robot = found.simulation.robots["jackal"]
    assert robot.pose.position[:2].tolist() == [5.0, 4.0]
    assert robot.pose.rpy[2] == pytest.approx(math.pi / 2, abs=0.05)
    assert np.linalg.norm(robot.velocity) == 0.0
    assert found.simulation.time_s == pytest.approx(0.6)
    found.reset()
    assert found.simulation.time_ns == 0
    assert found.simulation.robots["jackal"].pose.position[:2].tolist() == [5.0, 4.0]


@pytest.mark.parametrize("name", ["crate", "boulder"])
def test_a_moved_object_is_there_for_wheels_rays_and_files(name):
    found = session()
    found.apply(Move(name, PoseSpec(7.0, -7.0)))
    origins, down = np.array([[7.0, -7.0, 50.0]]), np.array([[0.0, 0.0, -1.0]])
    sim = found.simulation
    free = Session(load("playground-round")).simulation
    hit = sim.rig.scene.cast(origins, down, 100.0, sim.state).distance[0]
    assert hit < free.rig.scene.cast(origins, down, 100.0, free.state).distance[0] - 0.2
    moved = next(item for item in found.scenario.world.objects if item.name == name)
    assert moved.pose == PoseSpec(7.0, -7.0)


def test_every_change_can_be_undone_and_done_again():
    found = session()
    hashes = [found.simulation.state_hash]
    for change in (AddObject(WALL), Move("jackal", PoseSpec(2.0, 5.0)), Remove("ball")):
        found.apply(change)
        hashes.append(found.simulation.state_hash)
    topics = {topic.name for topic in found.bus.topics()}
    for state in reversed(hashes[:-1]):
        assert found.undo().state_hash == state
    with pytest.raises(ConfigError, match="there is nothing to undo"):
        found.undo()
    for state in hashes[1:]:
        assert found.redo().state_hash == state
    with pytest.raises(ConfigError, match="there is nothing to redo"):
        found.redo()
    assert {topic.name for topic in found.bus.topics()} == topics


def test_an_undone_change_leaves_no_trace_in_the_run():
    plain_run, edited = session(), session()
    edited.apply(AddRobot(RobotEntry("husky", pose=PoseSpec(3.0, 3.0))))
    edited.simulation.run(0.3)
    edited.undo()
    for found in (plain_run, edited):
        for _ in range(1000):
            found.simulation.step()
    assert edited.simulation.state_hash == plain_run.simulation.state_hash


def test_a_new_change_forgets_what_was_undone():
    found = session()
    found.apply(AddObject(WALL))
    found.undo()
    found.apply(AddObject(BALL))
    with pytest.raises(ConfigError, match="nothing to redo"):
        found.redo()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (Remove("bouldr"), r"no robot or object 'bouldr' \(did you mean 'boulder'\?\)"),
        (AddObject(ObjectSpec("crate", BoxSpec())), "have the name 'crate'"),
        (AddRobot(RobotEntry("huski")), "did you mean 'husky'"),
        (AddSensor(SensorEntry("x", "no-such-lidar"), "jackal"), "no sensor 'no-such-lidar'"),
        (AddSensor(SensorEntry("x", "ping"), "jakal"), "did you mean 'jackal'"),
        (RemoveSensor("nothing", "jackal"), "no sensor of the scenario 'nothing'"),
        (RenameTopic("jackal", "odometri", "x"), "did you mean 'odometry'"),
        (Move("shuttle", PoseSpec(1.0, 1.0)), "is scripted"),
        (LoadWorld("iec"), "did you mean 'ice'"),
    ],
)
def test_a_bad_change_changes_nothing(change, sentence):
    found = session()
    state, topics = found.simulation.state_hash, [t.name for t in found.bus.topics()]
    with pytest.raises(OutriderError, match=sentence):
        found.apply(change)
    assert found.simulation.state_hash == state
    assert [t.name for t in found.bus.topics()] == topics
    with pytest.raises(ConfigError, match="nothing to undo"):
        found.undo()
    found.simulation.run(0.1)


def test_a_removed_robot_takes_its_topics_along_and_brings_them_back():
    found = session()
    found.apply(AddRobot(RobotEntry("husky", namespace="second", pose=PoseSpec(4.0, 5.0))))
    box = found.bus.subscribe("/second/husky_velocity_controller/odom", kept="all")
    found.simulation.run(0.1)
    assert box.poll() is not None
    found.apply(Remove("husky"))
    assert not [t.name for t in found.bus.topics() if t.name.startswith("/second")]
    found.simulation.run(0.1)
    while box.poll() is not None:
        pass
    found.undo()
    found.simulation.run(0.1)
    assert box.poll() is not None


def test_a_renamed_topic_takes_its_readers_along():
    found = session()
    box = found.bus.subscribe("/jackal_velocity_controller/odom", kept="all")
    found.apply(RenameTopic("jackal", "odometry", "wheels/odom"))
    found.simulation.run(0.1)
    names = {topic.name for topic in found.bus.topics()}
    assert "/wheels/odom" in names
    assert "/jackal_velocity_controller/odom" not in names
    count = 0
    while box.poll() is not None:
        count += 1
    assert count == 5


def test_another_world_is_loaded_while_running():
    found = session()
    found.apply(LoadWorld("ice"))
    sim = found.simulation
    assert sim.rig.assembly.world.name == "ice"
    assert sim.time_s == pytest.approx(0.6)
    sim.run(0.5)
    assert sim.robots["jackal"].pose.position[2] == pytest.approx(0.064, abs=0.01)
    found.undo()
    assert found.simulation.rig.assembly.world.name == "playground"


def test_what_was_changed_is_saved_and_loaded_in_another_process_of_time(tmp_path):
    found = session()
    found.apply(AddObject(BALL))
    found.apply(Move("jackal", PoseSpec(2.0, 5.0)))
    found.simulation.run(0.2)
    found.save(tmp_path / "now.state")
    again = Session.of_file(tmp_path / "now.state")
    other = session()
    other.load(tmp_path / "now.state")
    for _ in range(1000):
        for each in (found, again, other):
            each.simulation.step()
    assert again.simulation.state_hash == found.simulation.state_hash
    assert other.simulation.state_hash == found.simulation.state_hash
    other.undo()
    assert other.simulation.time_s == pytest.approx(0.6)


class Patrol:
    """A driver of the user's own that counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, _simulation) -> None:
        self.count += 1

    def get_state(self) -> State:
        return State(count=self.count)

    def set_state(self, state: State) -> None:
        self.count = state.integer("count")


def test_what_a_driver_of_the_user_remembers_goes_through_changes_and_undo():
    found, patrol = Session(loads("robots: []")), Patrol()
    found.apply(AddObject(BALL))
    found.simulation.drivers.append(patrol)
    found.simulation.remember("patrol", patrol, "a route")
    found.simulation.run(0.05)
    found.apply(AddObject(WALL))
    found.simulation.run(0.05)
    assert patrol.count == 40
    found.undo()
    assert patrol.count == 20
    found.undo()  # to a time when nobody patrolled
    found.simulation.run(0.05)
    assert patrol.count == 40


@pytest.mark.parametrize(
    ("name", "pose", "inside"),
    [
        ("jackal", PoseSpec(z=-0.3), "ground"),
        ("jackal", PoseSpec(x=6.0, z=0.07), "wall"),
        ("crate", PoseSpec(z=0.1), "jackal"),
    ],
    ids=["into the ground", "into a wall", "a crate into a robot"],
)
def test_a_move_that_puts_a_robot_inside_something_has_no_effect(name, pose, inside):
    wall = ObjectSpec("wall", BoxSpec(size=(1.0, 1.0, 1.0)), PoseSpec(x=6.0, z=0.5))
    crate = ObjectSpec("crate", BoxSpec(size=(0.3, 0.3, 0.3)), PoseSpec(x=-5.0), mass=3.0)
    one, other = (Session(Scenario(obstacles=(wall, crate))) for _ in range(2))
    for each in (one, other):
        each.simulation.robots["jackal"].drive(0.4)
        each.simulation.run(0.5)
    with pytest.raises(ConfigError, match=f"'{name}' would .*inside '{inside}'.*another pose"):
        one.prepared(Move(name, pose))()
    for each in (one, other):
        each.simulation.run(0.5)
    assert one.simulation.state_hash == other.simulation.state_hash
    with pytest.raises(ConfigError, match="nothing to undo"):
        one.undo()
