"""Engines with forces against mechanics: closed forms, with the error each engine may have."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from engine_worlds import (
    WEIGHTLESS,
    G,
    angular_momentum,
    arm,
    ball,
    brick,
    ground,
    hold_base,
    lopsided,
    pendulum,
    solid,
    world_of,
)
from vehicle_rig import plane, stand

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.physics.bullet import BulletEngine
from outrider.physics.engine import ENGINES
from outrider.physics.mujoco import MujocoEngine
from outrider.world.assembly import WORLD
from outrider.world.materials import Material
from outrider.world.model import Inertial, Joint
from outrider.world.shapes import Box, HeightField, Sphere

DT = 0.001


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Relative errors, unless a unit is given."""

    bounce: float  # of the height after a bounce
    impulse: float
    rebound_m: float  # of what should not bounce
    creep_m: float
    sliding: float
    momentum: float


TOLERANCES = {
    "mujoco": Tolerance(1e-3, 0.02, 1e-5, 1e-6, 0.005, 0.006),
    "bullet": Tolerance(0.01, 0.01, 1e-5, 2e-4, 0.002, 0.006),
}


@pytest.fixture(params=list(TOLERANCES))
def name(request):
    if request.param == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    return request.param


@pytest.fixture
def make(name):
    return ENGINES.load(name)


@pytest.fixture
def most(name):
    return TOLERANCES[name]


def run(engine, seconds, watch=None, before=None):
    """Advance; return what was seen after every step."""
    seen = []
    for _ in range(round(seconds / (engine.step_ns * 1e-9))):
        if before:
            before()
        engine.step()
        if watch:
            seen.append(watch())
    return np.array(seen)


def height(engine):
    return lambda: float(engine.state.bodies["position"][0, 2])


# --- motion without contact ---------------------------------------------------------------------


def test_free_fall_is_that_of_semi_implicit_steps_and_near_the_parabola(make):
    engine = make(world_of(ball(50.0)), DT)
    run(engine, 1.0)
    row = engine.state.bodies[0]
    steps = 1000
    assert row["velocity"][2] == pytest.approx(-G * steps * DT, rel=1e-12)
    exact_sum = G * DT * DT * steps * (steps + 1) / 2
    assert 50.0 - row["position"][2] == pytest.approx(exact_sum, rel=1e-10)
    assert abs(50.0 - row["position"][2] - G / 2) <= G * DT / 2 * 1.001


def test_a_force_off_the_centre_of_mass_turns_and_moves_a_body(make):
    pose = Pose.from_rpy([1, 2, 3], [0.4, -0.6, 0.9])
    engine = make(world_of(lopsided(pose), gravity=WEIGHTLESS), 1e-5)
    force, torque = np.array([3.0, -2.0, 1.0]), np.array([0.4, 0.3, -0.2])
    engine.loads.bodies["force"][0], engine.loads.bodies["torque"][0] = force, torque
    engine.step()
    inertial = engine.assembly.bodies[0].inertial
    com = pose @ inertial.pose
    axes = matrix_from_quaternion(com.rotation)
    arm_to_origin = pose.position - com.position
    about_com = torque + np.cross(arm_to_origin, force)
    spin = np.linalg.solve(axes @ inertial.inertia @ axes.T, about_com)
    assert engine.state.bodies["angular_velocity"][0] / 1e-5 == pytest.approx(spin, rel=1e-6)
    at_origin = force / inertial.mass + np.cross(spin, arm_to_origin)
    assert engine.state.bodies["velocity"][0] / 1e-5 == pytest.approx(at_origin, rel=1e-4)


def test_a_tumbling_asymmetric_body_keeps_its_angular_momentum(make, most):
    engine = make(world_of(lopsided(), gravity=WEIGHTLESS), DT)
    engine.place(0, Pose.from_rpy([1, 2, 3], [0.3, 0.2, 0.1]), np.zeros(3), np.array([0.1, 5, 0.2]))
    before = angular_momentum(engine, 0)
    run(engine, 5.0)
    drift = np.linalg.norm(angular_momentum(engine, 0) - before) / np.linalg.norm(before)
    assert drift < most.momentum


