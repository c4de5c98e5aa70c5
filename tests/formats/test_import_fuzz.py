"""Descriptions that were damaged at random end in one sentence, never in a traceback."""

from copy import deepcopy

import numpy as np
import pytest
from lxml import etree

from outrider.core.errors import OutriderError
from outrider.formats.import_file import ImportOptions, as_world, import_file
from outrider.formats.importing.report import counted

SDF = b"""<?xml version="1.0"?><sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity>
<scene><ambient>0.1 0.2 0.3 1</ambient></scene><light name="sun" type="directional">
<direction>0 0 -1</direction></light><frame name="f"><pose>1 2 3 0 0 1</pose></frame>
<model name="m"><pose relative_to="f">1 0 0 0 0 0</pose><link name="a"><inertial><mass>2</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial><collision name="c"><geometry>
<box><size>1 2 3</size></box></geometry><surface><friction><ode><mu>0.5</mu></ode></friction>
</surface></collision><sensor name="s" type="ray"><ray><scan><horizontal><samples>10</samples>
<min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan></ray></sensor></link>
<link name="b"><pose relative_to="a" degrees="true">0 0 1 0 0 90</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit>
<lower>-1</lower><upper>1</upper></limit></axis></joint><model name="inner"><static>1</static>
<link name="l"><visual name="v"><geometry><polyline><point>0 0</point><point>1 0</point>
<point>0 1</point><height>1</height></polyline></geometry></visual></link></model></model>
<population name="p"><model name="r"><static>1</static><link name="l"/></model>
<model_count>3</model_count><box><size>1 1 1</size></box></population>
<state world_name="w"><model name="m"><pose>0 0 1 0 0 0</pose></model></state></world></sdf>"""
XACRO = b"""<?xml version="1.0"?><robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
<xacro:property name="w" value="0.5"/><xacro:arg name="n" default="2"/>
<xacro:macro name="wheel" params="name y"><link name="${name}"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial><collision><origin
rpy="1.5708 0 0"/><geometry><cylinder radius="0.1" length="0.05"/></geometry></collision></link>
<joint name="${name}_joint" type="continuous"><parent link="base"/><child link="${name}"/>
<origin xyz="0 ${y*w} 0"/><axis xyz="0 1 0"/></joint></xacro:macro><link name="base"/>
<xacro:wheel name="left" y="1"/><xacro:if value="${int('$(arg n)') == 2}">
<xacro:wheel name="right" y="-1"/></xacro:if><gazebo reference="left"><mu1>0.5</mu1></gazebo>
<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so"><leftJoint>left_joint</leftJoint>
<rightJoint>right_joint</rightJoint><wheelSeparation>1</wheelSeparation></plugin></gazebo>
<gazebo reference="base"><sensor name="i" type="imu"><update_rate>50</update_rate></sensor></gazebo>
</robot>"""
MJCF = b"""<mujoco model="m"><worldbody><geom type="plane" size="5 5 1"/><body name="a" pos="0 0 1">
<freejoint/><geom type="box" size="1 1 1" mass="2"/><body name="b" pos="0 0 1"><joint name="j"
axis="0 1 0" range="-1 1" limited="true"/><geom type="capsule" size="0.1 1" mass="1"/></body></body>
</worldbody></mujoco>"""


JUNK = [
    "",
    "0",
    "-1",
    "nan",
    "1e999",
    "1e308",
    "0 0 0",
    "a",
    "::",
    "m::l",
    "world",
    "__model__",
    "true",
    "b",
    "file:///etc/passwd",
    "model://m",
    "../..",
    "\n",
    "x" * 300,
    "${1/0}",
    "$(arg n)",
    "99999999999",
    "fixed",
    "plane",
]


def bytes_damaged(data, rng):
    """Change, drop or repeat a few stretches of bytes: mostly no XML any more."""
    out = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at, length = rng.integers(0, len(out)), rng.integers(1, 9)
        bytes_ = [bytes(rng.integers(0, 256, length, dtype=np.uint8)), b"", out[at : at + 40] * 2]
        out[at : at + length] = bytes_[rng.integers(0, len(bytes_))]
        out = out or bytearray(b" ")
    return bytes(out)


def tree_damaged(data, rng):
    """Change words, and drop, repeat or move elements: still XML."""
    root = etree.fromstring(data)
    for _ in range(rng.integers(1, 5)):
        elements = list(root.iter())
        element = elements[rng.integers(0, len(elements))]
        other = elements[rng.integers(0, len(elements))]
        junk = JUNK[rng.integers(0, len(JUNK))]
        what = rng.integers(0, 5)
        if what == 0:
            element.text = junk
        elif what == 1 and element.attrib:
            names = list(element.attrib)
            element.set(names[rng.integers(0, len(names))], junk)
        elif what == 2 and element is not root:
            element.getparent().remove(element)
        elif what == 3 and element is not root:
            element.getparent().append(deepcopy(element))
        elif element is not root and other not in list(element.iter()):
            other.append(element)
    return etree.tostring(root)


def damaged(data, rng):
    return (bytes_damaged if rng.random() < 0.3 else tree_damaged)(data, rng)


@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize(
    ("name", "data", "rounds"), [("w.sdf", SDF, 400), ("r.xacro", XACRO, 200), ("m.xml", MJCF, 100)]
)
@pytest.mark.filterwarnings("error")
def test_damaged_descriptions_are_read_or_refused(tmp_path, name, data, rounds, lenient):
    rng = np.random.default_rng(1)
    path = tmp_path / name
    read = refused = 0
    for _ in range(rounds):
        path.write_bytes(damaged(data, rng))
        try:
            found = import_file(path, ImportOptions(env={}, lenient=lenient))
            counted(as_world(found).models)
            read += 1
        except OutriderError as error:
            refused += "\n" not in str(error)
    assert read + refused == rounds
    assert read > 5
    assert refused > 5
