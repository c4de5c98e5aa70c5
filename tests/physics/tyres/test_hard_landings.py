"""After a fall from any height the wheels are on the ground, not in it, and at rest."""

import numpy as np
import pytest

from outrider.core.frames import matrix_from_quaternion
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario


def landed(robot, height, rest_s=6.0, ground=None):
    pose = {"x": 0.0, "y": 0.0, "z": height}
    data = {"world": {"name": "flat", "ground": ground or {"type": "flat"}}}
    data["robots"] = [{"model": robot, "pose": pose}]
    simulation = build(from_data(Scenario, {"name": "fall", **data}, "fall"))
    simulation.run((2 * height / 9.81) ** 0.5 + rest_s)
    return simulation, simulation.state.bodies[simulation.rig.vehicles[0].root]


@pytest.mark.parametrize(
    ("robot", "height"),
    [("autominy", 5.0), ("create", 40.0), ("husky", 40.0), ("jackal", 300.0), ("husky", 300.0)],
)
def test_a_fallen_robot_is_neither_sunk_nor_creeping(robot, height):
    simulation, body = landed(robot, height, rest_s=10.0 if height > 100 else 6.0)
    up = matrix_from_quaternion(body["rotation"])[2, 2]
    before = body["position"].copy()
    simulation.run(1.0)
    assert np.linalg.norm(body["position"] - before) < 0.002
    wheels = simulation.rig.tyres.rows
    lowest = wheels["hub_world"][:, 2] - (wheels["radius"] if up > 0 else 0.0)
    assert lowest.min() > -0.01


@pytest.mark.parametrize("robot", ["autominy", "husky"])
def test_a_blow_on_several_sides_at_once_adds_no_speed(robot):
    height = 20.0
    simulation, body = landed(robot, height, -0.02, {"type": "rolling", "height": 0.5})
    fastest = (2 * 9.81 * height) ** 0.5
    for _ in range(200):
        simulation.step()
        assert np.linalg.norm(body["velocity"]) < 1.05 * fastest


@pytest.mark.parametrize(("roll_deg", "pitch_deg"), [(180.0, 0.0), (140.0, 0.0), (0.0, 90.0)])
def test_a_tracked_robot_that_lies_on_its_belt_comes_to_rest(roll_deg, pitch_deg):
    pose = {"x": 0.0, "y": 0.0, "z": 4.0, "roll_deg": roll_deg, "pitch_deg": pitch_deg}
    data = {"world": "empty", "robots": [{"model": "tracked_ugv", "pose": pose}]}
    simulation = build(from_data(Scenario, {"name": "fall", **data}, "fall"))
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    simulation.run(10.0)
    before = body["position"].copy()
    simulation.run(1.0)
    assert np.linalg.norm(body["position"] - before) < 0.002
    assert np.linalg.norm(body["velocity"]) < 0.01