def test_a_fast_top_goes_round_at_the_rate_of_the_books(make):
    """A top held under gravity's torque m g l turns about the vertical at m g l / (I w)."""
    spin, lever, mass = 50.0, 0.1, 1.0
    wheel = Inertial(mass, np.diag([0.02, 0.01, 0.01]), Pose([lever, 0.0, 0.0]))
    axle = Joint("axle", "continuous", "link1", "link2", Pose(), (1, 0, 0))
    ring = Inertial(1e-4, 1e-6 * np.eye(3))
    joints = [
        Joint("yaw", "continuous", "base", "link0", Pose(), (0, 0, 1)),
        Joint("pitch", "continuous", "link0", "link1", Pose(), (0, 1, 0)),
        axle,
    ]
    engine = make(world_of(arm(joints, [ring, ring, wheel])), 5e-5)
    rate = mass * G * lever / (0.02 * spin)
    _start_top(engine, spin, rate)
    hold = lambda: hold_base(engine)  # noqa: E731
    angles = run(engine, 2.0, lambda: list(engine.state.joints["position"][:2]), hold)
    assert angles[-1, 0] == pytest.approx(rate * 2.0, rel=0.02)
    assert abs(angles[:, 1]).max() < 0.02


def _start_top(engine, spin, rate):
    """Bring a top up to speed by one push: about its axle, and about the vertical."""
    dt = engine.step_ns * 1e-9
    hold_base(engine)
    engine.loads.joints[2] = 0.02 * spin / dt
    engine.loads.joints[0] = (0.01 + 0.1**2) * rate / dt
    engine.step()


# --- joints -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [0.001, 0.0025])
def test_a_pendulum_keeps_its_energy_and_period(make, dt):
    engine = make(world_of(pendulum()), dt)
    inertia = 1.0 + 0.03
    hold_base(engine)
    engine.loads.joints[0] = inertia * 1.2 / dt
    engine.step()
    joint = engine.state.joints[0]
    seen = run(
        engine,
        20.0,
        lambda: (float(joint["position"]), float(joint["velocity"])),
        lambda: hold_base(engine),
    )
    angle, speed = seen.T
    energy = 0.5 * inertia * speed**2 + G * (1 - np.cos(angle))
    period = _period(inertia, energy.mean())
    turn = round(period / dt)
    assert energy[-turn:].mean() == pytest.approx(energy[:turn].mean(), rel=1e-4)
    up = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
    moments = (up - angle[up] / (angle[up + 1] - angle[up])) * dt
    assert np.diff(moments).mean() == pytest.approx(period, rel=1e-4)


def _period(inertia, energy):
    """Return the exact period for a swing of this energy (arithmetic-geometric mean)."""
    swing = math.acos(1 - energy / G)
    a, b = 1.0, math.cos(swing / 2)
    for _ in range(20):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.tau * math.sqrt(inertia / G) / a


def test_a_torque_along_a_joint_gives_its_angular_acceleration(make):
    inertial = Inertial(2.0, np.diag([0.1, 0.2, 0.3]), Pose.from_rpy([0.3, 0, -0.4], [0, 0.5, 0]))
    joint = Joint("hinge", "continuous", "base", "link0", Pose(), (0, 1, 0), armature=0.05)
    engine = make(world_of(arm([joint], [inertial]), gravity=WEIGHTLESS), DT)
    engine.loads.joints[0] = 3.0
    engine.step()
    inertia = 0.2 + 2.0 * 0.5**2 + 0.05
    assert engine.state.joints["velocity"][0] / DT == pytest.approx(3.0 / inertia, rel=1e-5)
    assert engine.state.joints["effort"][0] == 3.0


def test_a_force_along_a_slide_gives_its_acceleration(make):
    joint = Joint("slide", "prismatic", "base", "link0", Pose(), (0, 0, 1))
    engine = make(world_of(arm([joint], [Inertial(4.0, np.eye(3))])), DT)
    hold_base(engine)
    engine.loads.joints[0] = 50.0
    engine.step()
    assert engine.state.joints["velocity"][0] / DT == pytest.approx(50.0 / 4.0 - G, rel=1e-4)


