import math

import numpy as np
import pytest

import outrider as o
from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads


def husky(speed: float, yaw_rate: float = 0.0, world: str = "empty", seconds: float = 3.0):
    sim = o.Simulation(o.load_world(world), robots=[o.robot("husky")])
    said: dict[str, object] = {}
    for topic in ("/drive_power", "/battery_state"):
        sim.bus.tap(topic, lambda _, message, topic=topic: said.__setitem__(topic, message))
    for _ in range(round(seconds * 10)):
        sim.robots["husky"].drive(speed, yaw_rate)
        sim.run(0.1)
    return said["/drive_power"], said["/battery_state"]


def test_a_parked_robot_draws_what_its_drivers_read_at_rest():
    drive, battery = husky(0.0, seconds=1.0)
    assert drive.sides == ["left", "right"]
    assert drive.currents == pytest.approx([0.59, 0.59])
    assert drive.powers == pytest.approx([0.0, 0.0])
    assert battery.current == pytest.approx(0.0)
    assert battery.percentage == pytest.approx(1.0)
    assert battery.voltage == pytest.approx(24 * 1.06)
    assert math.isnan(battery.temperature)
    assert battery.present


def test_straight_on_ice_the_mean_torque_is_that_of_rolling():
    sim = o.Simulation(o.load_world("ice"), robots=[o.robot("husky")])
    torques = []
    sim.bus.tap("/drive_power", lambda now_ns, m: torques.append(m.torques) if now_ns > 1e9 else 0)
    for _ in range(60):
        sim.robots["husky"].drive(0.4)
        sim.run(0.1)
    rolling = 0.015 * 56.6 * 9.81 * 0.1651 / 2  # N m per side: coefficient, weight, wheel
    assert np.mean(torques) == pytest.approx(rolling, rel=0.5)  # and roughness


def test_current_is_torque_through_gear_and_motor_and_the_battery_gives_it():
    drive, battery = husky(0.5)
    assert drive.velocities == pytest.approx([0.5 / 0.1651] * 2, rel=0.03)
    per_amp = 0.044 * 78.71 * 0.7
    expected = [abs(torque) / per_amp + 1.94 for torque in drive.torques]
    assert drive.currents == pytest.approx(expected)
    assert battery.current == pytest.approx(-sum(drive.powers) / 24.0, rel=1e-6)
    assert 0.9999 < battery.percentage < 1.0


def test_turning_on_the_spot_costs_more_than_going_straight():
    straight, _ = husky(0.3)
    turning, _ = husky(0.0, 0.4)
    assert min(turning.currents) > 1.5 * max(straight.currents)
    assert turning.velocities[0] < 0 < turning.velocities[1]


def test_what_the_battery_has_given_survives_a_saved_state():
    text = "robots: [{model: husky, motion: {type: drive, speed: 0.8}}]"
    first, second = build(loads(text)), build(loads(text))
    first.run(2.0)
    second.set_state(first.get_state())
    said = {}
    for name, sim in (("a", first), ("b", second)):
        sim.bus.tap("/battery_state", lambda _, m, name=name: said.__setitem__(name, m))
        sim.run(1.0)
    assert said["a"].charge == said["b"].charge < 20.0


def test_a_car_has_no_two_sides():
    text = "robots: [{model: autominy, sensors: [{name: power, model: husky-power}]}]"
    with pytest.raises(ConfigError, match="needs a drive with two sides"):
        build(loads(text))
