import math

import gymnasium
import numpy as np
import pytest

import outrider.learning  # noqa: F401 - registers the environments
from outrider.learning.coverage_map import CoverageMap
from outrider.learning.free_ground import FreeGround
from outrider.learning.lane import LANES, OvalLane, ahead
from outrider.learning.observation import bearing


def drive_to_goal(env, seen):
    """Return an action that turns to the goal and drives to it."""
    _, cosine, sine = seen["goal"]
    return np.array([max(0.0, cosine), 2.0 * math.atan2(sine, cosine)], np.float32)


@pytest.fixture(scope="module")
def waypoints():
    made = gymnasium.make(
        "Outrider/Waypoints-v0", world="empty", waypoints=2, rays=16, range_noise=0.0
    )
    yield made
    made.close()


def test_the_direction_of_a_goal_is_as_geometry_has_it():
    distance, direction = bearing(np.array([1.0, 2.0]), math.pi / 2, np.array([1.0, 5.0]))
    assert (distance, direction) == pytest.approx((3.0, 0.0))
    assert bearing(np.zeros(2), 0.0, np.array([0.0, 2.0]))[1] == pytest.approx(math.pi / 2)


def test_driving_to_all_way_points_is_a_success_and_rewards_the_way(waypoints):
    seen, _ = waypoints.reset(seed=3)
    far = seen["goal"][0] * 10.0
    total, rewards = 0.0, []
    for _ in range(300):
        seen, reward, ended, _, info = waypoints.step(drive_to_goal(waypoints, seen))
        total += reward
        rewards.append(reward)
        if ended:
            break
    assert info == {"outcome": "goal", "is_success": True}
    assert sum(reward > 5 for reward in rewards) == 2  # one for each point
    # two points of 10, two ways (less the tolerance of 0.5 m each), and the time
    ways = far + _second_way(waypoints) - 2 * 0.5
    assert total == pytest.approx(20 + ways - 0.02 * len(rewards), abs=0.6)


def _second_way(env):
    first, second = env.unwrapped._goals
    return float(np.hypot(*(second - first)))


def test_running_into_something_ends_an_episode_with_a_penalty():
    env = gymnasium.make("Outrider/Waypoints-v0", rays=16)
    env.reset(seed=1)
    for _ in range(300):
        _, reward, ended, _, info = env.step(np.array([1.0, 0.0], np.float32))
        if ended:
            break
    assert info == {"outcome": "collision", "is_success": False}
    assert reward < -9
    env.close()


def test_leaving_the_area_ends_an_episode(waypoints):
    waypoints.reset(seed=1)
    for _ in range(400):
        *_, ended, late, info = waypoints.step(np.array([1.0, 0.0], np.float32))
        if ended or late:
            break
    assert info["outcome"] == "left"


def test_scans_are_in_metres_over_the_range_and_see_the_wall_where_it_is():
    env = gymnasium.make("Outrider/AutoMiny-v0", rays=4, range_noise=0.0)  # behind, right, ahead
    env.reset(seed=2)
    simulation = env.unwrapped.simulation
    (x, y), heading = env.unwrapped.observation.pose()
    ranges = env.unwrapped.observation.ranges(np.random.default_rng(0))
    inner = 7.41 / 2  # m from the middle to each wall of the lab
    for index, turn in enumerate((math.pi, -math.pi / 2, 0.0, math.pi / 2)):
        c, s = math.cos(heading + turn), math.sin(heading + turn)
        to_x = (math.copysign(inner, c) - x) / c if abs(c) > 1e-9 else math.inf
        to_y = (math.copysign(inner, s) - y) / s if abs(s) > 1e-9 else math.inf
        assert ranges[index] == pytest.approx(min(to_x, to_y), abs=0.03)
    assert simulation.time_s == pytest.approx(0.1)  # the robot stood until its first scan
    env.close()


@pytest.mark.parametrize("radius", LANES.values())
def test_the_lane_is_closed_smooth_and_as_long_as_its_pieces(radius):
    lane = OvalLane(radius)
    runs = np.linspace(0.0, lane.length, 2001)
    points = np.array([lane.at(run)[:2] for run in runs])
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert steps.sum() == pytest.approx(lane.length, rel=1e-5)
    assert steps.max() == pytest.approx(lane.length / 2000, rel=1e-3)
    assert points[0] == pytest.approx(points[-1])
    for run in runs[:-1:50]:
        x, y, heading = lane.at(run)
        left = np.array([x - 0.1 * math.sin(heading), y + 0.1 * math.cos(heading)])
        found, aside = lane.project(left)
        assert aside == pytest.approx(0.1)
        assert math.remainder(found - run, lane.length) == pytest.approx(0.0, abs=1e-9)


def test_the_lane_ahead_of_a_car_in_it_lies_straight_ahead_on_a_straight():
    lane = OvalLane(LANES["inner"])
    points = ahead(lane, np.array([LANES["inner"], -0.5]), math.pi / 2, (0.2, 0.7))
    assert points == pytest.approx(np.array([[0.2, 0.0], [0.7, 0.0]]), abs=1e-9)


def test_a_car_steered_along_its_lane_comes_round_and_one_that_is_not_leaves_it():
    env = gymnasium.make("Outrider/AutoMiny-v0", laps=0.3, rays=8)
    seen, _ = env.reset(seed=1)
    for _ in range(200):
        x, y = seen["lane"][4:6]  # 0.7 m ahead
        curve = 2.0 * y / (x * x + y * y)
        steering = math.atan(0.255 * curve) / 0.512  # wheelbase; full lock
        seen, _, ended, _, info = env.step(np.array([0.6, steering], np.float32))
        if ended:
            break
    assert info["outcome"] == "goal"
    env.reset(seed=1)
    for _ in range(100):
        *_, ended, _, info = env.step(np.array([0.6, -1.0], np.float32))
        if ended:
            break
    assert info["outcome"] == "off lane"
    env.close()


def test_a_map_of_what_was_seen_grows_by_the_area_in_sight():
    x, y = np.meshgrid(np.arange(0.05, 10.0, 0.1), np.arange(0.05, 10.0, 0.1))
    free = FreeGround(np.column_stack([x.ravel(), y.ravel()]), (0.0, 0.0, 10.0, 10.0))
    seen = CoverageMap(free.region, 0.1, free)
    seen.add(np.array([5.0, 5.0]), 0.3, np.full(720, 8.0, np.float32), 3.0)
    assert seen.area == pytest.approx(math.pi * 9.0, rel=0.05)
    assert seen.share == pytest.approx(math.pi * 9.0 / 100.0, rel=0.05)
    seen.add(np.array([5.0, 5.0]), 1.3, np.full(720, 8.0, np.float32), 3.0)
    assert seen.area == pytest.approx(math.pi * 9.0, rel=0.06)  # nothing counts twice


def test_the_window_of_the_map_shows_a_wall_ahead_in_its_first_rows():
    free = FreeGround(np.array([[5.0, 5.0]]), (0.0, 0.0, 10.0, 10.0))
    seen = CoverageMap(free.region, 0.25, free)
    ranges = np.full(8, 9.0, np.float32)
    ranges[4] = 2.0  # straight ahead
    for heading in (0.0, math.pi / 2, 2.0):
        seen.clear()
        seen.add(np.array([5.0, 5.0]), heading, ranges, 3.0)
        window = seen.window(np.array([5.0, 5.0]), heading, 24)
        row, column = np.argwhere(window == 1.0)[0]
        assert row == pytest.approx(11.5 - 2.0 / 0.25, abs=1.5)
        assert column == pytest.approx(11.5, abs=1.5)
