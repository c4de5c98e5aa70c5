import subprocess
import sys

import numpy as np
import pytest

import outrider as o

HEAVY = ("numpy", "mujoco", "numba", "embreex", "rosbags", "typer", "rich", "yaml")


def test_importing_costs_nothing():
    code = f"import outrider, sys; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in o.__all__:
        assert getattr(o, name) is not None
    assert set(dir(o)) >= set(o.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        o.lode  # noqa: B018


def test_a_robot_is_put_where_it_is_told():
    husky = o.robot("husky", "h", x=1.0, y=-2.0, yaw_deg=90.0)
    flying = o.robot("jackal", x=5.0, z=3.0)
    sim = o.Simulation(o.load_world("slope"), robots=[husky, flying])
    assert sim.robots["h"].pose.position[:2].tolist() == pytest.approx([1.0, -2.0])
    assert sim.robots["h"].pose.rpy[2] == pytest.approx(1.5708, abs=0.01)
    assert sim.robots["jackal"].pose.position.tolist() == [5.0, 0.0, 3.0]


def test_a_robot_without_a_place_stands_where_the_world_says():
    maze = o.load_world("maze")
    here = o.Simulation(maze, robots=[o.robot("create")]).robots["create"].pose.position
    assert np.allclose(here[:2], maze.start.position[:2], atol=1e-6)
    assert not np.allclose(here[:2], 0.0)
    there = o.Simulation(o.load_world("empty"), robots=[o.robot("create", x=2.0)])
    assert np.allclose(there.robots["create"].pose.position[:2], [2.0, 0.0], atol=1e-6)


def test_a_sensors_newest_measurement_is_one_line_away():
    sim = o.open("demo", "world=empty")
    jackal = sim.robots["jackal"]
    told = sim.bus.subscribe(jackal.topics["imu"])
    sim.run(0.1)
    imu = jackal.sensors["imu"]
    assert imu.latest.linear_acceleration.z == pytest.approx(9.8, abs=1.0)
    assert imu.latest == told.latest[1]  # measured while only the other one listened
    sim.run(0.1)
    assert imu.latest == told.latest[1]
    stamp = imu.latest.header.stamp
    assert stamp.sec + stamp.nanosec * 1e-9 == pytest.approx(0.2, abs=0.021)


def test_a_camera_is_listened_to_from_when_it_is_asked_for():
    sim = o.Simulation(o.load_world("empty"), robots=[_seeing("jackal")], engine="kinematic")
    eye = sim.robots["jackal"].sensors["eye"]
    assert eye.latest is None
    sim.run(0.15)
    assert (eye.latest.width, eye.latest.height) == (16, 12)
    assert {"image", "camera_info"} <= set(eye.topics)
    assert eye.output("camera_info") is None
    sim.run(0.15)
    assert eye.output("camera_info").width == 16
    with pytest.raises(o.OutriderError, match=r"no output 'camera_inf' .did you mean"):
        eye.output("camera_inf")


def _seeing(model):
    from dataclasses import replace

    from outrider.specs.sensor import SensorEntry

    eye = SensorEntry("eye", "camera", set={"width": 16, "height": 12})
    return replace(o.robot(model), sensors=(eye,))


def test_a_sensor_that_is_not_there_is_named_with_those_that_are():
    sim = o.open("demo", "world=empty")
    sensors = sim.robots["jackal"].sensors
    assert {"imu", "odometry", "ground_truth"} <= set(sensors)
    with pytest.raises(o.OutriderError, match=r"no sensor 'imi' \(did you mean 'imu'\?\); it has:"):
        sensors["imi"]
    assert "imi" not in sensors
    assert sim.robots["jackal"].topics["imu"] == "/imu/data"
    assert sim.robots["jackal"].topics["cmd_vel"] == "/cmd_vel"


def test_several_of_one_model_are_numbered_as_in_a_file():
    robots = [o.robot("jackal"), o.robot("jackal", x=2.0), o.robot("husky", x=5.0)]
    sim = o.Simulation(o.load_world("empty"), robots)
    read = o.build(o.Scenario(robots=tuple(_entries())))
    assert list(sim.robots) == list(read.robots) == ["jackal_1", "jackal_2", "husky"]
    assert sim.robots["jackal_2"].topics["cmd_vel"] == "/jackal_2/cmd_vel"
    known = (
        r"no robot 'jackal' \(did you mean 'jackal_[12]'\?\); there are: jackal_1, jackal_2, husky"
    )
    with pytest.raises(o.OutriderError, match=known):
        sim.robots["jackal"]
    assert "jackal" not in sim.robots


def _entries():
    from outrider.scenarios.scenario import RobotEntry
    from outrider.specs.world import PoseSpec

    for number, model in enumerate(("jackal", "jackal", "husky")):
        yield RobotEntry(model, pose=PoseSpec(3.0 * number))


def test_a_plain_dictionary_is_published_as_a_message():
    sim = o.open("demo", "world=empty")
    sim.publish("/cmd_vel", {"linear": {"x": 0.5}})
    sim.run(0.4)
    assert sim.robots["jackal"].velocity[0] > 0.1
    with pytest.raises(o.OutriderError, match="linnear"):
        sim.publish("/cmd_vel", {"linnear": {"x": 0.5}})
    with pytest.raises(o.OutriderError, match="did you mean '/cmd_vel'"):
        sim.publish("/cmd_vell", {})


def test_a_topic_that_is_not_there_is_told_when_somebody_listens():
    sim = o.open("demo", "world=empty")
    with pytest.warns(UserWarning, match=r"no topic '/imu/dat' yet \(did you mean '/imu/data'\?\)"):
        sim.bus.subscribe("/imu/dat")


def test_python_opens_what_the_command_line_opens(tmp_path):
    assert o.scenario("hratc").world == "hratc"
    assert list(o.open("husky-lab", robot="husky").robots) == ["husky"]
    urdf = tmp_path / "box.urdf"
    urdf.write_text("<robot name='box'><link name='l'/></robot>")
    assert o.scenario(urdf).name == "box"
    stl = tmp_path / "hill.stl"
    stl.write_text(
        "solid h\nfacet normal 0 0 1\nouter loop\nvertex -9 -9 0\nvertex 9 -9 0\nvertex 0 9 0\n"
        "endloop\nendfacet\nendsolid h\n"
    )
    assert o.load_world(stl).name == "hill"
    session = o.Session(o.scenario("demo", "world=empty"))
    session.simulation.run(0.1)
    saved = session.save(tmp_path / "now.state")
    assert o.open(saved).time_s == pytest.approx(0.1)
    with pytest.raises(o.OutriderError, match="did you mean 'hratc'"):
        o.open("hrtac")
    with pytest.raises(o.OutriderError, match=r"name or file of a scenario, .* got an empty one"):
        o.open("")


def test_the_old_name_of_world_still_works_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"outrider.load is now outrider\.load_world"):
        assert o.load("empty").name == "empty"


