"""Cars in MJCF files are robots: they drive as they are told, in the world of their file."""

import mujoco
import numpy as np
import pytest

from outrider.core.frames import matrix_from_quaternion
from outrider.formats.import_file import import_file
from outrider.scenarios.api import open_
from outrider.world.assembly import assemble
from outrider.world.model import World

WHEEL = '<geom type="cylinder" size=".05 .02" euler="90 0 0" mass=".1"/>'
ROLL = '<joint name="{}" axis="0 1 0" damping="0.02"/>'
STEER = '<joint name="{}_steer" axis="0 0 1" range="-30 30"/>'


def wheel(name, x, y, joints=ROLL):
    return f'<body name="{name}_wheel" pos="{x} {y} 0">{joints.format(name)}{WHEEL}</body>'


def car(*wheels, more=""):
    return f"""<mujoco model="yard"><compiler autolimits="true"/><worldbody>
    <geom type="plane" size="10 10 .1"/><geom name="wall" type="box" size=".1 1 .2" pos="4 3 .2"/>
    <body name="ball" pos="-2 0 .1"><freejoint/><geom type="sphere" size=".1"/></body>
    <body name="car" pos="1 2 .05" euler="0 0 90"><freejoint/>
    <geom type="box" size=".2 .08 .03" pos="0 0 .05" mass="2"/>{more}{"".join(wheels)}</body>
    </worldbody><actuator><velocity joint="l"/><velocity joint="r"/></actuator></mujoco>"""


BALL = '<geom type="sphere" size=".02" pos=".15 0 -.03" condim="1"/>'
CART = car(wheel("l", -0.1, 0.12), wheel("r", -0.1, -0.12), more=BALL)
STEERED = (
    wheel("fl", 0.15, 0.12, STEER.format("fl") + ROLL),
    wheel("fr", 0.15, -0.12, STEER.format("fr") + ROLL),
)
SEDAN = car(wheel("l", -0.15, 0.12), wheel("r", -0.15, -0.12), *STEERED)


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "yard.xml"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(("text", "drive"), [(CART, "differential"), (SEDAN, "ackermann")])
def test_it_drives_as_it_is_told_from_where_its_file_puts_it(file, text, drive):
    found = import_file(file(text))
    assert found.report.kind == "robot"
    assert found.robot.draft["drivetrain"]["type"] == drive
    assert found.robot.draft["drivetrain"].get("left", ["l"]) == ["l"]
    sim = open_(file(text))
    (robot,) = sim.robots.values()
    assert robot.pose.position[:2] == pytest.approx([1.0, 2.0], abs=1e-6)
    assert robot.pose.rpy[2] == pytest.approx(np.pi / 2, abs=1e-6)
    for _ in range(15):
        robot.drive(0.4, 0.3)
        sim.run(0.1)
    assert robot.velocity[0] == pytest.approx(0.4, rel=0.03)
    assert robot.angular_velocity[2] == pytest.approx(0.3, rel=0.1)
    assert abs(robot.pose.rpy[1]) < 0.02  # level: a castor carries the cart's front
    names = [model.name for model in found.world.world.models]
    assert names == ["world", "ball"]  # all of the file but the car


def test_a_ball_on_a_ball_joint_is_a_castor(file):
    ball = '<body name="rear" pos=".15 0 -.03"><joint type="ball"/><geom size=".02"/></body>'
    text = car(wheel("l", -0.1, 0.12), wheel("r", -0.1, -0.12), more=ball)
    (castor,) = import_file(file(text)).robot.draft["castors"]
    assert (castor["radius"], castor["friction"]) == (0.02, 0.0)
    sim = open_(file(text))
    (robot,) = sim.robots.values()
    for _ in range(15):
        robot.drive(0.0, 0.8)
        sim.run(0.1)
    assert robot.angular_velocity[2] == pytest.approx(0.8, rel=0.03)  # before, it dragged


def test_a_body_of_several_joints_is_a_chain_that_moves_as_in_mujoco(file):
    path = file(SEDAN)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    angles = {"fl_steer": 0.4, "fl": 1.1}
    for name, angle in angles.items():
        data.joint(name).qpos = angle
    mujoco.mj_kinematics(theirs, data)
    base, tyre = data.body("car"), data.body("fl_wheel")
    model = import_file(path).robot.model
    carried = {joint.child: joint for joint in model.joints}
    rotation, position, name = np.eye(3), np.zeros(3), "fl_wheel"
    while name in carried:  # down to the chassis, every joint turned
        joint = carried[name]
        half = angles.get(joint.name, 0.0) / 2
        turn = matrix_from_quaternion(
            np.array([*(np.sin(half) * np.array(joint.axis)), np.cos(half)])
        )
        lift = matrix_from_quaternion(joint.origin.rotation) @ turn
        rotation, position = lift @ rotation, joint.origin.position + lift @ position
        name = joint.parent
    frame = base.xmat.reshape(3, 3)
    assert frame @ rotation == pytest.approx(tyre.xmat.reshape(3, 3), abs=1e-9)
    assert base.xpos + frame @ position == pytest.approx(tyre.xpos, abs=1e-9)
    masses = sum(body.inertial.mass for body in assemble(World("w", (model,))).bodies)
    assert masses == pytest.approx(theirs.body("car").subtreemass[0], rel=1e-12)


def test_every_car_of_a_file_is_a_robot(file):
    second = CART.split('<body name="car"')[1].split("</worldbody>")[0]
    second = second.replace('name="l', 'name="l2').replace('name="r', 'name="r2')
    second = '<body name="van"' + second.replace('pos="1 2 .05"', 'pos="-1 2 .05"', 1)
    actuators = '<velocity joint="l2"/><velocity joint="r2"/></actuator>'
    text = CART.replace("</worldbody>", second + "</worldbody>").replace("</actuator>", actuators)
    path = file(text)
    assert import_file(path).report.counts["robots"] == ["car (differential)", "van (differential)"]
    sim = open_(path)
    assert {name: robot.pose.position[0] for name, robot in sim.robots.items()} == pytest.approx(
        {"car": 1.0, "van": -1.0}, abs=1e-6
    )


@pytest.mark.parametrize("turns", ["joint", "jointinparent"])
def test_a_car_that_looks_along_y_is_told_to_be_turned(file, turns):
    text = (
        '<mujoco><worldbody><body name="cart"><freejoint/><geom type="box" size=".1 .2 .05"/>{}{}'
        f'</body></worldbody><actuator><motor {turns}="l"/><motor {turns}="r"/></actuator></mujoco>'
    )
    rolling = '<joint name="{}" axis="1 0 0"/><geom type="cylinder" size=".05 .02" euler="0 90 0"/>'
    wheels = [
        f'<body pos="{x} 0 0">{rolling.format(name)}</body>'
        for name, x in zip("lr", (-1, 1), strict=True)
    ]
    found = import_file(file(text.format(*wheels)))
    assert found.robots == ()
    (told,) = found.report.of("guessed")
    assert told.startswith("'cart' looks along y (its wheels 'l', 'r' turn about x)")


def test_a_texture_leaves_its_mean_colour(file):
    text = (
        '<mujoco><asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 .5 0"'
        ' width="64" height="64"/><material name="m" texture="t" rgba="1 .5 1 .8"/></asset>'
        '<worldbody><geom type="plane" size="1 1 1" material="m"/></worldbody></mujoco>'
    )
    found = import_file(file(text))
    colour = found.models[0].links[0].visuals[0].material.colour
    assert colour == pytest.approx((0.5, 0.125, 0.0, 0.8), abs=0.01)
    assert any("their mean colours are used" in note for note in found.report.of("ignored"))
