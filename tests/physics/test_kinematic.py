import math
from dataclasses import replace

import numpy as np
import pytest
from engine_worlds import ball, brick, ground, pendulum, solid, world_of

from outrider.core.clock import to_s
from outrider.core.errors import PhysicsError
from outrider.core.frames import Pose, matrix_from_quaternion, yaw_of
from outrider.core.structure import from_data
from outrider.physics.kinematic import KinematicEngine, along_arc
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario
from outrider.scene.ground_pose import place_on_ground
from outrider.scene.scene import Scene
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.kinematic_drive import KinematicDrive
from outrider.vehicles.robot import load_robot
from outrider.vehicles.rows import RowMaker
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD, assemble
from outrider.world.materials import Material
from outrider.world.model import World
from outrider.world.shapes import Box, HeightField, Plane


def alone(dt, x=1.0, y=2.0, yaw=0.7):
    return KinematicEngine(world_of(brick(Pose.from_rpy([x, y, 0.5], [0, 0, yaw]))), dt)


def on_circle(x, y, yaw, speed, yaw_rate, t):
    """Rotate about the turning centre C = B + r V, in extended precision."""
    r = np.longdouble(speed) / np.longdouble(yaw_rate)
    yaw0, turn = np.longdouble(yaw), np.longdouble(yaw_rate) * np.longdouble(t)
    centre_x, centre_y = x - r * np.sin(yaw0), y + r * np.cos(yaw0)
    return centre_x + r * np.sin(yaw0 + turn), centre_y - r * np.cos(yaw0 + turn), yaw0 + turn


@pytest.mark.parametrize(
    ("rate_hz", "speed", "yaw_rate"),
    [(10, 1.5, 0.4), (60, 1.5, 0.4), (1000, 1.5, 0.4), (10, -0.8, 2.0), (60, 3.0, -1e-6)],
)
def test_a_minute_on_a_circle_ends_on_the_closed_form_at_any_frame_rate(rate_hz, speed, yaw_rate):
    engine = alone(1 / rate_hz)
    engine.drive(0, speed, yaw_rate)
    for _ in range(60 * rate_hz):
        engine.step()
    x, y, yaw = on_circle(1.0, 2.0, 0.7, speed, yaw_rate, to_s(engine.state.time_ns))
    row = engine.state.bodies[0]
    assert row["position"] == pytest.approx([float(x), float(y), 0.5], abs=1e-9)
    error = float(yaw) - yaw_of(row["rotation"])
    assert math.remainder(error, math.tau) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("rate_hz", [10, 60, 1000])
def test_commands_that_change_every_step_add_no_error(rate_hz):
    """Speed and yaw rate keep their ratio: the vehicle stays on one circle all the time."""
    engine = alone(1 / rate_hz)
    turned = np.longdouble(0)
    for i in range(20 * rate_hz):
        yaw_rate = 0.5 + 0.4 * math.sin(0.01 * i)
        engine.drive(0, 2.0 * yaw_rate, yaw_rate)
        engine.step()
        turned += np.longdouble(yaw_rate) * engine.step_ns / 10**9
    x, y, _ = on_circle(1.0, 2.0, 0.7, 2.0, 1.0, turned)
    assert engine.state.bodies["position"][0, :2] == pytest.approx([float(x), float(y)], abs=1e-10)


@pytest.mark.parametrize("turns", [1, 3, 7.25])
def test_whole_turns_within_one_frame_stay_on_the_circle(turns):
    engine = alone(0.1)
    yaw_rate = turns * math.tau / 0.1
    engine.drive(0, 2.0 * yaw_rate, yaw_rate)
    centre = np.array([1.0 - 2.0 * math.sin(0.7), 2.0 + 2.0 * math.cos(0.7)])
    for step in range(1, 6):
        engine.step()
        place = engine.state.bodies["position"][0, :2]
        assert np.linalg.norm(place - centre) == pytest.approx(2.0, abs=1e-11)
        heading = yaw_of(engine.state.bodies["rotation"][0])
        assert math.remainder(heading - 0.7 - step * turns * math.tau, math.tau) == pytest.approx(
            0.0, abs=1e-11
        )
    if turns == 1:
        assert place == pytest.approx([1.0, 2.0], abs=1e-11)


def test_straight_driving_is_the_limit_of_large_circles():
    straight = along_arc((1.0, 2.0, 0.7), 1.5, 0.0, 10.0)
    assert straight == pytest.approx((1 + 15 * math.cos(0.7), 2 + 15 * math.sin(0.7), 0.7))
    for yaw_rate in (1e-4, 1e-5, 1e-9):  # on both sides of where the series takes over
        arc = along_arc((1.0, 2.0, 0.7), 1.5, yaw_rate, 10.0)
        exact = on_circle(1.0, 2.0, 0.7, 1.5, yaw_rate, 10.0) if yaw_rate > 1e-6 else straight
        assert arc == pytest.approx([float(v) for v in exact], abs=1e-7)


