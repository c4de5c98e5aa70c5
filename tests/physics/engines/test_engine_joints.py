"""Engines against mechanics: pendulums, slides, limits, springs and friction of joints."""

import math

import numpy as np
import pytest
from engine_truth import DT, run
from engine_worlds import (
    WEIGHTLESS,
    G,
    arm,
    hold_base,
    pendulum,
    world_of,
)

from outrider.core.frames import Pose
from outrider.world.model import Inertial, Joint


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
        assert (angles * np.sign(limit)).max() <= abs(limit) + 0.01  # at its hardest impact
        assert angles[-1] == pytest.approx(limit, abs=2e-3)
        assert joint["velocity"] == pytest.approx(0.0, abs=1e-3)


def test_a_joint_whose_limits_are_one_is_held(make):
    inertial = Inertial(1.0, np.diag([0.1, 0.1, 0.1]), Pose([0.3, 0.0, 0.0]))
    joint = Joint("j", "revolute", "base", "link0", Pose(), (0, 1, 0), lower=0.0, upper=0.0)
    engine = make(world_of(arm([joint], [inertial])), DT)
    run(engine, 1.0, lambda: 0.0, lambda: hold_base(engine))
    assert abs(float(engine.state.joints[0]["position"])) < 2e-3


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
