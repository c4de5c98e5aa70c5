"""Robots inside SDF worlds: what a plugin drives is a robot, the rest is the world around it."""

import pytest

from outrider.core.errors import ConfigError
from outrider.formats.import_file import import_file, whole_world
from outrider.loader.foreign_write import write_imported
from outrider.scenarios.api import open_
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

WHEEL = """<link name='{n}_wheel'><pose>0 {y} 0.1 -1.5707963267948966 0 0</pose><inertial>
  <mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  <collision name='c'><geometry>
  <cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry></collision></link>
  <joint name='{n}_joint' type='revolute'><parent>base</parent><child>{n}_wheel</child>
  <axis><xyz expressed_in='__model__'>0 1 0</xyz></axis></joint>"""
WHEELS = WHEEL.format(n="left", y=0.3) + WHEEL.format(n="right", y=-0.3)
BALL = "<geometry><sphere><radius>0.05</radius></sphere></geometry>"
SLIDING = "<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface>"
DRIVE = """<plugin filename='libgazebo_ros_diff_drive.so' name='drive'>
  <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint></plugin>"""
BOT = f"""<model name='{{name}}'><pose>{{x}} 2 0 0 0 0.5</pose>
  <link name='base'><pose>0 0 0.1 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.3</ixx>
  <iyy>0.3</iyy><izz>0.3</izz></inertia></inertial>
  <sensor name='imu' type='imu'><update_rate>100</update_rate></sensor></link>
  <link name='slider'><pose>-0.25 0 0.05 0 0 0</pose><inertial><mass>0.1</mass><inertia>
  <ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial>
  <collision name='c'>{BALL}{SLIDING}</collision></link>
  <joint name='hold' type='fixed'><parent>base</parent><child>slider</child></joint>
  {WHEELS}{{plugin}}</model>"""
MAST = """<model name='mast'><static>1</static><link name='l'><pose>-5 0 2 0 0 0</pose>
  <sensor name='sky' type='imu'/></link></model>"""


@pytest.fixture
def yard(tmp_path):
    def write(*bots):
        path = tmp_path / "yard.world"
        body = "<include><uri>model://ground_plane</uri></include>" + MAST + "".join(bots)
        path.write_text(f"<sdf version='1.8'><world name='default'>{body}</world></sdf>")
        return path

    return write


def bot(name="bot", x=1.0, plugin=DRIVE):
    return BOT.format(name=name, x=x, plugin=plugin)


def test_the_robot_of_a_world_drives_from_where_its_file_puts_it(yard):
    sim = open_(yard(bot()))
    robot = sim.robots["bot"]
    assert robot.pose.position[:2] == pytest.approx([1.0, 2.0], abs=1e-6)
    assert robot.pose.rpy[2] == pytest.approx(0.5, abs=1e-6)
    for _ in range(15):
        robot.drive(0.4, 0.3)
        sim.run(0.1)
    assert robot.velocity[0] == pytest.approx(0.4, rel=0.03)
    assert robot.angular_velocity[2] == pytest.approx(0.3, rel=0.05)
    assert sim.rig.assembly.models.count("bot") == 1


def test_the_report_is_of_the_whole_world_and_names_its_robot(yard):
    found = import_file(yard(bot()))
    counts = found.report.counts
    assert (found.report.kind, counts["robots"], counts["models"]) == (
        "world",
        ["bot (differential)"],
        3,
    )
    assert [entry.name for entry in found.robot.sensors] == ["imu"]
    assert [entry.name for entry in found.world.sensors] == ["sky"]
    assert {model.name for model in whole_world(found).models} == {"ground_plane", "mast", "bot"}


def test_every_driven_model_is_a_robot_at_its_place_and_one_without_a_plugin_an_object(yard):
    path = yard(bot(), bot("the other", 4.0), bot("parked", 7.0, plugin=""))
    found = import_file(path)
    assert found.report.counts["robots"] == ["bot (differential)", "the other (differential)"]
    assert [model.name for model in found.world.world.models] == ["ground_plane", "mast", "parked"]
    sim = open_(path)
    assert {name: robot.pose.position[0] for name, robot in sim.robots.items()} == pytest.approx(
        {"bot": 1.0, "the_other": 4.0}, abs=1e-6
    )
    sim.robots["the_other"].drive(0.2, 0.0)
    sim.run(0.2)
    assert sim.robots["the_other"].velocity[0] > 0.05
    assert abs(sim.robots["bot"].velocity[0]) < 1e-3
    names = {topic.name for topic in sim.bus.topics()}
    assert {"/bot/imu/data", "/the_other/imu/data"} <= names


def test_a_scenario_picks_one_of_a_world_s_robots(yard):
    path = yard(bot(), bot("other", 4.0))
    entry = f"{{model: {path}, robot: other}}"
    simulation = build(loads(f"world: empty\nrobots: [{entry}]\n"))
    assert list(simulation.robots) == ["other"]
    with pytest.raises(ConfigError, match=r"no robot 'othr' in it \(did you mean 'other'"):
        build(loads(f"world: empty\nrobots: [{entry.replace('other', 'othr')}]\n"))


