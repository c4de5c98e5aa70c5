"""Engines against mechanics: sticking, sliding and rolling."""

import math

import numpy as np
import pytest
from engine_truth import DT, height, run
from engine_worlds import (
    G,
    ball,
    brick,
    ground,
    world_of,
)

from outrider.core.frames import Pose
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.world.materials import Material


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
