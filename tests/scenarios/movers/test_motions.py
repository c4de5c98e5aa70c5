import math

import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.load import loads


def simulation(motion: str, model: str = "jackal", extra: str = ""):
    text = f"robots: [{{model: {model}, motion: {motion}}}]\nduration_s: 100\n{extra}"
    return build(loads(text))


def commands(sim, seconds: float):
    """Return all commands with the simulated time at which they were sent."""
    box = sim.bus.subscribe("/cmd_vel", kept="all")
    sim.run(seconds)
    sent = []
    while item := box.poll():
        sent.append((item[0] / 1e9, item[1].linear.x, item[1].angular.z))
    box.close()
    return sent


def test_commands_come_at_twenty_hertz_and_a_zero_ends_them():
    sent = commands(simulation("{type: drive, speed: 0.3, duration_s: 0.33}"), 1.0)
    times = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    assert sent == [(t, 0.3, 0.0) for t in times] + [(pytest.approx(0.33), 0.0, 0.0)]


def test_motions_follow_one_another_with_the_pauses_they_ask_for():
    motions = """[{type: drive, speed: 0.3, duration_s: 0.05, start_s: 0.1},
      {type: drive, yaw_rate_deg: 90, duration_s: 0.05, start_s: 0.2}]"""
    half_pi = math.pi / 2
    assert commands(simulation(motions), 1.0) == [
        (0.1, 0.3, 0.0),
        (pytest.approx(0.15), 0.0, 0.0),
        (0.35, 0.0, half_pi),
        (0.4, 0.0, 0.0),
    ]


def test_a_reset_starts_the_motions_again():
    sim = simulation("{type: drive, speed: 0.3, duration_s: 0.1}")
    first = commands(sim, 0.3)
    sim.reset()
    assert commands(sim, 0.3) == first


def test_waypoints_are_reached_one_after_another():
    motion = "{type: waypoints, points: [[1, 0], [1, 1], [0, 1]], speed: 0.8, tolerance: 0.1}"
    sim = simulation(motion, extra="end: [{type: reach, x: 0, y: 1, tolerance: 0.1}]")
    near = {(1.0, 0.0): 9.0, (1.0, 1.0): 9.0}
    while sim.finished is None and sim.time_s < 20:
        sim.run(0.05)
        here = sim.robots["jackal"].pose.position[:2].tolist()
        near = {point: min(d, math.dist(here, point)) for point, d in near.items()}
    assert sim.finished is True
    assert max(near.values()) < 0.1


def test_waypoints_that_end_stop_the_robot():
    motion = "{type: waypoints, points: [[0.5, 0]], tolerance: 0.1}"
    sim = simulation(motion)
    sim.run(4.0)
    assert sim.robots["jackal"].pose.position[0] == pytest.approx(0.42, abs=0.06)
    assert abs(sim.robots["jackal"].velocity[0]) < 0.01


def test_no_command_goes_through_more_than_a_thousand_waypoints_or_motions():
    points = str([[0, 0]] * 1500)
    sim = simulation(f"{{type: waypoints, tolerance: 1e5, points: {points}}}")
    (driver,) = sim.drivers
    sim.run(0.01)
    assert driver.get_state()["waypoint"] == 1000
    sim.run(0.1)
    assert driver.get_state()["left"] == 0
    sim = simulation(str([{"type": "drive", "duration_s": 1e-12}] * 1500))
    (driver,) = sim.drivers
    assert [driver.get_state()["left"] for _ in range(3) if sim.step() is None] == [500, 0, 0]


def test_a_car_comes_to_a_waypoint_beside_it_on_an_arc():
    motion = "{type: waypoints, points: [[2, 2]], speed: 1.0, tolerance: 0.1}"
    sim = simulation(motion, "autominy", "end: [{type: reach, x: 2, y: 2, tolerance: 0.1}]")
    sim.run(10.0)
    assert sim.finished is True


@pytest.mark.parametrize(
    ("motion", "complaint"),
    [
        ("{type: steer, speed: 1}", "robot 'jackal': motion: 'jackal' has no steering"),
        ("{type: waypoints}", "motion.points: waypoints need at least one point"),
    ],
)
def test_motions_that_a_robot_cannot_make_are_refused(motion, complaint):
    with pytest.raises(ConfigError, match=complaint):
        simulation(motion)
