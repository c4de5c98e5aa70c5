"""Joints without a motor of their own are held still, whatever they carry and whoever is below."""

from dataclasses import replace

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.held_joints import HOLD_RATE, Moved, holding
from outrider.vehicles.motors import HELD, MOTOR, turn
from outrider.vehicles.robot import load_robot
from outrider.world.model import Geometry, Inertial, Joint, Link, Model, World
from outrider.world.shapes import Plane
from outrider.world.state import JOINT

GROUND = Link("link", None, (Geometry(Plane()),), (Geometry(Plane()),))
FLOOR = World("floor", (Model("ground", (GROUND,), mobility="static"),))


def _fastest(simulation, seconds):
    """Return the fastest that any joint turns, and the robot moves, in that time."""
    joints, body = simulation.state.joints, simulation.state.bodies[simulation.rig.vehicles[0].root]
    turning = moving = 0.0
    for _ in range(round(seconds / simulation.rig.step_s)):
        simulation.step()
        turning = max(turning, float(np.abs(joints["velocity"]).max()))
        moving = max(moving, float(np.linalg.norm(body["velocity"])))
    return turning, moving


def test_a_tank_on_its_turret_comes_to_rest():
    pose = Pose.from_rpy([0.3, -0.4, 2.6], [np.pi - 0.1, 0.05, 0.4])
    tank = Participant(load_robot("tank").bare(), "tank", pose, on_ground=False)
    simulation = Simulation(FLOOR, [tank])
    simulation.run(8.0)
    turning, moving = _fastest(simulation, 2.0)
    assert turning < 1e-3  # before: 0.17 rad/s
    assert moving < 1e-3  # before: 0.1 m/s, for ever


def _with_arm(kind):
    """Return a Jackal with a light first link that carries a heavy second one."""
    jackal = load_robot("jackal").bare()
    light = Inertial(0.1, 2e-5 * np.eye(3))
    heavy = Inertial(4.0, 0.05 * np.eye(3), Pose([0.3, 0.0, 0.0]))
    links = (Link("shoulder", light, (), ()), Link("arm", heavy, (), ()))
    root = jackal.model.roots[0].name
    joints = (
        Joint("lift", kind, root, "shoulder", Pose([0.0, 0.0, 0.3]), (0.0, 0.0, 1.0)),
        Joint("elbow", "revolute", "shoulder", "arm", Pose(), (0.0, 1.0, 0.0)),
    )
    model = jackal.model
    model = replace(model, links=(*model.links, *links), joints=(*model.joints, *joints))
    return replace(jackal, model=model)


@pytest.mark.parametrize("kind", ["continuous", "prismatic"])
def test_a_light_link_that_carries_a_heavy_one_is_held(kind):
    simulation = Simulation(FLOOR, [Participant(_with_arm(kind), "jackal", Pose())])
    simulation.run(4.0)
    turning, moving = _fastest(simulation, 1.0)
    assert turning < 1e-3
    assert moving < 1e-3
    assert np.abs(simulation.state.joints["position"][-2:]).max() < 1e-3


@pytest.mark.parametrize("fingers", [2, 3])
def test_fingers_on_a_light_wrist_do_not_swing_each_other(fingers):
    """Before: each was stable by itself, and together they turned at 100 rad/s."""
    jackal = load_robot("jackal").bare()
    upward, wrist = (0.0, 0.0, 1.0), Inertial(0.05, 1e-4 * np.eye(3))
    finger = Inertial(0.1, 5e-4 * np.eye(3))
    names = [f"finger_{number}" for number in range(fingers)]
    links = (Link("wrist", wrist, (), ()), *(Link(name, finger, (), ()) for name in names))
    root = jackal.model.roots[0].name
    roll = Joint("roll", "continuous", root, "wrist", Pose([0.3, 0.0, 0.3]), upward)
    grip = (Joint(f"{n}_joint", "revolute", "wrist", n, Pose(), upward) for n in names)
    model = jackal.model
    model = replace(model, links=(*model.links, *links), joints=(*model.joints, roll, *grip))
    simulation = Simulation(FLOOR, [Participant(replace(jackal, model=model), "jackal", Pose())])
    simulation.robots["jackal"].drive(0.3, 0.5)
    simulation.run(4.0)
    turning, moving = _fastest(simulation, 1.0)
    assert turning < 1e-3
    assert moving < 1e-3


def test_a_joint_that_something_stands_on_is_a_spring_with_its_weight_on_top():
    """Before: the integral rose without end, and the robot swung on its gun for ever."""
    motor, spec = np.zeros(1, MOTOR), holding(Moved(10.0, 10.0, 100.0, resists=20.0))
    motor["mode"], motor["inertia"], motor["rate"] = HELD, 10.0, HOLD_RATE
    motor["gain"], motor["integral"], motor["brake"] = spec.gain, spec.integral, spec.brake_nm
    motor["torque"], motor["power"] = spec.torque_nm, spec.power_w
    joints, loads = np.zeros(1, JOINT), np.zeros(1)
    joints["position"] = -0.1  # pressed aside and kept there
    for _ in range(8000):
        loads[:] = 0.0
        turn(motor, joints, loads, np.zeros(1), 0.0025)
    spring = HOLD_RATE * spec.gain * 0.1
    assert spring < loads[0] < 1.05 * (spring + 2 * 20.0)
