"""Engines against mechanics: falling, tumbling and spinning, without contact."""

import numpy as np
import pytest
from engine_truth import DT, run
from engine_worlds import (
    WEIGHTLESS,
    G,
    angular_momentum,
    arm,
    ball,
    hold_base,
    lopsided,
    world_of,
)

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.world.model import Inertial, Joint


def test_free_fall_is_that_of_semi_implicit_steps_and_near_the_parabola(make):
    engine = make(world_of(ball(50.0)), DT)
    run(engine, 1.0)
    row = engine.state.bodies[0]
    steps = 1000
    assert row["velocity"][2] == pytest.approx(-G * steps * DT, rel=1e-12)
    exact_sum = G * DT * DT * steps * (steps + 1) / 2
    assert 50.0 - row["position"][2] == pytest.approx(exact_sum, rel=1e-10)
    assert abs(50.0 - row["position"][2] - G / 2) <= G * DT / 2 * 1.001


def test_a_body_falls_and_spins_as_fast_as_it_is_thrown(make):
    engine = make(world_of(ball(50.0), gravity=WEIGHTLESS), DT)
    velocity, spin = np.array([3.0, 0.0, -150.0]), np.array([0.0, 140.0, 0.0])
    engine.place(0, Pose([0, 0, 50.0]), velocity, spin)
    run(engine, 0.1)
    row = engine.state.bodies[0]
    assert row["velocity"] == pytest.approx(velocity, rel=1e-9)  # before, on Bullet: 100
    assert row["angular_velocity"] == pytest.approx(spin, rel=1e-9)


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
