"""Gazebo's plugins that move things become components; what is not mapped is told."""

import pytest

import outrider as o
from outrider.formats.import_file import import_file

LINK = """<link name="{name}"><pose>{pose}</pose><inertial><mass>{mass}</mass>
<inertia><ixx>5</ixx><iyy>5</iyy><izz>5</izz></inertia></inertial>
<collision name="c"><geometry><box><size>{size}</size></box></geometry></collision>
<visual name="v"><geometry><box><size>{size}</size></box></geometry></visual></link>"""


def link(name, pose, mass, size):
    return LINK.format(name=name, pose=pose, mass=mass, size=size)


WORLD = f"""<sdf version="1.9"><world name="hall">
<model name="ground" ><static>true</static><link name="l"><collision name="c"><geometry><plane>
<normal>0 0 1</normal><size>50 50</size></plane></geometry></collision></link></model>
<model name="belt"><pose>0 -6 0 0 0 0</pose><static>true</static>
  {link("top", "0 0 0.5 0 0 0", 1, "4 1 1")}
  <plugin filename="gz-sim-track-controller-system" name="gz::sim::systems::TrackController">
    <link>top</link><velocity_topic>/belt/speed</velocity_topic></plugin></model>
<model name="box"><pose>0 -6 1.2 0 0 0</pose>{link("l", "0 0 0 0 0 0", 5, "0.4 0.4 0.4")}</model>
<model name="tower"><pose>6 0 0 0 0 0</pose>{link("base", "0 0 0.5 0 0 0", 900, "2 2 1")}
  {link("cabin", "0 0 1.2 0 0 0", 40, "1 1 0.2")}
  <joint name="rail" type="prismatic"><parent>base</parent><child>cabin</child>
    <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>5</upper></limit></axis></joint>
  <plugin filename="gz-sim-elevator-system" name="gz::sim::systems::Elevator">
    <cabin_joint>rail</cabin_joint><floor_height>1.0</floor_height><topic>tower/floor</topic>
    <door_joint_prefix>door_</door_joint_prefix></plugin></model>
<model name="arm"><pose>-6 0 0 0 0 0</pose>{link("foot", "0 0 0.5 0 0 0", 900, "1 1 1")}
  {link("boom", "0 0 1.5 0 0 0", 10, "0.2 0.2 1")}
  <joint name="turn" type="revolute"><parent>foot</parent><child>boom</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <plugin filename="gz-sim-joint-position-controller-system" name="x"><joint_name>turn</joint_name>
    <topic>/arm</topic><p_gain>80</p_gain><d_gain>40</d_gain><cmd_max>90</cmd_max></plugin>
  <plugin filename="gz-sim-wind-effects-system" name="w"/>
  <plugin filename="libMyOwnThing.so" name="m"/></model>
<model name="puck"><pose>0 6 0.1 0 0 0</pose>{link("l", "0 0 0 0 0 0", 5, "0.4 0.4 0.2")}
  <plugin filename="libgazebo_ros_planar_move.so" name="p"><commandTopic>puck/cmd</commandTopic>
    <odometryTopic>puck/odom</odometryTopic></plugin></model>
</world></sdf>"""


@pytest.fixture
def hall(tmp_path):
    file = tmp_path / "hall.sdf"
    file.write_text(WORLD)
    return file


def test_plugins_are_mapped_and_the_rest_is_told(hall):
    found = import_file(hall)
    assert found.world is not None
    kinds = {(entry["type"], entry["on"]) for entry in found.world.components}
    assert kinds == {
        ("conveyor", "belt/top"),
        ("lift", "tower/rail"),
        ("joint-controller", "arm/turn"),
        ("planar-move", "puck"),
    }
    left_out = " ".join(found.report.of("ignored"))
    for said in (
        "wind is read from the world's <wind>",
        "myownthing is not known",
        "door_joint_pref",
    ):
        assert said in left_out
    assert "plugin elevator became the component 'lift'" in " ".join(found.report.of("applied"))


