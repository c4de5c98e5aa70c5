"""A model of another program by itself is run on a plane, with the robot beside it."""

import pytest

from outrider.scenarios.build import build
from outrider.scenarios.opening import find_scenario

INERTIA = "<ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz>"
BOX = "<geometry><box><size>.5 .5 .5</size></box></geometry>"
CRATE_SDF = (
    "<sdf version='1.7'><model name='crate'><link name='l'>"
    f"<inertial><mass>5</mass><inertia>{INERTIA}</inertia></inertial>"
    f"<visual name='v'>{BOX}</visual><collision name='c'>{BOX}</collision>"
    "</link></model></sdf>"
)
CRATE_WORLD = CRATE_SDF.replace("<model", "<world name='w'><model").replace(
    "</model>", "</model></world>"
)
CRATE_XML = (
    "<mujoco><worldbody><body name='crate' pos='0 0 3'><freejoint/>"
    "<geom type='box' size='.25 .25 .25'/></body></worldbody></mujoco>"
)
INERTIAL = (
    "<inertial><mass value='5'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"
    "</inertial>"
)


def slab(x, y, size):
    shape = f"<origin xyz='{x} {y} 0'/><geometry><box size='{size}'/></geometry>"
    return f"<visual>{shape}</visual><collision>{shape}</collision>"


def urdf(*slabs):
    return f"<robot name='crate'><link name='l'>{INERTIAL}{''.join(slabs)}</link></robot>"


ROOM = urdf(*(slab(x, y, s) for x, y, s in ((4, 0, ".1 8 .5"), (-4, 0, ".1 8 .5"))))
TABLE = urdf(slab(0, 0, ".5 .5 .5"))


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [
        ("crate.sdf", CRATE_SDF, -1.0),
        ("crate.world", CRATE_WORLD, -1.0),
        ("crate.xml", CRATE_XML, -1.0),
        ("crate.urdf", TABLE, -1.0),
        ("room.urdf", ROOM, 0.0),
    ],
)
def test_a_thing_lies_on_a_plane_and_the_robot_stands_beside_or_in_it(tmp_path, name, text, start):
    (tmp_path / name).write_text(text)
    simulation = build(find_scenario(str(tmp_path / name)))
    robot, thing = simulation.rig.vehicles[0].root, simulation.rig.assembly.root("crate")
    simulation.run(0.5)
    bodies = simulation.state.bodies
    assert bodies[robot]["position"][:2] == pytest.approx([start, 0.0], abs=0.01)
    assert bodies[robot]["position"][2] == pytest.approx(0.063, abs=0.01)
    assert bodies[thing]["position"][:3] == pytest.approx([0.0, 0.0, 0.25], abs=0.01)