def test_robots_turn_with_a_world_that_has_a_heading(yard):
    path = yard(bot(), bot("other", 4.0))
    place = """<spherical_coordinates><surface_model>EARTH_WGS84</surface_model>
      <latitude_deg>47</latitude_deg><longitude_deg>8</longitude_deg><elevation>0</elevation>
      <heading_deg>90</heading_deg></spherical_coordinates>"""
    path.write_text(path.read_text().replace("<world name='default'>", f"<world name='w'>{place}"))
    found = import_file(path)
    first, second = (robot.model.pose for robot in found.robots)
    assert found.world.world.start.position == pytest.approx(first.position)
    apart = second.position - first.position
    assert abs(apart) == pytest.approx([0.0, 3.0, 0.0], abs=1e-9)


def test_another_robot_takes_the_place_of_a_world_s_own(yard):
    simulation = build(loads(f"world: {yard(bot())}\nrobots: [{{model: jackal}}]\n"))
    assert list(simulation.robots) == ["jackal"]
    assert simulation.robots["jackal"].pose.position[:2] == pytest.approx([1.0, 2.0], abs=1e-3)
    assert "bot" not in simulation.rig.assembly.models


def test_world_and_robot_are_written_apart(yard, tmp_path):
    written = write_imported(import_file(yard(bot())), tmp_path / "mine")
    names = {path.name for path in written}
    assert names == {"bot.yaml", "bot.urdf", "yard.yaml", "yard.sdf"}
    text = (
        f"world: {tmp_path / 'mine/yard.yaml'}\nrobots: [{{model: {tmp_path / 'mine/bot.yaml'}}}]\n"
    )
    robot = build(loads(text)).robots["bot"]
    assert robot.pose.position[:2] == pytest.approx([1.0, 2.0], abs=1e-3)


def test_a_plugin_of_an_include_drives_the_included_model(tmp_path):
    folder = tmp_path / "models" / "bot"
    folder.mkdir(parents=True)
    (folder / "model.config").write_text("<model><sdf version='1.8'>model.sdf</sdf></model>")
    imu = """<plugin filename='libhector_gazebo_ros_imu.so' name='i'><bodyName>base</bodyName>
      <topicName>attitude</topicName></plugin>"""
    (folder / "model.sdf").write_text(f"<sdf version='1.8'>{bot(plugin=imu)}</sdf>")
    path = tmp_path / "yard.world"
    include = f"<include><uri>model://bot</uri><name>one</name>{DRIVE}<scale>2</scale></include>"
    path.write_text(f"<sdf version='1.8'><world name='w'>{include}</world></sdf>")
    found = import_file(path)
    assert found.report.counts["robots"] == ["one (differential)"]
    topics = {entry.model: dict(entry.topics) for entry in found.robot.sensors}
    assert topics == {"ideal-imu": {}, "imu-hector": {"data": "attitude"}}
    assert any("<scale>" in str(note) and "left out" in str(note) for note in found.world.log)


OFFSET_WHEEL = """<link name='{n}_wheel'><inertial><pose>0 {y} 0.1 0 0 0</pose><mass>1</mass>
  <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial><collision name='c'>
  <pose>0 {y} 0.1 1.5707963267948966 0 0</pose><geometry><cylinder><radius>0.1</radius>
  <length>0.05</length></cylinder></geometry></collision></link>
  <joint name='{n}_joint' type='revolute'><pose>0 {y} 0.1 0 0 0</pose><parent>base</parent>
  <child>{n}_wheel</child><axis><xyz>0 1 0</xyz></axis></joint>"""


def test_wheels_whose_joints_are_off_the_origins_of_their_links_drive(yard):
    offset = OFFSET_WHEEL.format(n="left", y=0.3) + OFFSET_WHEEL.format(n="right", y=-0.3)
    sim = open_(yard(bot().replace(WHEELS, offset)))
    robot = sim.robots["bot"]
    for _ in range(15):
        robot.drive(0.4, 0.3)
        sim.run(0.1)
    assert robot.velocity[0] == pytest.approx(0.4, rel=0.03)
    assert robot.angular_velocity[2] == pytest.approx(0.3, rel=0.05)
    assert robot.pose.position[2] == pytest.approx(0.0, abs=0.01)  # on its tyres alone


def test_a_controller_file_beside_a_model_is_read(tmp_path):
    (tmp_path / "bot.sdf").write_text(f"<sdf version='1.8'>{bot()}</sdf>")
    (tmp_path / "control.yaml").write_text(
        "wheels: {left_wheel: left_joint, right_wheel: right_joint, wheel_separation: 0.61}"
    )
    drivetrain = import_file(tmp_path / "bot.sdf").robot.draft["drivetrain"]
    assert drivetrain["track"] == 0.61


def test_a_driven_model_with_an_axle_in_one_piece_is_an_object_with_the_reason(yard):
    axle = WHEEL.format(n="left", y=0).replace(
        "</link>",
        """<collision name='d'><pose>0 0 0.3 0 0 0</pose><geometry><cylinder><radius>0.1</radius>
        <length>0.05</length></cylinder></geometry></collision></link>""",
    )
    axle = axle.replace("<collision name='c'>", "<collision name='c'><pose>0 0 -0.3 0 0 0</pose>")
    found = import_file(yard(BOT.replace(WHEELS, axle).format(name="cart", x=0, plugin=DRIVE)))
    assert not found.robots
    (told,) = [note for note in found.report.of("ignored") if "here it is an object" in note]
    assert "it turns wheels on both sides with one joint ('left_joint')" in told
