"""What clients may add is bounded by second and by number; whoever started the run is free."""

from pathlib import Path

import pytest

from outrider.actors.spec import Area, PersonSpec
from outrider.core.errors import LimitError
from outrider.messages.services.requests import ModelText
from outrider.scenarios.bridging import outside_of
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.services.handlers import prepare
from outrider.scenarios.session import client_limits
from outrider.scenarios.session.changes import (
    AddActor,
    AddObject,
    AddRobot,
    AddSensor,
    RemoveSensor,
    SetSensor,
)
from outrider.scenarios.session.session import Session
from outrider.scenarios.session.spawning import prepared_spawn
from outrider.sim.runner import Runner
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PartSpec, PathSpec, PoseSpec
from outrider.world.model import Light

DOCS = Path(__file__).parents[3] / "docs" / "control.md"
_TURN = {"azimuth_offsets_deg": [], "channel_offsets_us": [], "firing_period_us": 0.0}


def lidar(name, channels, columns, rate_hz, **more):
    beams = {"elevations_deg": [0.1 * c for c in range(channels)], "samples": columns}
    return SensorEntry(
        name,
        "velodyne-vlp16",
        rate_hz=rate_hz,
        topics={"points": f"/{name}"},
        set=beams | _TURN,
        **more,
    )


def camera(name, model, width, height, rate_hz, **more):
    return SensorEntry(
        name,
        model,
        rate_hz=rate_hz,
        set={"width": width, "height": height, **more.pop("set", {})},
        **more,
    )


@pytest.fixture
def session():
    return Session(Scenario(robots=(RobotEntry("create"),)))


def add(session, change):
    return session.prepared(change, of_client=True)()


def refusal(session, change):
    before = session.simulation
    with pytest.raises(LimitError) as refused:
        add(session, change)
    assert session.simulation is before
    return str(refused.value)


@pytest.mark.parametrize(
    "entry",
    [
        lidar("os128", 128, 1024, 20.0),
        lidar("vls128", 128, 900, 20.0),
        camera("pair", "stereo-camera", 1920, 1080, 30.0, latency_s=0.1),
        camera("film", "camera", 3840, 2160, 30.0),
        SensorEntry("fast", "ideal-imu", rate_hz=400.0),
        SensorEntry("rtk", "ublox-f9p", rate_hz=20.0),
    ],
)
def test_real_devices_pass(session, entry):
    assert add(session, AddSensor(entry, "create")).sampler.named[f"create/{entry.name}"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (lidar("a", 1, 100_000, 10_000.0), "40,000,000 rays a second"),
        (lidar("a", 64, 100_000, 0.6), "6,400,000 rays in a scan"),
        (lidar("a", 16, 900, 0.1), "10 seconds to look back"),
        (camera("a", "camera", 1920, 1080, 400.0), "829,440,000 pixels a second"),
        (camera("a", "camera", 1920, 1080, 30.0, set={"samples": 64}), "pixels a second"),
        (camera("a", "stereo-camera", 8192, 8192, 0.1), "134,217,728 pixels in a picture"),
        (camera("a", "realsense-d435", 1280, 720, 90.0, latency_s=60.0), "bytes on their way"),
        (SensorEntry("a", "ideal-imu", rate_hz=400.0, jitter_s=60.0, latency_s=60.0), None),
        (
            SensorEntry(
                "a", "radar", set={"cones": [{"half_angle_deg": 9, "length": 9, "rays": 99_000}]}
            ),
            "rays a second",
        ),
        (
            SensorEntry(
                "a",
                "sonar",
                rate_hz=400.0,
                set={"cones": [{"half_angle_deg": 9, "length": 9, "rays": 99_000}]},
            ),
            "39,600,000 rays a second",
        ),
    ],
)
def test_one_sensor_is_bounded_by_its_work_in_a_second(session, entry, told):
    if told is None:
        add(session, AddSensor(entry, "create"))
        return
    sentence = refusal(session, AddSensor(entry, "create"))
    assert sentence.startswith("sensor 'a' has ")
    assert told in sentence


def test_sensors_one_after_the_other_are_bounded_together(session):
    add(session, AddSensor(lidar("a", 128, 1024, 20.0), "create"))
    add(session, AddSensor(lidar("b", 128, 1024, 20.0), "create"))
    sentence = refusal(session, AddSensor(lidar("c", 128, 1024, 25.0), "create"))
    assert "clients may add 8,000,000 rays a second to this run" in sentence
    add(session, AddSensor(SensorEntry("imu", "ideal-imu"), "create"))  # casts none
    add(session, RemoveSensor("a", "create"))
    add(session, AddSensor(lidar("c", 128, 1024, 25.0), "create"))


def test_a_sensor_may_not_become_heavier_than_that(session):
    add(session, AddSensor(lidar("a", 16, 900, 10.0), "create"))
    sentence = refusal(session, SetSensor(lidar("a", 1, 100_000, 10_000.0), "create"))
    assert "40,000,000 rays a second" in sentence


def test_sensors_of_robots_count(session):
    heavy = AddRobot(
        RobotEntry("create", "r", PoseSpec(5.0), sensors=(lidar("a", 64, 2000, 100.0),))
    )
    assert "sensor 'a' has 12,800,000 rays a second" in refusal(session, heavy)
    many = tuple(lidar(f"s{n}", 1, 10_000, 100.0) for n in range(9))
    together = AddRobot(RobotEntry("create", "r", PoseSpec(5.0), sensors=many))
    assert "rays a second" in refusal(session, together)


