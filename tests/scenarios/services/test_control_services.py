import math
from dataclasses import replace

import numpy as np
import pytest

from outrider.core.errors import OutriderError
from outrider.scenarios.load import load
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session.changes import SetObject
from outrider.scenarios.session.session import Session
from outrider.specs.world import BoxSpec, FlatGround, ObjectSpec, PoseSpec, WorldSpec

BOX = ObjectSpec("box", pose=PoseSpec(3.0, 0.0), shape=BoxSpec(size=(0.5, 0.5, 0.5)), mass=10.0)
WALL = ObjectSpec("wall", pose=PoseSpec(9.0, 0.0), shape=BoxSpec(size=(0.2, 2.0, 1.0)))

CRATE = """<?xml version="1.0"?>
<robot name="crate"><link name="body">
  <inertial><mass value="2"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="0.4 0.4 0.4"/></geometry></visual>
  <collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision>
</link></robot>"""

BALL = """<sdf version="1.6"><model name="ball"><link name="link">
  <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  <collision name="c"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision>
  <visual name="v"><geometry><sphere><radius>0.2</radius></sphere></geometry></visual>
</link></model></sdf>"""


def xacro(name):
    """Return a crate whose link's name is an expression."""
    kind = "xmlns:xacro='http://www.ros.org/wiki/xacro'"
    return CRATE.replace("<robot", f"<robot {kind}", 1).replace(
        '<link name="', f'<link name="{name}', 1
    )


@pytest.fixture
def session():
    return Session(Scenario(robots=(RobotEntry("jackal"),), obstacles=(BOX, WALL)))


@pytest.fixture
def ask(session):
    return Control(session).call


def test_all_models_are_listed(ask):
    assert set(ask("list_models")["models"]) == {"ground", "box", "wall", "jackal"}


def test_a_state_that_is_set_is_the_state_that_is_told(ask, session):
    half = math.sqrt(0.5)
    ask(
        "set_state",
        name="box",
        position=[1.0, 2.0, 5.0],
        orientation=[0, 0, half, half],
        velocity=[0.5, 0.0, 0.0],
        angular_velocity=[0.0, 0.0, 1.0],
    )
    state = ask("get_state", name="box")
    assert state["position"] == pytest.approx([1.0, 2.0, 5.0])
    assert state["orientation"] == pytest.approx([0, 0, half, half])
    assert state["velocity"] == pytest.approx([0.5, 0.0, 0.0])
    assert state["angular_velocity"] == pytest.approx([0.0, 0.0, 1.0])


def test_a_thrown_box_flies_a_parabola(ask, session):
    ask("set_state", name="box", position=[0.0, 5.0, 3.0], velocity=[2.0, 0.0, 1.0])
    session.simulation.run(0.4)
    state = ask("get_state", name="box")
    height = 3.0 + 0.4 - 0.5 * 9.80665 * 0.4**2
    assert state["position"] == pytest.approx([0.8, 5.0, height], abs=0.01)


