"""Range over odometer past known obstacles: the staircase that docs/sensors/distance.md shows."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sensor_stand import drive, heard, listen, simulate

from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

TOOL = Path(__file__).resolve().parents[3] / "tools" / "plots" / "distance.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    """The script that draws the plot: the drive is tested that is shown."""
    spec = importlib.util.spec_from_file_location("plot_distance", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def course(tool: Any) -> Any:
    return tool.drive_past()


def jumps(x: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Where a range changes by more than 15 cm at once."""
    at = np.flatnonzero(np.abs(np.diff(ranges)) > 0.15)
    return (x[at] + x[at + 1]) / 2


def test_the_odometer_counts_the_way(course: Any) -> None:
    assert course.odometer == pytest.approx(course.way, abs=0.03)
    assert len(course.range) == pytest.approx(20 * course.way[-1] / 0.2, rel=0.02)


def test_the_range_follows_the_staircase_of_the_obstacles(tool: Any, course: Any) -> None:
    fine = np.linspace(0.0, tool.LENGTH, 4000)
    steps = jumps(fine, np.array([tool.expected(x) for x in fine]))
    assert len(steps) == 7
    geometry = np.array([tool.expected(x) for x in course.odometer])
    error = course.range - geometry
    near_step = np.abs(course.odometer[:, None] - steps).min(axis=1) < 0.025
    assert np.abs(error[~near_step]).max() < 0.02
    assert np.abs(error[~near_step]).mean() < 0.01
    assert near_step.mean() < 0.1


def test_the_steps_are_where_the_beams_edge_meets_the_obstacles(tool: Any, course: Any) -> None:
    fine = np.linspace(0.0, tool.LENGTH, 4000)
    wanted = jumps(fine, np.array([tool.expected(x) for x in fine]))
    found = jumps(course.odometer, course.range)
    assert found == pytest.approx(wanted, abs=0.025)


def test_a_wider_beam_hears_the_obstacles_earlier_and_longer(tool: Any, course: Any) -> None:
    wide = tool.drive_past(cones=[{"half_angle_deg": 30.0, "length": 3.3, "rays": 1200}])

    def heard_m(course: Any) -> float:
        return float(np.mean(course.range < 1.6) * course.way[-1])

    # each of four groups of boxes gains (tan 30 - tan 20) of its distance at either end
    assert heard_m(wide) > heard_m(course) + 0.3


def test_the_same_seed_gives_the_same_ranges_and_another_seed_others() -> None:
    entry = SensorEntry("ping", "ping", pose=PoseSpec(z=0.2))
    block = {"type": "box", "size": [0.5, 0.5, 0.6]}
    world = {"objects": [{"name": "block", "shape": block, "pose": {"x": 1.8}}]}

    def ranges(seed: int) -> list[float]:
        sim = simulate("create", entry, world=world, seed=seed)
        box = listen(sim, "/ping")
        drive(sim, 0.2, seconds=2.0)
        first = [message.range for message in heard(box)]
        sim.reset()
        heard(box)  # the first one, said by the reset itself
        drive(sim, 0.2, seconds=2.0)
        assert [message.range for message in heard(box)] == first
        return first

    assert ranges(1) == ranges(1)
    assert ranges(1) != ranges(2)


def test_a_sensor_on_a_robot_looks_through_its_own_robot_and_sees_others() -> None:
    entry = SensorEntry("ping", "ping", link="base_link", pose=PoseSpec(z=0.04))
    sim = simulate("create", entry)
    box = listen(sim, "/ping")
    sim.run(0.2)
    assert all(message.range == np.inf for message in heard(box))
    ball = {"type": "sphere", "radius": 0.2}
    world = {"objects": [{"name": "ball", "shape": ball, "pose": {"x": 0.9}, "mass": 1.0}]}
    sim = simulate("create", entry, world=world)
    box = listen(sim, "/ping")
    sim.run(0.5)
    # the ball's nearest point lies 0.14 m over the sensor's height
    assert heard(box)[-1].range == pytest.approx(np.hypot(0.9, 0.14) - 0.2, abs=0.02)
