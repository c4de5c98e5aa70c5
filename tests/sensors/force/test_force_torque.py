"""Forces and torques in joints, against what mechanics says and what MuJoCo reckons itself."""

import copy

import mujoco
import numpy as np
import pytest
from engine_worlds import G, arm, ground, hold_base, pendulum, solid, world_of
from joint_bench import JointBench
from sensor_stand import heard, listen, simulate

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.sensors.force.force_torque import ForceTorque, ForceTorqueParameters
from outrider.sensors.triad import Triad
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Box, Sphere

ARM = np.array([0.3, 0.1, -0.5])
TOOL = Inertial(2.0, np.diag([0.02, 0.03, 0.04]), Pose(ARM))
TILTED = Pose.from_rpy([0.0, 0.0, 0.5], [0.4, -0.7, 1.0])
ENGINES = ["mujoco", "bullet"]


def available(engine):
    if engine == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return engine


@pytest.fixture(params=ENGINES)
def engine(request):
    return available(request.param)


def crane(kind, engine, **more):
    """Return an arm that holds a tool, its base carried."""
    joint = Joint("wrist", kind, "base", "link0", TILTED, (0.0, 1.0, 0.0), **more)
    bench = JointBench(world_of(arm([joint], [TOOL])), engine)
    bench.push = hold_base
    return bench


def hanging(bench):
    """Return what a tool at rest should pull with, in its own axes."""
    row = bench.engine.state.bodies[-1]
    turn = row["rotation"] if len(bench.assembly.joints) else TILTED.rotation
    weight = matrix_from_quaternion(turn).T @ [0.0, 0.0, -2.0 * G]
    return weight, np.cross(ARM, weight)


@pytest.mark.parametrize("name", [*ENGINES, "kinematic"])
def test_a_hanging_mass_pulls_with_its_weight_on_its_lever_arm(name):
    bench = crane("fixed", available(name))
    sensor = bench.mount(ForceTorque, "arm/link0")
    bench.step(10)
    force, torque = bench.read(sensor)
    weight, moment = hanging(bench)
    assert force == pytest.approx(weight, abs=0.001 * G)
    assert torque == pytest.approx(moment, abs=0.001 * G)


def test_a_joint_at_rest_passes_on_its_motors_or_springs_torque(engine):
    bench = crane("revolute", engine, stiffness=200.0, damping=20.0)
    sensor = bench.mount(ForceTorque, "arm/link0")
    bench.step(1500)
    force, torque = bench.read(sensor)
    weight, moment = hanging(bench)
    assert force == pytest.approx(weight, abs=0.01 * G)
    assert torque == pytest.approx(moment, abs=0.01 * G)
    spring = 200.0 * bench.engine.state.joints[0]["position"]
    assert torque[1] == pytest.approx(spring, abs=0.01 * G)


def test_a_sensor_turned_and_moved_on_its_link_measures_about_its_own_origin():
    bench = crane("fixed", "mujoco")
    mount = Pose.from_rpy([0.0, 0.2, 0.1], [0.3, 0.2, -0.1])
    parameters = ForceTorqueParameters(measure_direction="parent_to_child")
    sensor = bench.mount(ForceTorque, "arm/link0", parameters, mount)
    bench.step(5)
    force, torque = bench.read(sensor)
    T = TILTED @ mount
    weight = matrix_from_quaternion(T.rotation).T @ [0.0, 0.0, 2.0 * G]
    assert force == pytest.approx(weight, rel=1e-5)
    assert torque == pytest.approx(np.cross(mount.inverse().apply(ARM), weight), rel=1e-5)


def test_before_the_first_step_everything_hangs_still():
    bench = crane("fixed", "mujoco")
    force, _ = bench.read(bench.mount(ForceTorque, "arm/link0"))
    assert np.linalg.norm(force) == pytest.approx(2.0 * G)