def test_what_takes_another_thing_than_is_given_says_what_it_takes(tmp_path):
    wanted = r"expected a scenario such as o.scenario\('demo'\), got 'demo'"
    for call in (o.Session, o.build, o.run_scenario):
        with pytest.raises(o.OutriderError, match=wanted):
            call("demo")
    with pytest.raises(o.OutriderError, match=r"record: expected a simulation .*, got 'demo'"):
        o.record("demo", tmp_path / "x.mcap")
    session = o.Session(o.scenario("demo", "world=empty"))
    for call in (o.open, o.scenario, o.load_world):
        with pytest.raises(o.OutriderError, match="expected a name or a file, got Session"):
            call(session)
    assert o.snapshot(session, size=(64, 48)).colour.shape == (48, 64, 3)


WRONG_CALLS = [
    lambda _: o.replay(3),
    lambda file: o.replay(file, topics=3),
    lambda _: o.record(o.open("empty"), None),
    lambda file: o.record(o.open("empty"), file, topics=[3]),
    lambda _: o.snapshot("empty", 3),
    lambda _: o.snapshot("empty", yaw_deg="north"),
    lambda _: o.snapshot("empty", eye=3),
    lambda _: o.scenario("demo", 3),
    lambda _: o.open("empty", robot=3),
    lambda _: o.robot("jackal", name=3),
    lambda _: o.robot("jackal", x="far"),
    lambda _: o.robot("jackal", yaw_deg=[]),
    lambda _: o.Simulation(o.load_world("empty"), seed=None),
    lambda _: o.Simulation(o.load_world("empty"), engine=[]),
    lambda _: o.open("empty").bus.subscribe(3),
    lambda _: o.open("empty").publish([], {}),
    lambda _: session().add("box"),
    lambda _: session().apply(3),
    lambda _: session().open("demo"),
    lambda _: session().save(3),
    lambda _: session().load(None),
    lambda _: o.Session.of_file(3),
    lambda _: o.WorldBuilder(3),
    lambda _: o.WorldBuilder().add(3),
    lambda _: o.WorldBuilder().add(o.Wheel(0.1, 0.1)),
    lambda _: o.WorldBuilder().save(3),
    lambda _: o.WorldBuilder().gravity(float("nan")),
    lambda _: o.WorldBuilder().sky("blue", 0, 0),
    lambda _: o.WorldBuilder().start("here"),
    lambda _: o.WorldBuilder().material([]),
    lambda _: o.RobotBuilder("r", 3),
    lambda _: o.RobotBuilder("r").add(3),
    lambda _: o.RobotBuilder("r").add(o.Floor(9, 9)),
    lambda _: o.Group("box"),
    lambda _: o.Box(1, 1, 1, colour="red"),
    lambda _: o.Box(1, 1, 1, texture=3),
    lambda _: o.Box(1, 1, 1).along([3]),
    lambda _: o.Wheel("large", 0.1),
    lambda _: o.Wheel(float("nan"), 0.1),
    lambda _: o.Castor(None),
    lambda _: o.Land("wide", 3),
    lambda _: o.Terrain(3),
]


def session():
    return o.Session(o.scenario("drive-10s"))


@pytest.mark.parametrize("call", WRONG_CALLS)
def test_wrong_arguments_are_told_in_one_sentence(call, tmp_path):
    with pytest.raises(o.OutriderError, match=r"expected|consists of") as told:
        call(tmp_path / "here.mcap")
    assert "\n" not in str(told.value)


def test_a_single_topic_is_a_name_not_letters(tmp_path):
    sim = o.open("drive-10s")
    with o.record(sim, tmp_path / "one.mcap", "/clock"):
        sim.run(0.1)
    assert {entry.track.topic for entry in o.replay(tmp_path / "one.mcap").entries()} == {"/clock"}
