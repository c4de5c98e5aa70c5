"""The default autonomy stack drives a robot in the simulator, by what its sensors say."""

from dataclasses import replace
from typing import ClassVar

import pytest

from outrider.autonomy.component import Silent
from outrider.autonomy.health import GOOD
from outrider.autonomy.spec import AutonomySpec
from outrider.core.errors import ConfigError
from outrider.messages import types as ros
from outrider.scenarios.load import load, loads
from outrider.scenarios.run import Run, run_scenario

pytest.importorskip("small_gicp", reason="the extra 'autonomy' is not installed")
pytest.importorskip("gtsam", reason="the extra 'autonomy' is not installed")

SHORT = """
world: playpen
duration_s: 60
robots:
  - model: jackal
    sensors:
      - {name: velodyne, model: platt-vlp16, pose: {z: 0.3}}
autonomy:
  slam: null
  navigation: {local_planner: {max_speed: 0.6}, local_map: {resolution: 0.03}}
  waypoints: {points: [[1.2, 0.0]]}
"""


def short() -> Run:
    return Run(loads(SHORT), speed=0.0)


def test_a_way_point_is_come_to_and_the_run_repeats_to_the_last_bit() -> None:
    first, second = (short().go() for _ in range(2))
    assert first["completed"]
    assert [w["outcome"] for w in first["autonomy"]["waypoints"]] == ["reached"]
    assert first["localization"]["position_m"]["max"] < 0.1
    assert first["localization"]["rotation_deg"]["mean"] < 1.0
    assert first["state_hash"] == second["state_hash"]
    assert first["localization"] == second["localization"]
    assert first["robots"]["jackal"]["x"] > 0.9


def test_the_robots_own_odometry_frame_gives_way_to_the_stacks() -> None:
    run = short()
    box = run.simulation.bus.subscribe("/tf", kept="all")
    run.simulation.run(2.5)
    frames = set()
    while (item := box.poll()) is not None:
        frames |= {(t.header.frame_id, t.child_frame_id) for t in item[1].transforms}
    assert ("odom", "base_link") in frames  # the stack's
    assert all(len([p for p, c in frames if c == child]) == 1 for _, child in frames)


def test_a_scenario_without_autonomy_can_be_opened_from_one_that_has_one() -> None:
    run = short()
    run.simulation.run(0.1)
    run.session.open(replace(run.scenario, autonomy=None))
    run.simulation.run(0.1)
    assert run.simulation.time_s == pytest.approx(0.1)


WHEELS = "/jackal_velocity_controller/odom"


def test_another_programs_odometry_leads_and_is_judged() -> None:
    text = SHORT.replace("slam: null", "slam: null\n  odometry: null\n  lidar_cloud: {}")
    run = Run(loads(text), speed=0.0)
    bus = run.simulation.bus
    box = bus.subscribe(WHEELS, kept="all")

    def node(simulation) -> None:  # wheels believed blindly, from outside of the stack
        while (item := box.poll()) is not None:
            bus.publish("/odometry", item[1], simulation.time_ns)

    run.simulation.drivers.append(node)
    result = run.go()
    assert [w["outcome"] for w in result["autonomy"]["waypoints"]] == ["reached"]
    assert result["autonomy"]["health"]["odometry"] == "good"
    assert 0.0 < result["localization"]["position_m"]["max"] < 0.3


class Blind(Silent):
    """A driver of one's own: straight ahead, whatever the map."""

    name = "blind"
    inputs: ClassVar = {"odometry": "nav_msgs/msg/Odometry"}
    outputs: ClassVar = {"cmd_vel": "geometry_msgs/msg/Twist"}
    health = GOOD

    def take(self, port, message, time_ns):  # noqa: ARG002
        return [("cmd_vel", ros.Twist(ros.Vector3(0.4, 0.0, 0.0), ros.Vector3(0.0, 0.0, 0.0)))]


def test_a_part_written_in_python_drives_in_place_of_the_navigation() -> None:
    scenario = replace(loads(SHORT), duration_s=3.0)
    result = run_scenario(scenario, own_parts=lambda: [Blind()])
    assert "navigation" not in result["autonomy"]["health"]
    assert result["robots"]["jackal"]["x"] > 0.4


def test_time_that_runs_out_before_the_last_way_point_is_no_success() -> None:
    scenario = replace(loads(SHORT), duration_s=1.0)
    assert not run_scenario(scenario)["completed"]


def test_autonomy_for_a_robot_that_is_not_there_is_refused() -> None:
    scenario = replace(loads(SHORT), autonomy=AutonomySpec(robot="jackel"))
    with pytest.raises(ConfigError, match="did you mean 'jackal'"):
        run_scenario(scenario)


@pytest.mark.slow
def test_scenario_two_is_driven_by_lidar_alone() -> None:
    result = run_scenario(load("hratc-lidar"))
    assert result["completed"]
    assert [w["outcome"] for w in result["autonomy"]["waypoints"]] == ["reached"] * 6
    assert result["collisions"] == 0
    assert result["localization"]["position_m"]["mean"] < 0.1
    assert result["localization"]["rotation_deg"]["mean"] < 1.0
