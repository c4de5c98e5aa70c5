"""Engines against mechanics: friction against spinning on the spot, and what it holds."""

import math

import numpy as np
import pytest
from engine_truth import run
from engine_worlds import G, ground, solid, world_of

from outrider.core.frames import Pose
from outrider.physics.torsional_friction import torsional_friction
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model
from outrider.world.shapes import Box, Sphere

RADIUS, STEP_S = 0.2, 0.0025
WALLS = math.pi / 4  # of the groove


@pytest.mark.parametrize("friction", [0.8, 0.2, 0.0])
def test_a_ball_that_spins_on_the_spot_is_braked_by_torsional_friction(make, friction):
    material = Material(friction=friction)
    still = Pose([0.0, 0.0, RADIUS])
    engine = make(
        world_of(ground(material), solid("ball", Sphere(RADIUS), 5.0, still, material)), STEP_S
    )
    engine.place(0, still, np.zeros(3), np.array([0.0, 0.0, 5.0]))
    run(engine, 1.0)
    braking = torsional_friction(friction) * G / (0.4 * RADIUS**2)
    assert engine.state.bodies["angular_velocity"][0] == pytest.approx(
        [0, 0, 5 - braking], abs=0.02
    )


def test_a_slippery_pair_of_materials_resists_spinning_less():
    assert torsional_friction(0.8) == pytest.approx(0.005)
    assert torsional_friction(0.1) == pytest.approx(0.005 / 8)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_ball_stays_in_a_groove_that_slopes_less_than_torsional_friction_holds(make, share):
    assert _way_along_groove(make, share * _steepest()) < 2e-3  # what it sinks in by


@pytest.mark.parametrize("share", [1.5, 3.0])
def test_a_ball_rolls_off_along_a_groove_that_slopes_more(make, share):
    slope = share * _steepest()
    # 1.8 times the mass has to be moved: it turns by its way over r cos 45 degrees
    gained = G * (math.sin(slope) - math.tan(_steepest()) * math.cos(slope)) / 1.8
    assert _way_along_groove(make, slope) == pytest.approx(gained / 2, rel=0.25)


def _steepest() -> float:
    """Return the slope at which weight along the groove does the work of two spinning contacts."""
    return math.atan(torsional_friction(0.8) * math.tan(WALLS) / (RADIUS * math.cos(WALLS)))


def _way_along_groove(make, slope: float) -> float:
    """Return how far a ball comes in a second; a positive slope falls towards +x."""
    tilt = Pose.from_rpy([0, 0, 0], [0, slope, 0])
    walls = tuple(
        Geometry(
            Box((6.0, 2.0, 0.2)), tilt @ Pose.from_rpy([0, 0, 0], [turn, 0, 0]) @ Pose([0, 0, -0.1])
        )
        for turn in (WALLS, -WALLS)
    )
    groove = Model("groove", (Link("link", colliders=walls),), mobility="static")
    start = tilt @ Pose([0.0, 0.0, RADIUS / math.cos(WALLS)])
    engine = make(world_of(groove, solid("ball", Sphere(RADIUS), 5.0, start)), STEP_S)
    run(engine, 1.0)
    return float(np.linalg.norm(engine.state.bodies["position"][0] - start.position))