YARD = f"""<sdf version="1.9"><world name="yard">
<model name="ground" ><static>true</static><link name="l"><collision name="c"><geometry><plane>
<normal>0 0 1</normal><size>50 50</size></plane></geometry></collision></link></model>
<model name="gate"><pose>0 6 0 0 0 0</pose>{link("frame", "0 0 0.5 0 0 0", 900, "0.2 3 1")}
  {link("left", "0 0 1.6 0 0 0", 20, "1 0.05 1")}
  <joint name="hinge" type="revolute"><parent>frame</parent><child>left</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-1.2</lower><upper>0</upper></limit></axis></joint>
  <plugin filename="libdoor.so" name="door"><v_max_door>0.8</v_max_door>
    <a_max_door>0.3</a_max_door><f_max_door>500</f_max_door>
    <door left_joint_name="hinge" name="main" right_joint_name="empty_joint" type="SwingDoor"/>
  </plugin></model>
<model name="crane"><pose>6 0 0 0 0 0</pose>{link("base", "0 0 0.5 0 0 0", 900, "2 2 1")}
  {link("slide", "0 0 1.2 0 0 0", 10, "1 1 0.2")}
  <joint name="rail" type="prismatic"><parent>base</parent><child>slide</child>
    <axis><xyz>1 0 0</xyz></axis></joint>
  <plugin filename="gz-sim-apply-joint-force-system" name="gz::sim::systems::ApplyJointForce">
    <joint_name>rail</joint_name></plugin></model>
<model name="belt"><pose>0 -6 0 0 0 0</pose><static>true</static>
  {link("top", "0 0 0.5 0 0 0", 1, "4 1 1")}
  <plugin name="c" filename="libROS2ConveyorBeltPlugin.so"><link>top</link>
    <max_velocity>0.5</max_velocity>{{power}}</plugin></model>
<model name="box"><pose>0 -6 1.2 0 0 0</pose>{link("l", "0 0 0 0 0 0", 5, "0.4 0.4 0.4")}</model>
</world></sdf>"""


def test_doors_forces_and_belts_are_driven_on_the_topics_that_gazebo_names(tmp_path):
    file = tmp_path / "yard.sdf"
    file.write_text(YARD.format(power=""))
    found = import_file(file)
    assert "stands until a speed comes on /model/belt/conveyor/speed" in " ".join(
        found.report.of("applied")
    )
    sim = o.open(file)
    sim.step()
    sim.publish("/main/open", {"data": True})
    sim.publish("/model/crane/joint/rail/cmd_force", {"data": 20.0})
    sim.publish("/model/belt/conveyor/speed", {"data": 0.25})
    sim.run(1.0)
    joints = dict(zip((j.name for j in sim.rig.assembly.joints), sim.state.joints, strict=True))
    assert joints["crane/rail"]["position"] == pytest.approx(0.5 * 20.0 / 10.0, abs=0.05)
    sim.run(1.0)
    joints = dict(zip((j.name for j in sim.rig.assembly.joints), sim.state.joints, strict=True))
    assert joints["gate/hinge"]["position"] == pytest.approx(-1.2, abs=0.03)
    assert sim.components.faults == []


def test_a_belt_runs_at_its_share_of_the_greatest_speed(tmp_path):
    file = tmp_path / "yard.sdf"
    file.write_text(YARD.format(power="<power>50</power>"))
    world = import_file(file).world
    assert world is not None
    (belt,) = (entry for entry in world.components if entry["type"] == "conveyor")
    assert belt["speed"] == 0.25


def test_what_was_mapped_moves_without_any_trust(hall):
    sim = o.open(hall)
    sim.step()
    sim.publish("/belt/speed", {"data": 0.4})
    sim.publish("/tower/floor", {"data": 1})
    sim.publish("/arm", {"data": 0.5})
    sim.run(0.5)
    index = {body.name: i for i, body in enumerate(sim.rig.assembly.bodies)}
    before = sim.state.bodies[index["box/l"]]["position"].copy()
    for _ in range(5):
        sim.publish("/puck/cmd", {"linear": {"x": 0.5}})
        sim.run(0.2)
    assert sim.state.bodies[index["box/l"]]["position"][0] - before[0] == pytest.approx(
        0.4, abs=0.03
    )
    assert sim.state.bodies[index["puck/l"]]["position"][0] == pytest.approx(0.5, abs=0.05)
    sim.run(3.0)
    joints = dict(zip((j.name for j in sim.rig.assembly.joints), sim.state.joints, strict=True))
    assert joints["tower/rail"]["position"] == pytest.approx(1.0, abs=0.02)
    assert joints["arm/turn"]["position"] == pytest.approx(0.5, abs=0.05)
    assert sim.components.faults == []