def test_joint_limits_hold_against_a_torque_and_a_swing(make):
    engine = make(world_of(pendulum(kind="revolute", lower=-0.3, upper=0.4)), DT)
    joint = engine.state.joints[0]

    def push(torque):
        hold_base(engine)
        engine.loads.joints[0] = torque

    for torque, limit in ((30.0, 0.4), (-30.0, -0.3)):
        angles = run(engine, 2.0, lambda: float(joint["position"]), lambda t=torque: push(t))
        assert (angles * np.sign(limit)).max() <= abs(limit) + 0.01  # at its hardest blow
        assert angles[-1] == pytest.approx(limit, abs=2e-3)
        assert joint["velocity"] == pytest.approx(0.0, abs=1e-3)


def test_a_joint_with_one_limit_is_free_on_the_other_side(make):
    engine = make(world_of(pendulum(kind="revolute", lower=-0.3), gravity=WEIGHTLESS), DT)
    engine.loads.joints[0] = 1030.0
    engine.step()
    run(engine, 5.0)
    assert engine.state.joints["position"][0] == pytest.approx(5.0, rel=1e-2)


def test_a_damped_spring_swings_and_settles_like_its_formula(make):
    """Mass 2 kg on 200 N/m and 4 N s/m, let go under its weight."""
    joint = Joint(
        "s", "prismatic", "base", "link0", Pose(), (0, 0, 1), damping=4.0, stiffness=200.0, rest=0.3
    )
    engine = make(world_of(arm([joint], [Inertial(2.0, np.eye(3))])), DT)
    hold = lambda: hold_base(engine)  # noqa: E731
    seen = run(engine, 8.0, lambda: float(engine.state.joints["position"][0]), hold)
    rest = 0.3 - 2.0 * G / 200.0
    decay, t = 4.0 / (2 * 2.0), np.arange(1, len(seen) + 1) * DT
    w = math.sqrt(200.0 / 2.0 - decay**2)
    exact = rest - rest * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    assert np.abs(seen - exact).max() < 0.01 * rest
    assert seen[-1] == pytest.approx(exact[-1], abs=5e-6)


def test_a_stiff_strut_on_a_light_wheel_is_stable_and_sags_as_it_should(make):
    """Explicit steps would need 2 m / c = 1.3 ms here."""
    joint = Joint(
        "strut", "prismatic", "base", "link0", Pose(), (0, 0, 1), damping=1500.0, stiffness=3e4
    )
    engine = make(world_of(arm([joint], [Inertial(1.0, 0.01 * np.eye(3))])), 0.0025)

    def load():
        hold_base(engine)
        engine.loads.joints[0] = -100.0

    seen = run(engine, 1.0, lambda: float(engine.state.joints["position"][0]), load)
    sag = -(100.0 + G) / 30_000.0
    assert seen[-1] == pytest.approx(sag, rel=1e-3)
    slow = 1500.0 / 30_000.0  # the time constant of an overdamped strut
    t = np.arange(1, len(seen) + 1) * 0.0025
    assert np.abs(seen - sag * (1 - np.exp(-t / slow))).max() < 0.06 * abs(sag)


def test_joint_friction_holds_below_its_torque_and_brakes_above(make):
    engine = make(world_of(pendulum(friction=2.0), gravity=WEIGHTLESS), DT)
    joint = engine.state.joints[0]

    def push(torque):
        engine.loads.joints[0] = torque

    run(engine, 1.0, before=lambda: push(1.8))
    assert joint["position"] == pytest.approx(0.0, abs=5e-3)
    before = float(joint["velocity"])
    run(engine, 0.5, before=lambda: push(3.0))
    gained = (float(joint["velocity"]) - before) / 0.5
    assert gained == pytest.approx((3.0 - 2.0) / 1.03, rel=0.02)


