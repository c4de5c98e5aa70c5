"""The components that are built in: each moves what it is on as its parameters say."""

from pathlib import Path

import numpy as np
import pytest

import outrider as o
from outrider.components.catalogue import COMPONENTS
from outrider.core.frames import yaw_of
from outrider.scenarios.load import loads

FOLDER = Path(__file__).parents[2] / "examples" / "components"
YARD = f"""
name: yard
world:
  ground: {{type: flat, material: asphalt}}
  objects:
    - {{name: slab, shape: {{type: box, size: [2, 2, 0.2]}}, pose: {{x: 5, z: 1}}, scripted: true}}
    - {{name: box, shape: {{type: box, size: [0.4, 0.4, 0.4]}}, pose: {{x: 5, z: 1.3}}, mass: 5}}
    - {{name: cart, shape: {{type: box, size: [0.5, 0.5, 0.2]}}, pose: {{x: -5}}, mass: 20}}
  models: [{{file: {FOLDER / "gateway.urdf"}, name: barn, pose: {{x: 0, y: 8, z: 0}}}}]
robots: [{{model: jackal}}]
"""


@pytest.fixture
def sim():
    return o.build(loads(YARD))


def place(sim, name):
    return sim.state.bodies[sim.rig.assembly.root(name)]["position"].copy()


def test_every_built_in_component_is_found_by_its_name():
    for name in COMPONENTS:
        assert issubclass(COMPONENTS.load(name), o.Component)


def test_a_conveyor_carries_what_lies_on_it_and_stays_where_it_is(sim):
    sim.run(0.2)
    sim.attach("conveyor", "slab", speed=0.5, axis=(0.0, 1.0, 0.0))
    sim.run(0.5)
    before, slab = place(sim, "box"), place(sim, "slab")
    sim.run(1.0)
    np.testing.assert_allclose(place(sim, "box") - before, [0, 0.5, 0], atol=0.01)
    np.testing.assert_allclose(place(sim, "slab"), slab, atol=1e-9)
    np.testing.assert_allclose(place(sim, "slab"), [5, 0, 1], atol=1e-9)


def test_a_lift_takes_what_stands_on_it_to_the_floor_it_is_told(sim):
    me = sim.attach("lift", "slab", floors=(0.0, 0.8), speed=0.5, topic="/floor")
    sim.run(0.5)
    assert me.position[2] == pytest.approx(1.0)
    sim.publish("/floor", {"data": 1})
    sim.run(3.0)
    assert me.position[2] == pytest.approx(1.8, abs=0.005)
    assert place(sim, "box")[2] == pytest.approx(1.8 + 0.1 + 0.2, abs=0.01)


def test_a_gate_opens_when_told_and_closes_again(sim):
    me = sim.attach("gate", "barn/hinge", open=1.2, speed=1.0, topic="/gate")
    sim.run(0.2)
    assert me.joint.position == pytest.approx(0.0, abs=0.01)
    sim.publish("/gate", {"data": True})
    sim.run(2.5)
    assert me.joint.position == pytest.approx(1.2, abs=0.02)
    sim.publish("/gate", {"data": False})
    sim.run(2.5)
    assert me.joint.position == pytest.approx(0.0, abs=0.02)


def test_a_gate_shifts_a_scripted_object_while_a_robot_is_near(sim):
    me = sim.attach("gate", "slab", open=0.5, axis=(1.0, 0.0, 0.0), speed=0.5, near=6.0)
    sim.run(2.0)
    assert me.position[0] == pytest.approx(5.5, abs=0.01)


def test_a_planar_move_goes_sideways_and_stops_when_nobody_speaks(sim):
    me = sim.attach("planar-move", "cart", topic="/cart", odometry="/cart/odom")
    sim.run(0.3)
    before = me.position
    for _ in range(10):
        sim.publish("/cart", {"linear": {"y": 0.5}})
        sim.run(0.1)
    np.testing.assert_allclose(me.position - before, [0.0, 0.5, 0.0], atol=0.01)
    sim.run(1.0)
    stopped = me.position
    sim.run(0.5)
    np.testing.assert_allclose(me.position, stopped, atol=1e-3)
    assert sim.bus.channel("/cart/odom").count > 100


def test_a_planar_move_turns_a_robot_as_told_though_its_wheels_resist(sim):
    (robot,) = sim.robots.values()
    sim.attach("planar-move", "jackal", topic="/omni")
    sim.run(0.3)
    turned, yaw = 0.0, yaw_of(robot.pose.rotation)
    for _ in range(20):
        sim.publish("/omni", {"linear": {"y": 0.2}, "angular": {"z": 0.5}})
        sim.run(0.1)
        now = yaw_of(robot.pose.rotation)
        turned, yaw = turned + now - yaw, now
    assert turned == pytest.approx(1.0, rel=0.02)


def test_a_planar_move_that_nobody_uses_leaves_a_robot_to_its_wheels(sim):
    (robot,) = sim.robots.values()
    sim.attach("planar-move", "jackal", topic="/omni")
    start = robot.pose.position.copy()
    for _ in range(20):
        robot.drive(0.5)
        sim.run(0.1)
    assert robot.pose.position[0] - start[0] == pytest.approx(0.95, abs=0.05)


def test_a_joint_controller_with_gains_settles_where_a_spring_would(sim):
    gains = {"p": 200.0, "d": 60.0, "effort": 80.0}
    me = sim.attach("joint-controller", "barn/door", topic="/hinge", **gains)
    sim.step()
    sim.publish("/hinge", {"data": 0.7})
    sim.run(5.0)
    assert me.joint.position == pytest.approx(0.7, abs=0.01)
    assert me.joint.velocity == pytest.approx(0.0, abs=0.01)


def test_a_joint_controller_of_velocity_turns_at_that_speed(sim):
    me = sim.attach("joint-controller", "barn/hinge", control="velocity", target=0.4)
    sim.run(1.0)
    assert me.joint.velocity == pytest.approx(0.4, rel=0.02)


def test_joints_report_the_inertia_that_they_turn(sim):
    hinge = sim.attach("gate", "barn/hinge").joint
    assert hinge.inertia == pytest.approx(6.0 + 20.0 * 0.9**2)  # the door's, by Steiner's rule