def test_a_spawned_robot_is_bounded_and_does_not_become_a_model(session):
    sensor = (
        "<gazebo reference='base'><sensor type='ray' name='front'><update_rate>400</update_rate>"
        "<ray><scan><horizontal><samples>90000</samples><min_angle>-1</min_angle>"
        "<max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>9</max></range></ray>"
        "<plugin name='p' filename='libgazebo_ros_laser.so'><topicName>scan</topicName></plugin>"
        "</sensor></gazebo>"
    )
    with pytest.raises(LimitError, match="spawn 'rover': sensor 'front' has 36,000,000 rays"):
        prepared_spawn(
            session,
            ModelText("rover", _rover(sensor), position=(4.0, 0.0, 0.2)),
            of_client=True,
        )


def _rover(more):
    shape = "<geometry><cylinder radius='0.1' length='0.05'/></geometry>"
    mass = (
        "<inertial><mass value='1'/>"
        "<inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"
    )
    wheels = "".join(
        f"<link name='{side}'>{mass}<collision>{shape}</collision></link>"
        f"<joint name='{side}_joint' type='continuous'><parent link='base'/><child link='{side}'/>"
        f"<origin xyz='{x} {y} 0' rpy='-1.5708 0 0'/><axis xyz='0 0 1'/></joint>"
        for side, x, y in (
            ("fl", 0.2, 0.2),
            ("fr", 0.2, -0.2),
            ("rl", -0.2, 0.2),
            ("rr", -0.2, -0.2),
        )
    )
    body = "<geometry><box size='0.5 0.3 0.1'/></geometry>"
    return (
        f"<robot name='rover'><link name='base'>{mass}<collision>{body}</collision></link>"
        f"{wheels}{more}</robot>"
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            AddActor(PersonSpec(count=300, area=Area((40.0, 40.0), (60.0, 60.0)))),
            "clients may add 200 things that move by themselves to this run, and with that",
        ),
        (
            AddObject(
                ObjectSpec(
                    "heap",
                    pose=PoseSpec(9.0),
                    parts=tuple(PartSpec(BoxSpec((0.1, 0.1, 0.1))) for _ in range(2600)),
                )
            ),
            "clients may add 5,000 shapes",
        ),
        (
            AddRobot(
                RobotEntry(
                    "jackal",
                    "lit",
                    PoseSpec(9.0),
                    lamps=tuple(Light(f"lamp{n}", "point") for n in range(17)),
                )
            ),
            "clients may add 16 lights to this run, and with that it would be 17",
        ),
    ],
)
def test_things_are_bounded_by_number(session, change, told):
    assert told in refusal(session, change)


def test_what_was_there_at_the_start_does_not_count():
    own = tuple(lidar(f"own{n}", 128, 1024, 20.0) for n in range(4))
    session = Session(Scenario(robots=(RobotEntry("create", sensors=own),)))
    add(session, AddSensor(lidar("a", 128, 1024, 20.0), "create"))
    add(session, AddSensor(lidar("b", 128, 1024, 20.0), "create"))
    refusal(session, AddSensor(lidar("c", 128, 1024, 25.0), "create"))


def test_the_page_on_control_tells_every_limit():
    page = DOCS.read_text("utf-8")
    for one, together in client_limits._OF_SENSORS.values():
        assert f"{one:,}" in page
        assert f"{together:,}" in page
    for limit in client_limits._OF_THINGS.values():
        assert f"| | {limit:,} |" in page


def test_who_started_the_run_is_free(session):
    crowd = AddActor(PersonSpec(count=201, area=Area((40.0, 40.0), (60.0, 60.0))))
    session.prepared(crowd)()
    walker = ObjectSpec(
        "cart", BoxSpec(), PoseSpec(9.0), path=PathSpec(((9.0, 0.0, 0.5), (9.0, 5.0, 0.5)))
    )
    refusal(session, AddObject(walker))
    session.prepared(AddObject(walker))()
    session.prepared(AddSensor(lidar("a", 1, 100_000, 10_000.0), "create"))()


def test_the_bounds_hold_also_if_something_else_was_changed_meanwhile(session):
    first = session.prepared(AddSensor(lidar("a", 128, 1024, 20.0), "create"), of_client=True)
    second = session.prepared(AddSensor(lidar("b", 128, 1024, 20.0), "create"), of_client=True)
    third = session.prepared(AddSensor(lidar("c", 128, 1024, 25.0), "create"), of_client=True)
    first()
    second()
    with pytest.raises(LimitError):
        third()
    assert "create/c" not in session.simulation.sampler.named


def test_bridges_are_bounded_and_the_local_port_is_not(session):
    runner = Runner(session.simulation)
    runner.has_loop = False
    prepare(session, runner)
    heavy = {
        "name": "a",
        "robot": "create",
        "model": "velodyne-vlp16",
        "set": {"samples": 100_000, "elevations_deg": [0.0], **_TURN},
        "rate_hz": 400.0,
    }
    with pytest.raises(LimitError, match="40,000,000 rays a second"):
        outside_of(session, runner).services["add_sensor"](heavy)
    assert runner.services()["add_sensor"](heavy)["steps"] == 0
