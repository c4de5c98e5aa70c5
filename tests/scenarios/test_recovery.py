"""What the autonomy stack does when it is pushed, blinded or blocked on its way."""

from collections.abc import Callable

import numpy as np
import pytest

from outrider.core.frames import Array
from outrider.scenarios.load import loads
from outrider.scenarios.run import Result, Run
from outrider.sim.external_forces import ExternalForce
from outrider.sim.simulation import Simulation

pytest.importorskip("small_gicp", reason="the extra 'autonomy' is not installed")
pytest.importorskip("gtsam", reason="the extra 'autonomy' is not installed")

WAY = """
world:
  ground: {type: none}
  things:
    - {what: floor, name: ground_floor, pose: {z: 0}, parameters: {size: [20, 20], look: concrete}}
  objects:
    - {name: west, shape: {type: box, size: [0.2, 12, 1.5]}, pose: {x: -5, z: 0.75}, mass: 0}
    - {name: east, shape: {type: box, size: [0.2, 12, 1.5]}, pose: {x: 6, y: 1, z: 0.75}, mass: 0}
    - {name: south, shape: {type: box, size: [9, 0.2, 1.5]}, pose: {y: -4, z: 0.75}, mass: 0}
    - {name: crate, shape: {type: box, size: [0.2, 0.9, 0.8]}, pose: {x: 3, y: 4, z: 0.4}, mass: 90}
duration_s: 60
robots:
  - model: jackal
    sensors:
      - {name: velodyne, model: platt-vlp16, pose: {z: 0.3}}
autonomy:
  slam: null
  navigation: {local_planner: {max_speed: 0.6}, local_map: {resolution: 0.03}}
  waypoints: {points: [[4.2, 0.0]], timeout_s: 50}
"""


def drive(event: Callable[[Run], None], at_s: float) -> tuple[Run, Result]:
    """Drive the way, with something that happens at a time."""
    run = Run(loads(WAY), speed=0.0)
    happened = []

    def happen(simulation: Simulation) -> None:
        if simulation.time_s >= at_s and not happened:
            happened.append(simulation.time_s)
            event(run)

    run.simulation.drivers.append(happen)
    result = run.go()
    assert happened
    return run, result


def outcomes(result: Result) -> list[str]:
    return [point["outcome"] for point in result["autonomy"]["waypoints"]]


@pytest.mark.slow
def test_a_robot_that_is_pushed_aside_still_comes_to_its_goal() -> None:
    def push(run: Run) -> None:
        now_ns = run.simulation.time_ns
        none: Array = np.zeros(3)
        force = np.array([0.0, 200.0, 0.0])
        run.simulation.pushes.add(
            ExternalForce("jackal/base_link", force, none, none, now_ns, now_ns + 300_000_000)
        )

    run, result = drive(push, 4.0)
    assert max(abs(pose.position[1]) for _, pose in run._autonomy._true) > 0.1  # it was pushed
    assert outcomes(result) == ["reached"]
    assert result["localization"]["position_m"]["max"] < 0.15


@pytest.mark.slow
def test_a_robot_that_sees_nothing_for_two_seconds_stops_and_goes_on() -> None:
    stood = []

    def blind(run: Run) -> None:
        live = run._autonomy._live
        until_ns = run.simulation.time_ns + 2_000_000_000
        feed = live.pipeline.feed

        def dark(topic, message, time_ns):
            if topic == "/mid/points" and time_ns < until_ns:
                stood.append(run.simulation.robots["jackal"].pose.position[0])
                return []
            return feed(topic, message, time_ns)

        live.pipeline.feed = dark

    _, result = drive(blind, 4.0)
    assert len(stood) > 15  # scans
    assert stood[-1] - stood[9] < 0.05  # it waits rather than drive on blindly
    assert outcomes(result) == ["reached"]
    assert result["localization"]["position_m"]["max"] < 0.1
    assert result["autonomy"]["health"]["lidar-inertial odometry"] == "good"


@pytest.mark.slow
def test_a_box_put_in_its_way_is_driven_around() -> None:
    _, result = drive(lambda run: run.session.move("crate", 2.4, 0.0), 2.0)
    assert outcomes(result) == ["reached"]
    assert result["collisions"] == 0
    assert result["robots"]["jackal"]["distance_m"] > 4.2  # by a detour


@pytest.mark.slow
def test_a_box_too_near_to_be_seen_is_felt_backed_off_from_and_driven_around() -> None:
    # nearer than 0.9 m a VLP-16 sees nothing
    run, result = drive(lambda run: run.session.move("crate", 1.7, 0.0), 3.0)
    assert outcomes(result) == ["reached"]
    assert result["collisions"] > 0
    assert min(np.diff([pose.position[0] for _, pose in run._autonomy._true])) < -0.002  # it backed


@pytest.mark.slow
def test_a_goal_inside_of_something_is_given_up_with_a_reason() -> None:
    big, short = "[2.4, 2.4, 0.8]}, pose: {x: 3.8, y: 0", "recovery: {rounds: 1}, local_map"
    solid = WAY.replace("[0.2, 0.9, 0.8]}, pose: {x: 3, y: 4", big).replace("local_map", short)
    result = Run(loads(solid), speed=0.0).go()
    assert not result["completed"]
    assert outcomes(result) == ["failed"]
    assert "no path leads there; tried: clear" in result["autonomy"]["waypoints"][0]["reason"]
