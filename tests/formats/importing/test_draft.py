"""Drafted robots turn as they are told, by theory or by the controller file beside them."""

import math
import re

import pytest

from outrider.cli.main import main
from outrider.core.errors import ConfigError
from outrider.formats.urdf.description import read_robot_description
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Plane

WHEEL = """<link name="{n}_link"><inertial><mass value="{m}"/><inertia ixx="{i}" ixy="0" ixz="0"
  iyy="{i}" iyz="0" izz="{i}"/></inertial>
  <collision><origin rpy="1.5707963267948966 0 0"/><geometry>
  <cylinder radius="{r}" length="{w}"/></geometry></collision></link>
  <joint name="{n}" type="continuous"><parent link="base_link"/><child link="{n}_link"/>
  <origin xyz="{x} {y} {z}"/><axis xyz="0 1 0"/></joint>"""
BASE = """<link name="base_link"><inertial><mass value="{m}"/><inertia ixx="{i}" ixy="0" ixz="0"
  iyy="{i}" iyz="0" izz="{i}"/></inertial></link>"""
CONTROL = """
velocity_controller:
  type: diff_drive_controller/DiffDriveController
  left_wheel: [front_left_wheel, rear_left_wheel]
  right_wheel: [front_right_wheel, rear_right_wheel]
  wheel_separation_multiplier: 1.7
  cmd_vel_timeout: 0.3
  linear: {x: {has_velocity_limits: true, max_velocity: 2.0, max_acceleration: 20.0}}
  angular: {z: {has_velocity_limits: false, max_velocity: 4.0}}
"""
CONTROL_2 = """
/**:
  platform_velocity_controller:
    ros__parameters:
      left_wheel_names: [front_left_wheel, rear_left_wheel]
      right_wheel_names: [front_right_wheel, rear_right_wheel]
      wheel_separation: 0.4
      wheel_separation_multiplier: 1.6
      wheel_radius: 0.1
      linear.x.max_velocity: 1.5
"""
SIDES = (("left", 1), ("right", -1))


def urdf(axles, track, radius, mass):
    wheels = "".join(
        WHEEL.format(
            n=f"{axle}_{side}_wheel",
            m=mass / 40,
            i=mass * radius**2 / 100,
            r=radius,
            w=radius / 2,
            x=x,
            y=sign * track / 2,
            z=radius,
        )
        for axle, x in axles.items()
        for side, sign in SIDES
    )
    base = BASE.format(m=mass * (1 - len(axles) / 20), i=mass * track**2 / 6)
    return f'<robot name="bot">{base}{wheels}</robot>'


JACKAL = urdf({"front": 0.131, "rear": -0.131}, 0.37559, 0.098, 18.4)
HUSKY = urdf({"front": 0.256, "rear": -0.256}, 0.5708, 0.1651, 56.6)
LONG = urdf({"front": 0.45, "rear": -0.45}, 0.6, 0.15, 60.0)
REAR_HEAVY = HUSKY.replace(
    '<link name="base_link"><inertial>',
    '<link name="base_link"><inertial><origin xyz="-0.0875 0 0.1"/>',
)
SIX = urdf({"front": 0.35, "middle": 0.0, "rear": -0.35}, 0.6, 0.15, 60.0)


def turned(file, seconds=3.0, told=1.0):
    """Return by how much a robot turns per second, after a second."""
    plane = Geometry(Plane(50.0))
    ground = Model("floor", (Link("link", None, (plane,), (plane,)),), mobility="static")
    simulation = Simulation(World("flat", (ground,)), [Participant(load_robot(str(file)), "bot")])
    handle = simulation.robots["bot"]
    rates = []
    for step in range(round(seconds / simulation.rig.step_s)):
        handle.drive(0.0, told)
        simulation.step()
        if step * simulation.rig.step_s > 1.0:
            rates.append(handle.angular_velocity[2])
    return sum(rates) / len(rates)


@pytest.mark.parametrize("text", [JACKAL, HUSKY, LONG, SIX], ids=["jackal", "husky", "long", "six"])
def test_a_drafted_skid_steer_robot_turns_as_it_is_told(tmp_path, text):
    file = tmp_path / "bot.urdf"
    file.write_text(text)
    assert turned(file) == pytest.approx(1.0, rel=0.01)


def test_a_rear_heavy_skid_steer_robot_turns_about_a_point_nearer_to_its_rear(tmp_path):
    file = tmp_path / "bot.urdf"
    file.write_text(REAR_HEAVY)
    assert turned(file, told=0.4) == pytest.approx(0.4, rel=0.015)
    multiplier = read_robot_description(file, env={}).draft["drivetrain"]["track_multiplier"]
    assert multiplier < 0.8 * (1 + 4 * 0.256**2 / 0.5708**2)