def test_a_swinging_pendulum_pulls_as_its_equation_says(engine):
    length, inertia, start = 0.8, 0.03, 1.2
    bench = JointBench(world_of(pendulum(length)), engine)
    bench.push = hold_base
    bench.engine.set_joints(np.array([0]), np.array([start]), np.zeros(1))
    sensor = bench.mount(ForceTorque, "arm/link0")
    bench.history.forget()
    for _ in range(60):
        bench.step(10)
        force, torque = bench.read(sensor)
        joint = bench.engine.state.joints[0]
        # the reading is the mean of a step, whose middle was half a step ago
        angle = joint["position"] - joint["velocity"] * 0.0005
        spin = joint["velocity"]
        acceleration = -G * length * np.sin(angle) / (inertia + length**2)
        along = -(G * np.cos(angle) + length * spin**2)  # down the rod
        across = G * np.sin(angle) + length * acceleration
        # the hinge turns the rod towards -x as its angle grows
        assert force == pytest.approx([across, 0.0, along], abs=0.02 * G)
        assert torque == pytest.approx(np.zeros(3), abs=0.02 * G)


def test_a_free_fall_is_felt_by_nothing():
    tool = Joint("mount", "fixed", "base", "link0", TILTED)
    bench = JointBench(world_of(arm([tool], [TOOL], base=TOOL)))
    sensor = bench.mount(ForceTorque, "arm/link0")
    bench.step(20)
    force, torque = bench.read(sensor)
    assert force == pytest.approx(np.zeros(3), abs=1e-6)
    assert torque == pytest.approx(np.zeros(3), abs=1e-6)


def chain():
    """Return an arm of three joints whose end is a ball that lies on the ground."""
    part = Inertial(1.5, np.diag([0.1, 0.12, 0.15]), Pose.from_rpy([0.1, 0.02, 0], [0.3, 0, 0.1]))
    joints = [
        Joint("a", "revolute", "base", "link0", Pose(), (0, 1, 0), damping=0.5),
        Joint("b", "revolute", "link0", "link1", Pose([0.4, 0, 0]), (0, 1, 0), damping=0.5),
        Joint("c", "revolute", "link1", "link2", Pose([0.4, 0, 0]), (1, 0, 0), damping=0.5),
    ]
    model = arm(joints, [part] * 3)
    end = Link("link2", part, (), (Geometry(Sphere(0.1), Pose([0.2, 0, 0])),))
    links = (*model.links[:-1], end)
    return Model("arm", links, model.joints, Pose([0.0, 0.0, 0.5]))


