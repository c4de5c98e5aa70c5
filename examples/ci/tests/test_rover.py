"""Tests of the rover; ``outrider_sim`` comes with Outrider's pytest plugin."""

from pathlib import Path

import pytest

from outrider.testing.sim_factory import OutriderSim

HERE = Path(__file__).parents[1]
ROVER = HERE / "rover" / "rover.yaml"


@pytest.mark.parametrize("name", ["slalom", "parked"])
def test_a_scenario_meets_its_expectations(outrider_sim: OutriderSim, name: str) -> None:
    outrider_sim.check(HERE / "scenarios" / f"{name}.yaml")


def test_it_stops_when_commands_stop(outrider_sim: OutriderSim) -> None:
    sim = outrider_sim(ROVER)
    rover = sim.robots["rover"]
    for _ in range(10):
        rover.drive(1.0)
        sim.run(0.1)
    assert rover.velocity[0] == pytest.approx(1.0, abs=0.1)
    sim.run(1.0)  # nobody commands it any more
    assert abs(rover.velocity[0]) < 0.01


@pytest.mark.parametrize("seed", [1, 2])
def test_it_turns_on_the_spot(outrider_sim: OutriderSim, seed: int) -> None:
    sim = outrider_sim(ROVER, seed=seed)
    rover = sim.robots["rover"]
    for _ in range(20):
        rover.drive(0.0, 1.0)
        sim.run(0.1)
    x, y, _ = rover.pose.position
    assert abs(x) < 0.2
    assert abs(y) < 0.2
    assert rover.angular_velocity[2] == pytest.approx(1.0, abs=0.4)
