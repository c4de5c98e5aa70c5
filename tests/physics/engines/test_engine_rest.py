"""Engines against mechanics: what lies, stands or is carried keeps still."""

import math

import numpy as np
import pytest
from engine_truth import DT, height, run
from engine_worlds import (
    ball,
    brick,
    ground,
    solid,
    world_of,
)

from outrider.core.frames import Pose
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.world.materials import Material
from outrider.world.shapes import Box, HeightField
from outrider.world.tessellate import heightfield_height

_CUBE = Box((0.5, 0.5, 0.5))


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


def test_what_is_pressed_with_many_times_its_weight_stays_on_the_ground(make):
    engine = make(world_of(ground(), brick(Pose([0.0, 0.0, 0.06]))), DT)

    def press():
        engine.loads.bodies["force"][0, 2] = -1e4

    heights = run(engine, 1.0, height(engine), press)
    assert heights.min() > 0.03  # MuJoCo, before: it went through the ground bit by bit


def test_a_scripted_plate_carries_what_stands_on_it(make):
    plate = solid("plate", Box((2.0, 2.0, 0.1)), pose=Pose([0, 0, 1.0]), mobility="scripted")
    engine = make(world_of(plate, brick(Pose([0.0, 0.0, 1.1]))), DT)
    run(engine, 0.2)
    engine.place(0, Pose([0, 0, 1.0]), np.array([0.3, 0.0, 0.1]), np.zeros(3))
    run(engine, 2.0)
    assert engine.state.bodies["velocity"][1] == pytest.approx([0.3, 0, 0.1], abs=2e-3)
    assert engine.state.bodies["position"][1] == pytest.approx([0.6, 0, 1.3], abs=0.02)


@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_a_box_lies_still_within_one_cell_of_a_wide_height_field(make, slope):
    far = slope * 24.0
    field = HeightField(np.array([[0.0, 0.0], [far, far]]), (24.0, 24.0))
    tilt = Pose.from_rpy([2.7, 0.1, 0.0], [0.0, -math.atan(slope), 0.0])
    above = float(heightfield_height(field, np.array([2.7]), np.array([0.1]))[0])
    lift = Pose([0.0, 0.0, above + 0.25 / math.cos(math.atan(slope))])
    engine = make(world_of(ground(shape=field), solid("box", _CUBE, 5.0, lift @ tilt)), DT)
    run(engine, 1.0)
    before = engine.state.bodies["position"][0].copy()
    assert before[:2] == pytest.approx([2.7, 0.1], abs=0.02)
    run(engine, 2.0)
    assert engine.state.bodies["position"][0] == pytest.approx(before, abs=2e-3)


def test_a_ball_rests_in_the_valley_of_a_height_field(make):
    x = np.linspace(-2, 2, 41)
    bowl = HeightField(0.3 * np.abs(x)[:, None] + 0.3 * np.abs(x)[None, :], (4.0, 4.0))
    engine = make(world_of(ground(shape=bowl), ball(0.5)), DT)
    run(engine, 3.0)
    # it touches four slopes at once: its centre is above the tip by r / cos of their tilt
    expected = 0.1 * math.sqrt(1 + 2 * 0.3**2)
    assert engine.state.bodies["position"][0] == pytest.approx([0, 0, expected], abs=2e-3)


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_bodies_meet_the_cells_cut_as_they_are_seen(make, up):
    field = HeightField(up * np.array([[0.0, 0.4], [0.4, 0.0]]), (4.0, 4.0))
    seen = heightfield_height(field, np.zeros(1), np.zeros(1))[0]  # the cut, a ridge or a valley
    assert seen == pytest.approx(0.4 * up)
    engine = make(world_of(ground(shape=field), ball(0.9)), DT)
    run(engine, 0.6)
    side = math.sqrt(1 + 2 * 0.1**2) if up < 0 else 1.0  # above a valley it touches both sides
    assert engine.state.bodies["position"][0][2] == pytest.approx(seen + 0.1 * side, abs=3e-3)
