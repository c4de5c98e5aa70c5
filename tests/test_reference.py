"""The pages that are written from the code say what the code says."""

import importlib.util
from pathlib import Path

import pytest

from outrider.scenarios.robot_facts import robot_facts
from outrider.scenarios.scenario import Scenario

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("write", ROOT / "tools" / "write_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_as_the_tool_writes_them(tool):
    """``python tools/write_reference.py`` writes them anew."""
    for path, text in tool.pages().items():
        written = (ROOT / "docs" / path).read_text(encoding="utf-8")
        assert written == text, f"docs/{path}: run python tools/write_reference.py"


def test_a_page_has_every_key_with_type_limits_default_and_comment(tool):
    page = tool.pages()[Path("reference/scenario.md")]
    row = "| `duration_s` | number or null, above 0, at most 1e+07 | `10` | null: until stopped |"
    assert row in page
    assert all(f"| `{name}` |" in page for name in Scenario.__dataclass_fields__)
    assert "[WorldSpec](world.md#worldspec)" in page
    assert "Units are m, s, kg, N, m/s and rad" in page
    material = tool.pages()[Path("reference/material.md")]
    assert "| per metre behind the surface; above 0 it fills what is behind it" in material


def test_a_student_learns_that_the_lidar_of_the_autominy_looks_backward():
    facts = robot_facts("autominy")
    assert facts["sensors"]["rplidar"]["looks"].endswith("angle 0 is backward")
    assert facts["sensors"]["camera"]["looks"].startswith("forward, 14 deg down, 79.64 deg wide")
    assert facts["sensors"]["camera"]["frame"] == "camera_link_optical"  # as in its messages
    assert facts["topics"]["/sensors/rplidar/scan"] == "sensor_msgs/LaserScan, 10 Hz"
    assert facts["topics"]["/actuators/speed"] == "autominy_msgs/SpeedCommand, command"
    assert facts["limits"]["command_holds_s"] == "until the next one"
    assert "/actuators/speed" not in robot_facts("jackal")["topics"]


def test_sensors_that_measure_a_distance_tell_where_and_how_far():
    create = robot_facts("create")["sensors"]
    assert create["wall"]["looks"] == "to the right, 33 deg left of it, 0 to 0.1 m"
    assert create["cliff"]["looks"].startswith("down from left_cliff_sensor_link, leftfront_")


def test_a_robot_without_a_limit_of_its_speed_says_so():
    limits = robot_facts(ROOT / "examples" / "buggy" / "buggy.yaml")["limits"]
    assert limits["speed_m_s"].startswith("as far as its motors go")