def test_velocities_are_those_of_the_motion_at_that_moment():
    engine = alone(0.1)
    engine.drive(0, 1.5, 0.4)
    for _ in range(7):
        engine.step()
    row = engine.state.bodies[0]
    yaw = 0.7 + 0.4 * 0.7
    assert row["velocity"] == pytest.approx([1.5 * math.cos(yaw), 1.5 * math.sin(yaw), 0.0])
    assert row["angular_velocity"] == pytest.approx([0.0, 0.0, 0.4])


def test_the_motion_holds_until_changed_and_stops_when_told():
    engine = alone(0.1)
    engine.drive(0, 1.0, 0.0)
    engine.step()
    engine.step()
    engine.drive(0, 0.0, 0.0)
    engine.step()
    row = engine.state.bodies[0]
    assert row["position"][:2] == pytest.approx([1 + 0.2 * math.cos(0.7), 2 + 0.2 * math.sin(0.7)])
    assert not row["velocity"].any()


def test_loads_and_gravity_move_nothing():
    engine = KinematicEngine(world_of(ball(1.0)), 0.01)
    before = engine.state.bodies.copy()
    for _ in range(10):
        engine.loads.bodies["force"][0] = [10.0, 0.0, 0.0]
        engine.step()
    assert (engine.state.bodies == before).all()
    assert not engine.loads.bodies["force"].any()


def test_only_the_root_of_a_model_can_be_driven():
    engine = KinematicEngine(world_of(pendulum()), 0.01)
    with pytest.raises(PhysicsError, match="link0"):
        engine.drive(1, 1.0, 0.0)


def test_a_placed_vehicle_goes_on_from_there():
    engine = alone(0.1)
    engine.drive(0, 1.0, 0.0)
    engine.step()
    engine.place(0, Pose.from_rpy([5, 6, 1], [0, 0, 0]), np.zeros(3), np.zeros(3))
    engine.step()
    assert engine.state.bodies["position"][0] == pytest.approx([5.1, 6.0, 1.0])


def test_joints_turn_at_their_speed_and_stop_at_their_limits():
    engine = KinematicEngine(world_of(pendulum(kind="revolute", lower=-0.5, upper=0.5)), 0.01)
    engine.turn(0, speed=1.0)
    for _ in range(20):
        engine.step()
    joint = engine.state.joints[0]
    assert (joint["position"], joint["velocity"]) == pytest.approx((0.2, 1.0))
    for _ in range(80):
        engine.step()
    assert (joint["position"], joint["velocity"]) == (0.5, 0.0)
    engine.turn(0, angle=-2.0, speed=0.0)
    engine.step()
    assert joint["position"] == -0.5


def test_a_wheel_keeps_its_angle_over_many_small_steps():
    engine = KinematicEngine(world_of(pendulum()), 0.001)
    engine.turn(0, speed=0.1)
    for _ in range(10_000):
        engine.step()
    assert engine.state.joints["position"][0] == pytest.approx(1.0, abs=1e-15)


def test_parts_of_a_driven_vehicle_move_with_it():
    engine = KinematicEngine(world_of(pendulum(length=0.5)), 0.1)
    engine.drive(0, 2.0, 0.5)
    engine.step()
    base, link = engine.state.bodies
    assert link["velocity"] == pytest.approx(base["velocity"])
    assert link["position"] == pytest.approx(base["position"])


def test_a_crash_is_reported_with_the_impulse_that_would_stop_it():
    wall = replace(solid("wall", Box((0.1, 4.0, 2.0)), pose=Pose([2.0, 0, 1.0])), mobility="static")
    car = solid("car", Box((0.4, 0.3, 0.2)), 2.0, Pose([0.0, 0.0, 0.5]))
    engine = KinematicEngine(world_of(wall, car), 0.1)
    engine.drive(0, 1.0, 0.0)
    while not engine.contacts():
        engine.step()
    assert engine.state.bodies["position"][0, 0] == pytest.approx(1.8, abs=0.06)
    for contact in engine.contacts():
        car_first = contact.first == 0
        assert {contact.first, contact.second} == {0, WORLD}
        assert {contact.first_name, contact.second_name} == {"car/body/shell", "wall"}
        assert contact.normal == pytest.approx([1.0 if car_first else -1.0, 0, 0], abs=1e-6)
        assert contact.impulse == pytest.approx(2.0)
    engine.drive(0, -1.0, 0.0)
    engine.step()
    assert all(contact.impulse == 0.0 for contact in engine.contacts())


def test_follow_keeps_a_vehicle_on_the_ground_with_velocities_to_match():
    x = np.linspace(-20, 20, 401)
    heights = np.repeat((0.1 * x)[:, None], 11, axis=1)
    slope = ground(Material(), 0.0, HeightField(heights, (40.0, 10.0)))
    car = solid("car", Box((0.4, 0.3, 0.2)), 2.0, Pose([0.0, 0.0, 0.3]))
    engine = KinematicEngine(world_of(slope, car), 0.01)
    scene = Scene(engine.assembly)
    engine.follow = lambda _, pose: place_on_ground(scene, pose, (0.4, 0.3), 0.3)
    engine.drive(0, 1.0, 0.0)
    for _ in range(50):
        engine.step()
    row = engine.state.bodies[0]
    assert row["position"][:2] == pytest.approx([0.5, 0.0])
    assert row["position"][2] == pytest.approx(0.05 + 0.3 * math.hypot(1.0, 0.1), abs=1e-4)
    assert row["velocity"] == pytest.approx([1.0, 0.0, 0.1], abs=1e-3)
    assert row["angular_velocity"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-2)


