"""Bullet numbers the links of a robot in an order of its own: names and joints keep to ours."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.physics.engine import ENGINES
from outrider.world.assembly import assemble
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Joint, Link, Model, World
from outrider.world.shapes import Box, Plane

FLAP = Box((0.4, 0.2, 0.1))


def _link(name, shape):
    return Link(name, solid_inertial(shape, 2.0), (), (Geometry(shape, name=name),))


def _two_flaps():
    """Return a box with a flap on either side, the left one with a flap of its own."""
    box, flaps = _link("box", Box((0.4, 0.4, 0.4))), ("left", "right", "far")
    links = (box, *(_link(name, FLAP) for name in flaps))
    joints = tuple(
        Joint(name, "revolute", parent, child, Pose([0.0, y, 0.0]), (0.0, 0.0, 1.0))
        for name, parent, child, y in (
            ("left", "box", "left", 0.4),
            ("right", "box", "right", -0.4),
            ("far", "left", "far", 0.3),
        )
    )
    plane = (Geometry(Plane(), name="floor"),)
    floor = Model("floor", (Link("link", None, plane, plane),), mobility="static")
    robot = Model("robot", links, joints, Pose([0.0, 0.0, 0.3]))
    return assemble(World("flaps", (floor, robot)))


@pytest.fixture
def engine():
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return ENGINES.load("bullet")(_two_flaps(), 0.0025)


def test_each_joint_turns_under_its_own_torque(engine):
    for joint in range(3):
        engine.set_joints(np.arange(3), np.zeros(3), np.zeros(3))
        for _ in range(4):
            engine.loads.joints[:] = 0.0
            engine.loads.joints[joint] = 0.5
            engine.step()
        speeds = engine.state.joints["velocity"]
        assert int(speeds.argmax()) == joint
        assert speeds[joint] > 0.05


def test_a_contact_has_the_name_of_the_link_that_touches(engine):
    on_its_side = Pose.from_rpy([0.0, 0.0, 0.81], [-np.pi / 2, 0.0, 0.0])
    engine.place(0, on_its_side, np.array([0.0, 0.0, -1.0]), np.zeros(3))
    touching = set()
    for _ in range(20):
        engine.step()
        touching |= {(c.first_name, c.second_name) for c in engine.contacts()}
    assert touching == {("robot/far/far", "floor")}
