"""Robots without a height begin at rest, on their springs and with their brakes closed."""

import numpy as np
import pytest

from outrider.core.frames import yaw_of
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario

SOIL = {"type": "rolling", "size": [40, 40], "cell": 0.2, "height": 0.8, "wavelength": 20}
FLAT = {"type": "flat", "material": "sandy-loam"}
SLOPE = {"type": "flat", "size": 400, "material": "concrete"}
SAND = SLOPE | {"material": "sand"}
HEAVY_GOING = [
    ("tank", SAND, {}),
    ("tank", SAND | {"slope_deg": 10.0}, {}),
    ("husky", "inspection", {"x": 13.108, "y": -3.632, "yaw_deg": 17.9}),  # one wheel is in the air
]
ROBOTS = ["autominy", "create", "husky", "jackal", "tank", "tracked_ugv"]


def started(robot, ground, engine="mujoco", **pose):
    data = {
        "name": "start",
        "world": {"name": "field", "ground": ground} if isinstance(ground, dict) else ground,
        "robots": [{"model": robot, "name": "robot", "pose": pose}],
        "physics": {"engine": engine},
    }
    return build(from_data(Scenario, data, "s"))


def moves(simulation, seconds=1.0):
    """Return the greatest acceleration of a robot's frame (m/s2), and how far it goes (m)."""
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    start, velocity, most = body["position"].copy(), body["velocity"].copy(), 0.0
    step_s = simulation.rig.step_s
    for _ in range(round(seconds / step_s)):
        simulation.step()
        most = max(most, float(np.linalg.norm(body["velocity"] - velocity)) / step_s)
        velocity = body["velocity"].copy()
    return most, float(np.linalg.norm(body["position"] - start))


@pytest.mark.parametrize("robot", ROBOTS)
def test_it_is_at_rest_from_the_first_step_on_hills(robot):
    acceleration, far = moves(started(robot, {**SOIL, "material": "soil"}, x=3.0, y=-4.0))
    assert acceleration < 0.1
    assert far < 2e-4


@pytest.mark.parametrize("robot", [robot for robot in ROBOTS if robot != "tank"])
def test_it_is_at_rest_from_the_first_step_on_soft_ground(robot):
    acceleration, far = moves(started(robot, FLAT, x=1.3, y=0.4, yaw_deg=30.0))
    assert acceleration < 0.1
    assert far < 1e-4


@pytest.mark.parametrize("slope_deg", [10.0, 20.0])
@pytest.mark.parametrize("robot", ["husky", "jackal", "tank"])
def test_it_is_at_rest_from_the_first_step_on_a_slope(robot, slope_deg):
    acceleration, far = moves(started(robot, SLOPE | {"slope_deg": slope_deg}, yaw_deg=40.0))
    assert acceleration < 0.05
    assert far < 5e-5


@pytest.mark.parametrize(("robot", "ground", "place"), HEAVY_GOING)
def test_brakes_hold_it_still_where_rolling_is_hard(robot, ground, place):
    simulation = started(robot, ground, **place)
    acceleration, far = moves(simulation, 3.0)
    wheels = simulation.state.joints["velocity"][simulation.rig.vehicles[0].driven]
    assert np.abs(wheels).max() < 1e-3
    assert far < 1e-4
    assert acceleration < 0.1


@pytest.mark.parametrize("robot", ["husky", "tank"])
def test_it_is_at_rest_on_bullet(robot):
    acceleration, far = moves(started(robot, {**SOIL, "material": "soil"}, "bullet", x=3.0, y=-4.0))
    assert acceleration < 0.1
    assert far < 2e-4


def test_it_stays_at_its_place_and_heading():
    simulation = started("tank", {**SOIL, "material": "soil"}, x=3.0, y=-4.0, yaw_deg=70.0)
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    assert body["position"][:2] == pytest.approx([3.0, -4.0], abs=1e-12)
    assert np.degrees(yaw_of(body["rotation"])) == pytest.approx(70.0, abs=1e-9)


def test_its_tyres_carry_its_weight_and_hold_it_on_a_slope():
    simulation = started("husky", SLOPE | {"slope_deg": 20.0}, yaw_deg=40.0)
    rows, bodies = simulation.rig.tyres.rows, simulation.rig.assembly.bodies
    weight = 9.80665 * sum(body.inertial.mass for body in bodies)
    forces = rows["load"][:, None] * rows["normal"]
    forces = forces + rows["force"][:, :1] * rows["along"]
    forces = forces + rows["force"][:, 1:] * rows["axle_world"]
    assert forces.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=1e-4 * weight)


def test_a_given_height_is_kept():
    simulation = started("husky", FLAT, z=0.4)
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    assert body["position"].tolist() == [0.0, 0.0, 0.4]
    assert not simulation.rig.tyres.rows["load"].any()


def test_who_would_come_down_on_its_hull_is_left_where_it_stands():
    simulation = started("create", "inspection", x=-1.092, y=-2.533, yaw_deg=60.1)
    assert not simulation.rig.tyres.rows["load"].any()
    assert not simulation.rig.engine.overlaps(0.001)


def test_who_sinks_deep_into_soft_ground_is_not_refused():
    acceleration, far = moves(started("tank", FLAT))
    assert acceleration > 1.0
    assert 0.1 < far < 0.3