def mujoco_says(engine, body, origin, turn):
    """Return what MuJoCo's own Newton-Euler pass finds on the joint of a body."""
    model, data = engine._model, copy.copy(engine._data)
    base = engine._names.rows["id"][0]
    data.xfrc_applied[base, 2] = G * model.body_mass[base]  # as ``hold_base`` will
    if data.ncon and data.nefc:
        engine._names.restitution.tell(data)
    for stage in (mujoco.mj_fwdActuation, mujoco.mj_fwdAcceleration, mujoco.mj_fwdConstraint):
        stage(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    number = engine._names.rows["id"][body]
    torque, force = np.split(data.cfrc_int[number].copy(), 2)
    torque -= np.cross(origin - data.subtree_com[model.body_rootid[number]], force)
    back = matrix_from_quaternion(turn).T
    return -(back @ force), -(back @ torque)


@pytest.mark.parametrize("link", ["link0", "link1", "link2"])
def test_an_arm_that_strikes_the_ground_feels_what_mujocos_own_pass_finds(link):
    bench = JointBench(world_of(ground(), chain()))
    bench.push = hold_base
    sensor = bench.mount(ForceTorque, f"arm/{link}")
    body = bench.assembly.frame(f"arm/{link}").body
    touched = 0
    for _ in range(400):
        row = bench.engine.state.bodies[body].copy()
        expected = mujoco_says(bench.engine, body, row["position"], row["rotation"])
        bench.step()
        found = bench.read(sensor)
        scale = 5.0 + np.linalg.norm(expected[0])
        assert found[0] == pytest.approx(expected[0], abs=0.03 * scale)
        assert found[1] == pytest.approx(expected[1], abs=0.03 * scale)
        touched += len(bench.engine.contact_rows())
    assert touched > 10


def test_a_load_on_a_fixed_part_is_felt_with_its_friction_and_not_what_lies_beside_it(engine):
    slope = np.radians(12.0)
    shapes = {"bed": Box((1.0, 0.6, 0.1)), "pan": Box((0.3, 0.3, 0.02))}
    base = Link("bed", Inertial(20.0, np.eye(3)), (), (Geometry(shapes["bed"]),))
    pan = Link("pan", Inertial(0.5, 0.01 * np.eye(3)), (), (Geometry(shapes["pan"]),))
    foot = Joint("foot", "fixed", "bed", "pan", Pose([0.3, 0.0, 0.06]))
    turned = Pose.from_rpy([0.0, 0.0, 0.0], [0.0, slope, 0.0])
    cart = Model("cart", (base, pan), (foot,), turned @ Pose([0.0, 0.0, 0.05]))
    cube = Box((0.1, 0.1, 0.1))
    payload = solid("payload", cube, 3.0, turned @ Pose([0.3, 0.0, 0.171]))
    beside = solid("beside", cube, 4.0, turned @ Pose([-0.3, 0.0, 0.151]))
    bench = JointBench(world_of(ground(slope_rad=slope), cart, payload, beside), engine)
    sensor = bench.mount(ForceTorque, "cart/pan")
    bench.step(600)
    force, torque = bench.read(sensor)
    weight = G * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    assert force == pytest.approx(3.5 * weight, abs=0.3)
    # friction acts on the top of the pan, but the weight in the middle of the cube
    assert torque[1] == pytest.approx(3.0 * 0.061 * weight[0], abs=0.03)


def test_four_wheels_carry_what_is_above_them():
    wheels = [f"{end}_{side}_wheel_link" for end in ("front", "rear") for side in ("left", "right")]
    entries = [SensorEntry(wheel, "ideal-force-torque", link=wheel, set={}) for wheel in wheels]
    sim = simulate("jackal", *entries)
    sim.run(1.0)
    boxes = [listen(sim, f"/{wheel}/wrench") for wheel in wheels]
    sim.run(0.1)
    bodies = sim.rig.assembly.bodies
    wheel_mass = sum(body.inertial.mass for body in bodies if "wheel" in body.name)
    mass = sum(body.inertial.mass for body in bodies) - wheel_mass
    forces = [message[-1].wrench.force for message in map(heard, boxes)]
    # wheels turn: the size of what each passes on is the same in any axes
    total = sum(np.hypot(force.x, np.hypot(force.y, force.z)) for force in forces)
    assert total == pytest.approx(mass * G, rel=0.02)


def test_noise_and_range_along_z_are_its_own():
    bench = crane("fixed", "mujoco")
    parameters = ForceTorqueParameters(
        Triad(noise_sigma=0.5, limit=1.0), Triad(), Triad(offset=(0.25, 0.0, 0.0)), None
    )
    sensor = bench.mount(ForceTorque, "arm/link0", parameters)
    ideal = bench.mount(ForceTorque, "arm/link0")
    bench.step(3)
    force, torque = bench.read(sensor)
    true, true_torque = bench.read(ideal)
    assert np.all(np.abs(force[:2]) <= 1.0)
    assert force[2] == pytest.approx(true[2] + 0.25)
    assert torque == pytest.approx(true_torque)


def test_a_link_that_no_joint_carries_is_refused():
    entry = SensorEntry("ft", "robotiq-ft300")
    with pytest.raises(ConfigError, match=r"no joint carries the link 'base_link'.*front_left"):
        simulate("jackal", entry)