# --- contacts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.5, 0.8])
@pytest.mark.parametrize("drop", [0.7, 0.83, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(make, most, restitution, drop):
    floor = ground(Material(restitution=restitution))
    engine = make(world_of(floor, ball(drop + 0.1, restitution=restitution)), DT)
    heights = run(engine, 1.3, height(engine)) - 0.1
    first = int(np.argmax(heights < 0.02))
    expected = drop * restitution**2
    assert heights[first:].max() == pytest.approx(expected, rel=most.bounce)


@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8, 0.95])
def test_on_mujoco_neither_mass_nor_step_nor_height_changes_a_bounce(restitution, dt):
    floor = ground(Material(restitution=restitution))
    for mass, drop in [(0.1, 0.2), (2.0, 2.0), (100.0, 0.77)]:
        model = ball(drop + 0.1, mass=mass, restitution=restitution)
        engine = MujocoEngine(world_of(floor, model), dt)
        fall = math.sqrt(2 * drop / G)
        heights = run(engine, fall * (1 + 1.2 * restitution) + 0.1, height(engine)) - 0.1
        rise = heights[int(np.argmax(heights < 0)) :].max()
        assert math.sqrt(rise / drop) == pytest.approx(restitution, rel=2e-3)


@pytest.mark.parametrize(("dt", "within"), [(0.001, 0.01), (0.005, 0.11)])
@pytest.mark.parametrize(
    ("friction", "restitution", "along", "down"),
    [(0.2, 0.8, 8.0, 4.0), (0.1, 0.95, 5.0, 2.0), (0.5, 0.5, 8.0, 4.0), (0.8, 0.2, 3.0, 3.0)],
)
def test_on_mujoco_a_ball_that_strikes_aslant_is_turned_and_braked_by_friction(
    friction, restitution, along, down, dt, within
):
    material, start = Material(friction=friction, restitution=restitution), Pose([0, 0, 0.3])
    model = solid("ball", Sphere(0.1), 2.0, start, material)
    engine = MujocoEngine(world_of(ground(material), model, gravity=WEIGHTLESS), dt)
    engine.place(0, start, np.array([along, 0.0, -down]), np.zeros(3))
    run(engine, 0.15)
    row = engine.state.bodies[0]
    braked = min(friction * (1 + restitution) * down, along * 2 / 7)  # it slides, or rolls on
    assert row["velocity"][2] == pytest.approx(restitution * down, rel=0.001)
    assert row["velocity"][0] == pytest.approx(along - braked, rel=within)
    assert row["angular_velocity"][1] * 0.1 == pytest.approx(2.5 * braked, rel=within)


@pytest.mark.parametrize("dt", [0.001, 0.005])
@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.9, 0.4), (0.7, 0.0)])
def test_two_balls_part_with_the_geometric_mean_of_their_restitutions(first, second, dt):
    balls = [
        solid("one", Sphere(0.1), 1.0, material=Material(restitution=first)),
        solid("two", Sphere(0.1), 3.0, Pose([0.5, 0, 0]), Material(restitution=second)),
    ]
    engine = MujocoEngine(world_of(*balls, gravity=WEIGHTLESS), dt)
    engine.place(0, Pose(), np.array([2.0, 0.0, 0.0]), np.zeros(3))
    run(engine, 0.5)
    one, two = engine.state.bodies["velocity"][:, 0]
    assert (two - one) / 2.0 == pytest.approx(math.sqrt(first * second), abs=0.03)
    assert one + 3.0 * two == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
def test_a_brick_that_falls_flat_bounces_flat(dt):
    material = Material(restitution=0.5)
    floor, start = ground(material), Pose([0, 0, 0.55])
    engine = MujocoEngine(world_of(floor, brick(start, material)), dt)
    heights = run(engine, 0.6, height(engine)) - 0.05
    first = int(np.argmax(heights < 0))
    assert heights[first:].max() == pytest.approx(0.125, rel=0.02)
    assert np.abs(engine.state.bodies["angular_velocity"][0]).max() < 1e-6


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
def test_a_stack_of_unlike_boxes_stands_still(restitution, dt):
    material = Material(restitution=restitution)
    boxes = [
        solid(f"box{i}", Box((0.2, 0.2, 0.2)), mass, Pose([0, 0, 0.1 + 0.2 * i]), material)
        for i, mass in enumerate((1.0, 5.0, 0.2, 3.0))
    ]
    engine = MujocoEngine(world_of(ground(material), *boxes), dt)
    run(engine, 1.0)
    before = engine.state.bodies["position"].copy()
    assert before[-1] == pytest.approx([0, 0, 0.7], abs=2.5e-3)
    run(engine, 3.0)
    assert engine.state.bodies["position"] == pytest.approx(before, abs=1e-6)