def test_the_track_that_a_plugin_tells_does_not_change_how_far_it_turns(tmp_path):
    file = tmp_path / "bot.urdf"
    plugin = """<gazebo><plugin name="p" filename="libgazebo_ros_skid_steer_drive.so">
      <leftFrontJoint>front_left_wheel</leftFrontJoint><leftRearJoint>rear_left_wheel</leftRearJoint>
      <rightFrontJoint>front_right_wheel</rightFrontJoint>
      <rightRearJoint>rear_right_wheel</rightRearJoint>
      <wheelSeparation>0.5</wheelSeparation></plugin></gazebo></robot>"""
    file.write_text(JACKAL.replace("</robot>", plugin))
    drive = read_robot_description(file, env={}).draft["drivetrain"]
    assert drive["track"] == 0.5
    theory = 0.37559 + 4 * 0.131**2 / 0.37559
    assert drive["track"] * drive["track_multiplier"] == pytest.approx(theory, rel=0.005)


@pytest.mark.parametrize(
    ("text", "track", "multiplier", "limits", "timeout"),
    [
        (CONTROL, 0.37559, 1.7, {"speed": 2.0, "acceleration": 20.0}, 0.3),
        (CONTROL_2, 0.4, 1.6, {"speed": 1.5}, None),
    ],
    ids=["ros1", "ros2"],
)
def test_the_controller_file_of_the_package_beside_it_is_read(
    tmp_path, text, track, multiplier, limits, timeout
):
    file = tmp_path / "bot_description" / "urdf" / "bot.urdf"
    config = tmp_path / "bot_control" / "config" / "control.yaml"
    for path in (file, config):
        path.parent.mkdir(parents=True)
    (tmp_path / "bot_description" / "package.xml").write_text("<package/>")
    file.write_text(JACKAL)
    config.write_text(text)
    robot = read_robot_description(file, env={})
    drive = robot.draft["drivetrain"]
    assert (drive["track"], drive["track_multiplier"]) == (pytest.approx(track), multiplier)
    assert robot.draft["limits"] == limits
    assert robot.draft.get("command_timeout_s") == timeout
    assert any(str(config) in note for note in robot.notes)


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "left_wheel: 3\nright_wheel: {a: 1}",
        CONTROL.replace("rear_left", "other_left"),
        CONTROL.replace("1.7", ".nan"),
        CONTROL.replace("1.7", "9" * 400),
    ],
)
def test_a_controller_file_that_says_nothing_useful_changes_nothing(tmp_path, text):
    file = tmp_path / "bot.urdf"
    file.write_text(JACKAL)
    alone = read_robot_description(file, env={}).draft["drivetrain"]
    (tmp_path / "my_control.yaml").write_text(text)
    assert read_robot_description(file, env={}).draft["drivetrain"] == alone


def test_a_strangers_robot_has_no_controllers_but_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "bot" / "cache"))
    files = tmp_path / "bot" / "cache" / "projects" / "p-1" / "robots" / "bot.urdf"
    ours = (tmp_path / "bot" / "config", tmp_path / "bot_control" / "config")
    others = tmp_path / "bot" / "cache" / "projects" / "my_control" / "config"
    for folder in (files.parent, *ours, others):
        folder.mkdir(parents=True)
    for folder in (*ours, others):
        (folder / "control.yaml").write_text(CONTROL_2)
    files.write_text(JACKAL)
    (tmp_path / "bot" / "package.xml").write_text("<package/>")
    assert read_robot_description(files, env={}).draft["drivetrain"]["track_multiplier"] != 1.6
    (files.parents[1] / "package.xml").write_text("<package/>")
    assert read_robot_description(files, env={}).draft["drivetrain"]["track_multiplier"] != 1.6
    (files.parent / "control.yaml").write_text(CONTROL_2)
    assert read_robot_description(files, env={}).draft["drivetrain"]["track_multiplier"] == 1.6


def test_the_factor_of_two_axles_is_that_of_theory(tmp_path):
    file = tmp_path / "bot.urdf"
    file.write_text(HUSKY)
    drive = read_robot_description(file, env={}).draft["drivetrain"]
    a, b = 0.256, 0.5708 / 2
    assert drive["track_multiplier"] == pytest.approx(1 + a**2 / b**2, rel=1e-3)
    assert math.isclose(drive["wheel_radius"], 0.1651)


