import json
import math

import pytest

from outrider.scenarios.load import load, loads
from outrider.scenarios.run import run_scenario
from outrider.scenarios.run_metrics import FIGURES

CONTRACT = {
    "scenario",
    "seed",
    "completed",
    "sim_time_s",
    "wall_time_s",
    "real_time_factor",
    "cpu_percent",
    "memory_mb",
    "threads",
    "distance_m",
    "start_time_s",
    "localization",
    "mapping",
    "state_hash",
}
SHORT = ["duration_s=0.5", "expect=[]"]


def test_a_result_has_every_key_of_the_contract():
    result = run_scenario(load("smoke", SHORT))
    assert result.keys() >= CONTRACT
    assert result["localization"] is None
    assert result["mapping"] is None
    assert result["sim_time_s"] == pytest.approx(0.5)
    assert result["real_time_factor"] == pytest.approx(0.5 / result["wall_time_s"])
    assert 0 < result["start_time_s"] < 30
    assert result["memory_mb"] > 50  # of this process, with all that other tests left in it
    assert result["threads"] >= 1
    assert set(result["robots"]["jackal"]) == set(FIGURES)
    json.dumps(result, allow_nan=False)


def test_files_of_a_run_lie_beside_each_other_and_run_again_the_same(tmp_path):
    result = run_scenario(load("smoke", [*SHORT, "seed=3"]), out=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "scenario.yaml"]
    assert json.loads((tmp_path / "result.json").read_text()) == result
    again = run_scenario(load(tmp_path / "scenario.yaml"))
    assert again["state_hash"] == result["state_hash"]
    assert again["seed"] == 3


def figures(text: str):
    return run_scenario(loads("physics: {engine: kinematic, step_s: 0.01}\n" + text))["robots"]


def test_figures_of_a_half_circle_are_those_of_geometry():
    motion = "{type: drive, speed: 0.5, yaw_rate_deg: 45}"
    robot = figures(f"duration_s: 4\nrobots: [{{model: create, motion: {motion}}}]")["create"]
    # acceleration of 1.8 m/s^2 costs the first quarter second: the arc is not all circle
    assert robot["yaw_turned_deg"] == pytest.approx(180, abs=0.1)
    assert robot["yaw_rate_mean_deg_s"] == pytest.approx(45, abs=0.05)
    assert robot["distance_m"] == pytest.approx(2.0, abs=0.08)
    assert robot["displacement_m"] == pytest.approx(math.hypot(robot["x"], robot["y"]), abs=1e-6)
    assert robot["lateral_m"] == pytest.approx(robot["y"], abs=1e-9)
    assert robot["final_speed"] == pytest.approx(0.5, abs=1e-6)


def test_the_way_there_and_back_is_twice_as_long_as_one_way():
    motion = """[{type: steer, speed: 0.5, duration_s: 2},
                 {type: steer, speed: -0.5, duration_s: 2}]"""
    robot = figures(f"duration_s: 5\nrobots: [{{model: autominy, motion: {motion}}}]")["autominy"]
    assert robot["distance_m"] == pytest.approx(2.0, abs=1e-6)
    assert robot["drift_m"] == pytest.approx(1.0, abs=0.011)
    assert robot["displacement_m"] == pytest.approx(0.0, abs=1e-9)
    assert robot["final_speed"] == pytest.approx(0.0, abs=1e-6)
