"""Robots without a height: along the plane under their wheels, however steep it is."""

import math

import numpy as np
import pytest

from outrider.core.frames import matrix_from_quaternion, yaw_of
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario

GRAVITY, FRICTION = 9.81, 0.8  # of concrete
WHEELBASE = 0.512  # m, of a Husky


def on_slope(degrees, yaw_deg, robot="husky"):
    ground = {"type": "flat", "slope_deg": degrees}
    pose = {"x": 1.0, "y": 2.0, "yaw_deg": yaw_deg}
    data = {"world": {"name": "hill", "ground": ground}, "robots": [{"model": robot, "pose": pose}]}
    simulation = build(from_data(Scenario, {"name": "slope", **data}, "slope"))
    return simulation, simulation.state.bodies[simulation.rig.vehicles[0].root]


def normal(degrees):
    return np.array([-math.sin(math.radians(degrees)), 0.0, math.cos(math.radians(degrees))])


@pytest.mark.parametrize("degrees", [33.0, 45.0, 60.0])
@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, 37.0])
def test_a_robot_starts_with_its_wheels_on_the_plane_of_a_steep_slope(degrees, yaw_deg):
    simulation, body = on_slope(degrees, yaw_deg)
    up = matrix_from_quaternion(body["rotation"])[:, 2]
    tilt = np.arccos(np.clip(up @ normal(degrees), -1, 1))
    assert body["position"][:2] == pytest.approx([1.0, 2.0])
    assert math.degrees(yaw_of(body["rotation"])) == pytest.approx(yaw_deg)
    simulation.step()
    depths = simulation.rig.tyres.rows["penetration"]
    lean = np.ptp(depths) / WHEELBASE  # one that is held leans on its lower tyres from the start
    assert np.degrees(tilt) < 0.1 + (np.degrees(lean) if degrees < 36.0 else 0.0)
    assert (depths > 0).all()
    assert depths.max() < 0.02


@pytest.mark.parametrize("degrees", [45.0, 60.0])
def test_wheels_slide_down_a_steep_slope_as_friction_says(degrees):
    simulation, body = on_slope(degrees, 90.0)
    start = body["position"].copy()
    simulation.run(0.5)  # it has come off by then
    before = np.linalg.norm(body["velocity"])
    simulation.run(1.0)
    slope = math.radians(degrees)
    expected = GRAVITY * (math.sin(slope) - FRICTION * math.cos(slope))
    assert np.linalg.norm(body["velocity"]) - before == pytest.approx(expected, rel=0.05)
    off = (body["position"] - start) @ normal(degrees)
    assert abs(off) < 0.03  # it is neither thrown nor sunk


def test_a_robot_on_a_slope_that_friction_holds_stays():
    simulation, body = on_slope(36.0, 0.0)
    simulation.run(1.5)
    assert np.linalg.norm(body["velocity"]) < 0.01