def test_a_dropped_ball_without_restitution_comes_to_rest_at_the_surface(make, most):
    engine = make(world_of(ground(), ball(0.6)), DT)
    heights = run(engine, 2.0, height(engine)) - 0.1
    first = int(np.argmax(heights < 1e-3))
    assert heights[first + 20 :].max() < most.rebound_m
    assert heights[-1] == pytest.approx(0.0, abs=1e-4)
    assert np.abs(engine.state.bodies["velocity"][0]).max() < 1e-6


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_the_contact_of_a_dropped_ball_has_the_right_point_normal_and_impulse(
    make, most, restitution
):
    floor = ground(Material(restitution=restitution))
    model = ball(0.6, restitution=restitution)
    engine = make(world_of(floor, model), DT)
    engine.watch_contacts = True
    total, began, steps = 0.0, None, 0
    for _ in range(500):
        engine.step()
        for contact in engine.contacts():
            began = engine.state.time_ns if began is None else began
            steps += 1
            total += contact.impulse
            up = 1.0 if contact.first == WORLD else -1.0
            assert contact.normal == pytest.approx([0, 0, up], abs=1e-9)
            assert contact.point == pytest.approx([0, 0, 0], abs=0.02)
        if began and engine.state.time_ns - began > 30_000_000:
            break
    speed = math.sqrt(2 * G * 0.5)
    # what the weight itself presses meanwhile is no part of the blow
    weight = 2.0 * G * steps * DT
    assert total - weight == pytest.approx(2.0 * speed * (1 + restitution), rel=most.impulse)


def energy(engine):
    """Return what all bodies have of motion and height."""
    total = 0.0
    for body, row in zip(engine.assembly.bodies, engine.state.bodies, strict=True):
        spin = matrix_from_quaternion(row["rotation"]).T @ row["angular_velocity"]
        speed = float(row["velocity"] @ row["velocity"])
        total += body.inertial.mass * (G * row["position"][2] + speed / 2)
        total += float(spin @ body.inertial.inertia @ spin) / 2
    return total


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
def test_on_mujoco_a_heap_of_falling_things_never_gains_energy(restitution, dt):
    rng, material = np.random.default_rng(3), Material(friction=0.6, restitution=restitution)
    things = []
    for i in range(15):
        shape = Box(tuple(rng.uniform(0.1, 0.4, 3))) if i % 2 else Sphere(rng.uniform(0.05, 0.2))
        pose = Pose.from_rpy([*rng.uniform(-0.3, 0.3, 2), 0.4 + 0.45 * i], rng.uniform(-3, 3, 3))
        things.append(solid(f"thing{i}", shape, rng.uniform(0.3, 20.0), pose, material))
    engine = MujocoEngine(world_of(ground(material), *things), dt)
    energies = [energy(engine)]
    for _ in range(100):
        run(engine, 0.04)
        energies.append(energy(engine))
    assert np.diff(energies).max() < 1e-3 * energies[0]
    assert energies[-1] < 0.2 * energies[0]


def slope_with_brick(make, angle_deg, friction, shape=None, dt=DT):
    slope, material = math.radians(angle_deg), Material(friction=friction)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    start = Pose.from_rpy(normal * 0.05, [0.0, slope, 0.0])
    engine = make(world_of(ground(material, slope, shape), brick(start, material)), dt)
    run(engine, 0.1)
    return engine, np.array([math.cos(slope), 0.0, -math.sin(slope)])