def test_a_vehicle_that_follows_a_steep_slope_askew_moves_the_way_it_faces():
    heights = np.repeat(np.linspace(-20, 20, 401)[:, None], 401, axis=1)
    slope = ground(Material(), 0.0, HeightField(heights, (40.0, 40.0)))
    heading = Pose.from_rpy([0.0, 0.0, 0.3], [0.0, 0.0, 0.7])
    car = solid("car", Box((0.4, 0.3, 0.2)), 2.0, heading)
    engine = KinematicEngine(world_of(slope, car), 0.01)
    scene = Scene(engine.assembly)
    engine.follow = lambda _, pose: place_on_ground(scene, pose, (0.4, 0.3), 0.3)
    engine.drive(0, 1.0, 0.0)
    for _ in range(20):
        engine.step()
    row = engine.state.bodies[0]
    forward = matrix_from_quaternion(row["rotation"])[:, 0]
    assert forward == pytest.approx(row["velocity"] / np.linalg.norm(row["velocity"]), abs=1e-3)


def standing(name):
    robot = load_robot(name)
    models = (ground(shape=Plane()), replace(robot.model, name="robot", pose=Pose([0, 0, 0.2])))
    assembly = assemble(World("test", models))
    engine = KinematicEngine(assembly, 0.01)
    vehicle = Vehicle.make("robot", robot, assembly)
    vehicle.motors = RowMaker(robot, "robot", assembly).motors()
    return engine, vehicle, KinematicDrive(engine)


@pytest.mark.parametrize("name", ["autominy", "husky", "tracked_ugv"])
def test_odometry_of_a_kinematic_robot_is_its_true_motion(name):
    engine, vehicle, drive = standing(name)
    vehicle.controller.input.twist(0.4, 0.3, 0)
    for _ in range(40):
        wanted = vehicle.command(engine.state.time_ns, 0.01)
        drive.apply(vehicle, wanted)
        vehicle.measure_odometry(engine.state, 0.01)
        engine.step()
    vehicle.measure_odometry(engine.state, 0.01)
    row = engine.state.bodies[vehicle.root]
    odometry = vehicle.odometry
    assert math.hypot(odometry.x, odometry.y) > 0.05
    assert (odometry.x, odometry.y) == pytest.approx(tuple(row["position"][:2]), abs=1e-3)
    # a car's odometry takes the mean of two steering angles: half of the first step is lost
    assert odometry.yaw == pytest.approx(yaw_of(row["rotation"]), abs=2e-3)


def test_idle_front_wheels_of_a_car_roll_along_their_own_circles():
    engine, vehicle, drive = standing("autominy")
    wanted = vehicle.robot.drivetrain.targets(DriveCommand(0.5, 0.0, 0.2))
    drive.apply(vehicle, wanted)
    engine.step()
    base = engine.state.bodies[vehicle.root]
    for name, angle in zip(("frontwheel_left", "frontwheel_right"), wanted.steering, strict=True):
        joint = engine.assembly.joint_index(f"robot/{name}")
        hub = engine.state.bodies[engine.assembly.joints[joint].child]
        arm = hub["position"] - base["position"]
        moved = base["velocity"] + np.cross(base["angular_velocity"], arm)
        yaw = yaw_of(base["rotation"]) + angle
        along = moved[0] * math.cos(yaw) + moved[1] * math.sin(yaw)
        across = moved[1] * math.cos(yaw) - moved[0] * math.sin(yaw)
        radius = vehicle.robot.wheels[name].radius
        assert engine.state.joints["velocity"][joint] * radius == pytest.approx(along, rel=1e-9)
        assert across == pytest.approx(0.0, abs=1e-9)


def test_an_engine_with_forces_cannot_be_driven_kinematically():
    with pytest.raises(PhysicsError, match="MujocoEngine"):
        KinematicDrive(MujocoEngine(world_of(ball(1.0)), 0.01))


def test_a_kinematic_robot_stays_on_a_slope_of_60_degrees():
    ramp = {
        "name": "ramp",
        "shape": {"type": "box", "size": [20.0, 20.0, 0.4]},
        "pose": {"z": 12.0, "pitch_deg": -60.0},
    }
    data = {
        "name": "steep",
        "world": {"name": "steep", "ground": {"type": "flat"}, "objects": [ramp]},
        "robots": [{"model": "husky", "name": "husky", "pose": {}}],
        "physics": {"engine": "kinematic"},
    }
    simulation = build(from_data(Scenario, data, "steep"))
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    before = body["position"].copy()
    simulation.run(0.1)
    assert body["position"] == pytest.approx(before, abs=1e-3)
