"""Files that Foxglove's clients may fetch: those of the robots, and none that a peer names."""

import pytest

pytest.importorskip("foxglove")

from outrider.bridges.bridge import RobotDescription
from outrider.bridges.foxglove.assets import Assets
from outrider.messages.services.requests import ModelText
from outrider.scenarios.bridging import descriptions
from outrider.scenarios.load import loads
from outrider.scenarios.session.session import Session
from outrider.scenarios.session.spawning import spawn

_WHEEL = """<link name="{name}"><inertial><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin rpy="1.5708 0 0"/><geometry><cylinder radius="0.1" length="0.05"/></geometry>
</collision></link><joint name="{name}_joint" type="continuous"><parent link="base"/>
<child link="{name}"/><origin xyz="{x} {y} -0.1"/><axis xyz="0 1 0"/></joint>"""
_BASE = """<robot name="cart"><link name="base"><inertial><mass value="10"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.5 0.4 0.2"/></geometry></collision></link>"""


def _cart(more):
    wheels = [
        _WHEEL.format(name=f"{end}_{side}_wheel", x=x, y=y)
        for side, y in (("left", 0.25), ("right", -0.25))
        for end, x in (("front", 0.2), ("rear", -0.2))
    ]
    return f"{_BASE}{''.join(wheels)}{more}</robot>"


def test_only_the_files_of_a_robot_and_their_pictures_leave_a_folder(tmp_path):
    for name in ("wheel.obj", "wheel.mtl", "secret.txt"):
        (tmp_path / name).write_text(name)
    mesh, other = (tmp_path / "wheel.obj").as_uri(), (tmp_path / "secret.txt").as_uri()
    assets = Assets()
    urdf = f'<mesh filename="{mesh}"/><!--"{other}"-->'
    told = assets.described(RobotDescription("car", "", "", urdf, frozenset({mesh})))
    assert told == f'<mesh filename="package://outrider/car-0/wheel.obj"/><!--"{other}"-->'
    assert assets.read("package://outrider/car-0/wheel.obj") == b"wheel.obj"
    assert assets.read("package://outrider/car-0/wheel.mtl") == b"wheel.mtl"
    assert assets.read("package://outrider/car-0/secret.txt") is None
    assert assets.read("package://outrider/car-0/%2e%2e/x.png") is None


@pytest.mark.parametrize(
    "named",
    [
        '<!--"file://{file}"-->',
        "<gazebo><uri>file://{file}</uri></gazebo>",
        '<gazebo><plugin name="p" filename="{file}"/></gazebo>',
        '<gazebo><plugin name="p" filename="' + 12 * "../" + '.{file}"/></gazebo>',
        '<gazebo><mesh filename="{file}"/></gazebo>',
        '<!--<texture filename="{file}"/>-->',
    ],
)
def test_a_description_sent_by_a_peer_opens_no_file(named, tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "secret.obj").write_text("v 0 0 0")
    text = _cart(named.format(file=tmp_path / "secret.obj"))
    session = Session(loads("world: empty\nrobots: []"))
    assert spawn(session, ModelText("evil", text, position=(0.0, 0.0, 1.0))).kind == "robot"
    robot = next(r for r in descriptions(session)() if r.name == "evil")
    assert robot.urdf.count("file://") == text.count("file://")  # it does not tell what exists
    assets = Assets()
    assert "package://outrider" not in assets.described(robot)
    assert assets.read("package://outrider/evil-0/secret.obj") is None
