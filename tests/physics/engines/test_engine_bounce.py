"""Engines against mechanics: balls and bricks that bounce, and how an impact is reported."""

import math

import numpy as np
import pytest
from engine_truth import DT, height, run
from engine_worlds import (
    WEIGHTLESS,
    G,
    ball,
    brick,
    ground,
    solid,
    world_of,
)

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.world.assembly import WORLD
from outrider.world.materials import Material
from outrider.world.shapes import Box, Sphere


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
    # what the weight itself presses meanwhile is no part of the impact
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