@pytest.mark.parametrize(("angle_deg", "friction"), [(20, 0.5), (25, 0.5), (38, 0.8)])
@pytest.mark.parametrize("dt", [0.001, 0.0025])
def test_a_brick_sticks_below_the_friction_angle(make, most, angle_deg, friction, dt):
    engine, _ = slope_with_brick(make, angle_deg, friction, dt=dt)
    run(engine, 0.4)  # what it sinks in by
    before = engine.state.bodies["position"][0].copy()
    run(engine, 2.0)
    moved = float(np.linalg.norm(engine.state.bodies["position"][0] - before))
    assert moved < most.creep_m


@pytest.mark.parametrize(("angle_deg", "friction"), [(30, 0.2), (30, 0.3), (45, 0.5)])
def test_a_brick_slides_above_the_friction_angle(make, most, angle_deg, friction):
    engine, down = slope_with_brick(make, angle_deg, friction)
    speeds = run(engine, 2.0, lambda: float(engine.state.bodies["velocity"][0] @ down))
    slope = math.radians(angle_deg)
    expected = G * (math.sin(slope) - friction * math.cos(slope))
    assert (speeds[-1] - speeds[0]) / (2.0 - DT) == pytest.approx(expected, rel=most.sliding)


@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.8])
def test_on_mujoco_a_fast_brick_is_braked_by_friction_and_does_not_hop(friction, dt):
    material = Material(friction=friction)
    start = brick(Pose([0.0, 0.0, 0.05]), material, (0.8, 0.6, 0.1))
    engine = MujocoEngine(world_of(ground(material), start), dt)
    engine.place(0, Pose([0.0, 0.0, 0.05]), np.array([4.0, 0.0, 0.0]), np.zeros(3))
    steps = round(0.25 / friction / dt)
    heights = run(engine, steps * dt, height(engine))
    slowing = (4.0 - engine.state.bodies["velocity"][0, 0]) / (steps * dt)
    assert slowing == pytest.approx(friction * G, rel=0.02)
    assert heights.max() < 0.0515


@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
def test_on_mujoco_a_sliding_ball_is_rolling_at_five_sevenths_of_its_speed(dt):
    engine = MujocoEngine(world_of(ground(), ball(0.1)), dt)
    engine.place(0, Pose([0.0, 0.0, 0.1]), np.array([4.0, 0.0, 0.0]), np.zeros(3))
    run(engine, 0.4)
    row = engine.state.bodies[0]
    assert row["velocity"][0] == pytest.approx(4.0 * 5 / 7, rel=0.01)
    assert row["angular_velocity"][1] * 0.1 == pytest.approx(row["velocity"][0], rel=0.01)


def test_a_scripted_plate_carries_what_stands_on_it(make):
    plate = solid("plate", Box((2.0, 2.0, 0.1)), pose=Pose([0, 0, 1.0]), mobility="scripted")
    engine = make(world_of(plate, brick(Pose([0.0, 0.0, 1.1]))), DT)
    run(engine, 0.2)
    engine.place(0, Pose([0, 0, 1.0]), np.array([0.3, 0.0, 0.1]), np.zeros(3))
    run(engine, 2.0)
    assert engine.state.bodies["velocity"][1] == pytest.approx([0.3, 0, 0.1], abs=2e-3)
    assert engine.state.bodies["position"][1] == pytest.approx([0.6, 0, 1.3], abs=0.02)


def test_a_ball_rests_in_the_valley_of_a_height_field(make):
    x = np.linspace(-2, 2, 41)
    bowl = HeightField(0.3 * np.abs(x)[:, None] + 0.3 * np.abs(x)[None, :], (4.0, 4.0))
    engine = make(world_of(ground(shape=bowl), ball(0.5)), DT)
    run(engine, 3.0)
    # it touches four slopes at once: its centre is above the tip by r / cos of their tilt
    expected = 0.1 * math.sqrt(1 + 2 * 0.3**2)
    assert engine.state.bodies["position"][0] == pytest.approx([0, 0, expected], abs=2e-3)


# --- two engines, one answer --------------------------------------------------------------------