CONTROL_3 = f"""{CONTROL_2}
      enable_odom_tf: false
      odom_frame_id: wheels
      publish_rate: 25.0
"""
PLUGIN = """<gazebo><plugin filename="gz_ros2_control-system" name="c"><parameters>{}</parameters>
  </plugin></gazebo></robot>"""


@pytest.mark.parametrize("address", ["params/wheels.yaml", "package://bot/params/wheels.yaml"])
def test_the_controllers_that_a_plugin_names_are_read_with_their_frames(tmp_path, address):
    file = tmp_path / "bot" / "bot.urdf"
    (file.parent / "params").mkdir(parents=True)
    (file.parent / "package.xml").write_text("<package><name>bot</name></package>")
    (file.parent / "params" / "wheels.yaml").write_text(CONTROL_3)
    file.write_text(JACKAL.replace("</robot>", PLUGIN.format(address)))
    draft = read_robot_description(file, env={}).draft
    assert draft["drivetrain"]["track_multiplier"] == 1.6
    assert draft["odometry"] == {"frame": "wheels", "publish_tf": False}
    assert draft["rates"] == {"odometry": 25.0}


def test_controllers_that_are_not_there_are_told(tmp_path):
    file = tmp_path / "bot.urdf"
    file.write_text(JACKAL.replace("</robot>", PLUGIN.format("gone.yaml")))
    notes = read_robot_description(file, env={}).notes
    assert any("gone.yaml" in note and "controllers were left out" in note for note in notes)


@pytest.mark.parametrize(("told", "friction"), [("<mu1>0</mu1><mu2>0</mu2>", 0.0), ("", None)])
def test_a_castor_slides_as_its_file_says(tmp_path, told, friction):
    castor = f"""<link name="caster"><collision><geometry><sphere radius="0.03"/></geometry>
      </collision></link><joint name="c" type="fixed"><parent link="base_link"/>
      <child link="caster"/><origin xyz="0.2 0 0.03"/></joint>
      <gazebo reference="caster">{told}</gazebo></robot>"""
    file = tmp_path / "bot.urdf"
    file.write_text(urdf({"rear": 0.0}, 0.4, 0.1, 10.0).replace("</robot>", castor))
    (found,) = read_robot_description(file, env={}).draft["castors"]
    assert (found["link"], found.get("friction")) == ("caster", friction)


MASS = """<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
  </inertial>"""
AXLE = """<link name="{n}">{more}<collision><origin xyz="0 0.2 0" rpy="1.5708 0 0"/><geometry>
  <cylinder radius="0.1" length="0.05"/></geometry></collision></link>
  <joint name="{n}_axle" type="continuous"><parent link="base"/><child link="{n}"/>
  <origin xyz="{x} 0 0"/><axis xyz="0 1 0"/></joint>"""
WHEEL_2 = """<collision><origin xyz="0 -0.2 0" rpy="1.5708 0 0"/><geometry>
  <cylinder radius="0.1" length="0.05"/></geometry></collision>"""


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (WHEEL_2, "turns wheels on both sides with one joint ('rear_axle', 'front_axle')"),
        ("", "has no wheels on both sides"),
    ],
)
def test_an_axle_that_carries_both_wheels_is_told_as_the_reason(
    tmp_path, capsys, monkeypatch, other, reason
):
    places = {"rear": -0.3, "front": 0.3}
    axles = (AXLE.format(n=n, x=x, more=MASS + other) for n, x in places.items())
    path = tmp_path / "car.urdf"
    path.write_text(f"<robot name='car'><link name='base'>{MASS}</link>{''.join(axles)}</robot>")
    monkeypatch.setattr("sys.argv", ["outrider", "check", str(path)])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert f"'car' {reason}" in capsys.readouterr().out
    with pytest.raises(ConfigError, match=re.escape(reason)):
        load_robot(path)


def test_a_plugin_that_names_joints_that_are_not_there_is_told_and_wheels_are_found(tmp_path):
    text = urdf({"front": 0.0}, 0.4, 0.1, 5.0).replace(
        "</robot>",
        "<gazebo><plugin name='d' filename='libgazebo_ros_diff_drive.so'>"
        "<leftJoint>wheel_left</leftJoint><rightJoint>front_right_weel</rightJoint>"
        "</plugin></gazebo></robot>",
    )
    (tmp_path / "bot.urdf").write_text(text)
    found = read_robot_description(tmp_path / "bot.urdf")
    assert found.draft["drivetrain"]["left"] == ["front_left_wheel"]
    told = (
        "the drive plugin names joints that 'bot' lacks: 'wheel_left', 'front_right_weel'"
        " (did you mean 'front_right_wheel'?)"
    )
    assert told in [note.text for note in found.log]