def test_a_robots_link_is_seen_from_another(ask):
    seen = ask("get_state", name="jackal/front_left_wheel_link", frame="jackal::base_link")
    assert seen["position"][0] == pytest.approx(0.131, abs=1e-3)
    assert seen["velocity"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_a_state_is_set_in_the_frame_of_another_model(ask):
    ask("set_state", name="jackal", position=[2.0, 1.0, 0.1], orientation=[0, 0, 1, 0])
    ask("set_state", name="box", position=[1.0, 0.0, 1.0], frame="jackal")
    state = ask("get_state", name="box")
    assert state["position"] == pytest.approx([1.0, 1.0, 1.1])


def test_what_stands_fixed_can_be_moved_too(ask):
    ask("set_state", name="wall", position=[20.0, 1.0, 0.5])
    assert ask("get_state", name="wall")["position"] == pytest.approx([20.0, 1.0, 0.5])


def test_a_force_for_a_while_gives_the_impulse_of_the_textbook(ask, session):
    ask("set_state", name="box", position=[0.0, 5.0, 50.0])
    ask("apply_wrench", body="box", force=[40.0, 0.0, 98.0665], duration_s=0.5)
    session.simulation.run(1.0)
    state = ask("get_state", name="box")
    assert state["velocity"][0] == pytest.approx(40.0 * 0.5 / 10.0, rel=0.01)  # F t / m
    assert state["velocity"][2] == pytest.approx(-9.80665 * 0.5, rel=0.01)
    assert not session.simulation.pushes


def test_a_force_beside_the_centre_turns(ask, session):
    ask("set_state", name="box", position=[0.0, 5.0, 50.0])
    ask(
        "apply_wrench",
        body="box/link",
        force=[10.0, 0.0, 0.0],
        point=[0.0, 0.25, 0.0],
        duration_s=0.1,
    )
    session.simulation.run(0.1)
    inertia = 10.0 * (0.5**2 + 0.5**2) / 12.0
    turning = ask("get_state", name="box")["angular_velocity"][2]
    assert turning == pytest.approx(-10.0 * 0.25 * 0.1 / inertia, rel=0.03)


def test_wrenches_can_be_taken_back(ask, session):
    ask("apply_wrench", body="box", force=[1.0, 0.0, 0.0])
    ask("apply_wrench", body="jackal", force=[1.0, 0.0, 0.0])
    assert ask("clear_wrenches", body="box") == {"cleared": 1}
    assert ask("clear_wrenches") == {"cleared": 1}


def test_a_push_outlives_a_change_of_the_world(ask, session):
    ask("apply_wrench", body="box", force=[100.0, 0.0, 0.0], duration_s=2.0)
    ask("spawn", name="crate", text=CRATE, position=[0.0, 8.0, 0.2])
    session.simulation.run(0.5)
    assert ask("get_state", name="box")["velocity"][0] > 0.5


@pytest.mark.parametrize(
    "push",
    [
        {"force": [1e99, 0.0, 0.0]},
        {"force": [1e6, 0.0, 0.0]},
        {"torque": [0.0, 0.0, 1e30]},
        {"force": [1.0, 0.0, 0.0], "point": [0.0, 1e99, 0.0]},
    ],
)
def test_a_push_that_would_end_the_run_at_once_is_refused(ask, session, push):
    with pytest.raises(
        OutriderError, match=r"'jackal/\w+' cannot be pushed so: \w+: expected at most"
    ):
        ask("apply_wrench", body="jackal", **push)
    assert len(session.simulation.pushes) == 0


@pytest.mark.parametrize(
    "push",
    [{"force": [1e5, 0.0, 0.0]}, {"torque": [0.0, 0.0, 3000.0]}, {"torque": [3e4, 0.0, 0.0]}],
)
def test_a_push_without_end_ends_before_the_run_does(ask, session, push, caplog):
    ask("apply_wrench", body="jackal", **push)
    session.simulation.run(1.0)
    assert len(session.simulation.pushes) == 0
    assert "the push on 'jackal/base_link' was ended: it moves at more than 300 m/s" in caplog.text


@pytest.mark.parametrize(
    ("service", "asked", "complaint"),
    [
        (
            "set_state",
            {"name": "box", "angular_velocity": [1e5, 0.0, 0.0]},
            "cannot turn at 100000 rad/s",
        ),
        ("apply_wrench", {"body": "wall", "force": [1.0, 0.0, 0.0]}, "'wall' is static"),
        (
            "add_object",
            {
                "name": "far",
                "mass": 1.0,
                "parts": [{"shape": {"type": "sphere"}, "pose": {"x": 1e9}}],
            },
            "'far' cannot be at x = 1e",
        ),
    ],
)
def test_what_would_end_the_run_or_cannot_move_is_refused(ask, session, service, asked, complaint):
    with pytest.raises(OutriderError, match=complaint):
        ask(service, **asked)
    session.simulation.run(0.1)


def test_the_arm_of_a_push_counts_from_the_centre_of_mass_however_the_link_is_turned(ask, session):
    far = CRATE.replace('<mass value="2"/>', '<mass value="2"/><origin xyz="0 5 0"/>')
    ask("spawn", name="crate", text=far, position=[0.0, 8.0, 0.2])
    most = 50.0 * 2.0 / session.simulation.rig.step_s
    ask("apply_wrench", body="crate", force=[0.9 * most, 0.0, 0.0], duration_s=0.0)
    turned = {"force": [0.0, 0.5 * most, 0.0], "point": [0.0, 6.0, 0.0]}  # along it, not for long
    with pytest.raises(OutriderError, match=r"'crate/body' cannot be pushed so: point: expected"):
        ask("apply_wrench", body="crate", **turned)


def test_a_push_on_what_stands_fixed_by_now_is_no_push_on_something_else(ask, session, caplog):
    ask("apply_wrench", body="box", force=[1.0, 0.0, 0.0])
    session.apply(SetObject(replace(BOX, mass=0.0)))
    ask("set_state", name="jackal", position=[0.0, 0.0, 50.0], velocity=[400.0, 0.0, 0.0])
    session.simulation.run(0.1)
    assert "the push on" not in caplog.text


def test_pushes_are_bounded_in_number(ask, session):
    for _ in range(1000):
        ask("apply_wrench", body="box", force=[0.001, 0.0, 0.0])
    with pytest.raises(OutriderError, match="there are 1000 pushes already: clear some first"):
        ask("apply_wrench", body="box", force=[0.001, 0.0, 0.0])


def test_a_wheel_is_not_turned_to_an_angle_without_digits(ask):
    with pytest.raises(
        OutriderError, match=r"set_joints: joints of 'jackal': expected at most 1e\+06"
    ):
        ask("set_joints", model="jackal", joints={"front_left_wheel": 1e99})


@pytest.mark.parametrize(("text", "height"), [(CRATE, 0.2), (BALL, 0.2)], ids=["urdf", "sdf"])
def test_a_model_of_text_falls_and_lies_on_the_ground(ask, session, text, height):
    assert ask("spawn", name="thing", text=text, position=[0, 4, 1])["kind"] == "model"
    session.simulation.run(2.0)
    assert ask("get_state", name="thing")["position"][2] == pytest.approx(height, abs=0.01)
    session.remove("thing")
    assert "thing" not in ask("list_models")["models"]


def test_a_text_may_be_xacro(ask):
    assert ask("spawn", name="x", text=xacro("${2 * 21}_"), position=[0, 4, 1])["kind"] == "model"
    assert ask("model_properties", name="x")["links"][0].startswith("42_")


def test_a_robot_of_text_drives_under_its_own_name(ask, session):
    urdf = session.simulation.rig.vehicles[0].robot.urdf.replace("meshes/", "missing/")
    urdf = _without_meshes(urdf)
    found = ask("spawn", name="second", text=urdf, format="urdf", position=[0.0, 5.0, 0.1])
    assert found["kind"] == "robot"
    assert "/second/cmd_vel" in {topic.name for topic in session.bus.topics()}
    session.simulation.robots["second"].drive(0.5)
    session.simulation.run(1.0)
    assert session.simulation.robots["second"].pose.position[0] > 0.1


def _without_meshes(urdf):
    import re

    return re.sub(r"<mesh [^>]*/>", '<box size="0.1 0.1 0.1"/>', urdf)


@pytest.mark.parametrize(
    ("service", "arguments", "says"),
    [
        ("get_state", {"name": "bax"}, "did you mean 'box'"),
        ("set_state", {"name": "box", "position": [1, 2]}, "position: expected 3"),
        (
            "set_state",
            {"name": "box", "position": [1, 2, math.nan]},
            "position.2: expected a finite number",
        ),
        ("apply_wrench", {"body": "wall/link", "force": [1, 0, 0]}, "static and cannot be pushed"),
        ("apply_wrench", {"body": "nobody", "force": [1, 0, 0]}, "nobody"),
        ("spawn", {"name": "x", "text": "<robot"}, "spawn 'x'"),
        ("spawn", {"name": "box", "text": CRATE}, "already"),
        ("spawn", {"name": "../x", "text": CRATE}, "name"),
        ("spawn", {"name": "x", "text": CRATE, "wher": 1}, "wher"),
        ("spawn", {"name": "x", "text": xacro("${xacro.load_yaml('/etc/hosts')}")}, "may be read"),
        ("spawn", {"name": "x", "text": xacro("$(env HOME)")}, "HOME is not set"),
        ("spawn", {"name": "x", "text": xacro("${'x'*10**10}")}, "letters"),
        ("spawn", {"name": "x", "text": f"<robot>{'<link/>' * 301}</robot>"}, "300 <link>"),
        (
            "spawn",
            {"name": "x", "text": BALL.replace("</link>", "<geometry/>" * 1001 + "</link>")},
            "up to 1000 <geometry>",
        ),
        ("set_joints", {"model": "jackal", "joints": {"front_lft_wheel": 1.0}}, "did you mean"),
        ("model_properties", {"name": "nobody"}, "nobody"),
        ("save_world", {}, "file"),
    ],
)
def test_bad_requests_end_in_one_sentence_and_change_nothing(
    ask, session, service, arguments, says
):
    before = session.simulation.state_hash
    with pytest.raises(OutriderError, match=says):
        ask(service, **arguments)
    assert session.simulation.state_hash == before


def test_reset_world_puts_things_back_and_lets_time_go_on(ask, session):
    start = session.simulation.robots["jackal"].pose.position
    session.simulation.robots["jackal"].drive(1.0)
    session.simulation.run(1.0)
    ask("reset_world")
    assert session.simulation.time_s == pytest.approx(1.0)
    assert np.allclose(session.simulation.robots["jackal"].pose.position, start)


def odometry_of(session):
    told = session.simulation.robots["jackal"].sensors["odometry"].latest.pose.pose
    return np.array([told.position.x, told.position.y, 2 * np.arctan2(*_turn(told.orientation))])


def _turn(orientation):
    return orientation.z, orientation.w


def driven_away(session):
    """Drive a curve, so that the wheels of both sides have turned by different angles."""
    for _ in range(12):
        session.simulation.robots["jackal"].drive(1.0, 1.0)
        session.simulation.run(0.1)
    return odometry_of(session)


@pytest.mark.parametrize("service", ["reset_world", "put_back"])
def test_a_robot_that_is_carried_back_does_not_take_the_way_for_a_drive(ask, session, service):
    before = driven_away(session)
    assert np.hypot(*before[:2]) > 0.5
    where = session.simulation.robots["jackal"].start.position
    now_s = ask(service)["time_s"]
    session.simulation.run(0.1)
    after = odometry_of(session)
    # put_back zeroes the odometry, reset_world lets it count on; the wheels stood still
    assert after == pytest.approx(before if service == "reset_world" else np.zeros(3), abs=0.02)
    assert session.simulation.time_s == pytest.approx(now_s + 0.1)
    robot = session.simulation.robots["jackal"]
    assert robot.pose.position == pytest.approx(where, abs=2e-3)
    assert np.abs(robot.velocity).max() < 0.01  # the old command is forgotten, the motors are calm


@pytest.mark.parametrize("service", ["reset_world", "put_back"])
@pytest.mark.parametrize("robot", ["jackal", "tank"])
def test_a_robot_that_was_put_back_on_a_slope_is_at_rest_as_at_its_start(robot, service):
    ground = FlatGround(size=200.0, slope_deg=15.0)
    robots = (RobotEntry(robot, pose=PoseSpec(1.0, 2.0, None, yaw_deg=40.0)),)
    session = Session(Scenario(world=WorldSpec("hill", ground=ground), robots=robots))
    simulation = session.simulation
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    where = body["position"].copy()
    for _ in range(10):
        simulation.robots[robot].drive(0.5, 0.3)
        simulation.run(0.1)
    assert np.linalg.norm(body["position"] - where) > 0.1
    Control(session).call(service)
    assert body["position"].tolist() == where.tolist()
    for _ in range(200):
        before = body["velocity"].copy()
        simulation.step()
        gained = np.linalg.norm(body["velocity"] - before) / simulation.rig.step_s
        assert gained < 0.1  # m/s2: it fell into its springs
    assert np.linalg.norm(body["position"] - where) < 1e-4


def test_a_robot_that_was_put_back_drives_as_at_first(ask, session):
    session.simulation.robots["jackal"].drive(1.0)
    session.simulation.run(0.2)
    first = odometry_of(session)
    driven_away(session)
    ask("put_back", name="jackal")
    session.simulation.robots["jackal"].drive(1.0)
    session.simulation.run(0.2)
    assert odometry_of(session) == pytest.approx(first, abs=0.01)
    with pytest.raises(OutriderError, match=r"no robot 'jackel' \(did you mean 'jackal'\?\)"):
        ask("put_back", name="jackel")


def test_a_saved_world_is_a_world_that_loads(ask, session, tmp_path):
    from outrider.loader.library import load_world_spec

    ask("save_world", file=str(tmp_path / "mine.yaml"))
    names = {item.name for item in load_world_spec(tmp_path / "mine.yaml").objects}
    assert names == {"box", "wall"}


def test_properties_tell_what_is_there(ask):
    assert ask("model_properties", name="jackal")["static"] is False
    assert "front_left_wheel" in ask("model_properties", name="jackal")["joints"]
    assert ask("model_properties", name="wall")["static"] is True
    assert ask("physics_properties")["step_s"] == load("demo").physics.step_s
    assert ask("world_properties")["time_s"] == 0.0


def test_all_states_come_at_once(ask):
    states = ask("get_states")
    assert states["models"]["wall"]["position"][0] == pytest.approx(9.0)
    assert "jackal/base_link" in states["links"]


def test_python_has_every_service_that_a_bridge_has(session):
    from outrider.messages.services.table import SERVICES

    assert Control(session).services() == sorted(SERVICES)


def test_step_takes_a_duration_and_move_a_pose(ask, session):
    assert ask("step", duration_s=0.1)["steps"] == 40
    assert session.simulation.time_s == pytest.approx(0.1)
    ask("move", name="box", x=4.0, y=4.0)
    assert ask("get_state", name="box")["position"][:2] == pytest.approx([4.0, 4.0])
    assert ask("reset")["time_s"] == 0.0
    assert ask("get_state", name="box")["position"][:2] == pytest.approx([4.0, 4.0])