def test_bullet_and_mujoco_move_a_robot_of_odd_joints_alike():
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    engines = [ENGINES.load(name)(world_of(_odd_robot()), 1e-4) for name in TOLERANCES]
    rng = np.random.default_rng(3)
    loads, efforts = 3 * rng.normal(size=(5, 6)), rng.normal(size=4)
    for engine in engines:

        def push(engine=engine):
            engine.loads.bodies["force"], engine.loads.bodies["torque"] = loads[:, :3], loads[:, 3:]
            engine.loads.joints[:] = efforts

        run(engine, 0.3, before=push)
    first, second = (engine.state for engine in engines)
    assert np.abs(first.bodies["angular_velocity"]).max() > 1.0
    for field, tolerance in (("position", 2e-6), ("velocity", 5e-5), ("angular_velocity", 1e-9)):
        assert second.bodies[field] == pytest.approx(first.bodies[field], abs=tolerance)
    assert second.bodies["rotation"] == pytest.approx(first.bodies["rotation"], abs=1e-9)
    assert second.joints["position"] == pytest.approx(first.joints["position"], abs=1e-9)


def _odd_robot():
    rng = np.random.default_rng(1)

    def part():
        a = rng.normal(size=(3, 3))
        second = a @ a.T + 0.3 * np.eye(3)
        inertia = 0.05 * (np.trace(second) * np.eye(3) - second)
        pose = Pose.from_rpy(0.2 * rng.normal(size=3), rng.normal(size=3))
        return Inertial(float(rng.uniform(0.5, 3.0)), inertia, pose)

    joints = []
    for i, (kind, parent) in enumerate(
        [
            ("revolute", "base"),
            ("prismatic", "link0"),
            ("continuous", "link1"),
            ("revolute", "base"),
        ]
    ):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        origin = Pose.from_rpy(0.4 * rng.normal(size=3), rng.normal(size=3))
        joints.append(Joint(f"joint{i}", kind, parent, f"link{i}", origin, tuple(axis)))
    return arm(joints, [part() for _ in joints], part())


# --- with tyres ---------------------------------------------------------------------------------


def on_bullet(**options):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    rig = stand("husky", **options)
    rig.engine = BulletEngine(rig.engine.assembly, rig.dt)
    return rig


def test_a_husky_on_bullet_drives_straight_for_ten_seconds():
    rig = on_bullet()
    rig.run(0.5)
    start = rig.base["position"].copy()
    rig.drive(0.3)
    rig.run(10.0)
    moved = rig.base["position"] - start
    assert moved[0] == pytest.approx(0.3 * 10.0, rel=0.02)  # it takes a moment to get going
    assert abs(moved[1]) < 1e-4
    assert abs(rig.yaw) < 1e-4


@pytest.mark.parametrize("ratio", [1.0, 0.48])
def test_a_husky_on_bullet_turns_with_the_effective_track_of_theory(ratio):
    rig = on_bullet(ground=plane(Material(friction=0.8, lateral_ratio=ratio)))
    rig.run(0.5)
    spec = rig.vehicle.robot.spec.drivetrain
    rig.drive(0.0, 0.3 / (spec.track * spec.track_multiplier))
    driven = rig.vehicle.driven
    rig.run(2.0)
    seen = rig.run(
        3.0,
        lambda: [rig.base["angular_velocity"][2], *rig.engine.state.joints["velocity"][driven]],
    ).mean(axis=0)
    track = (seen[3:].mean() - seen[1:3].mean()) * spec.wheel_radius / seen[0]
    half_base, half_track = 0.256, 0.2854
    expected = 2 * (half_track + ratio * half_base**2 / half_track)
    assert track == pytest.approx(expected, rel=0.02)


def test_a_husky_on_bullet_stays_parked_on_twenty_degrees():
    rig = on_bullet(ground=plane(slope_deg=20.0))
    start = rig.base["position"].copy()
    rig.run(6.0)  # its springs settle by micrometres for a while
    settled = rig.base["position"].copy()
    assert np.linalg.norm(settled - start) < 5e-3
    rig.run(8.0)
    assert np.linalg.norm(rig.base["position"] - settled) < 1e-6
