"""Navigation of a made-up robot in a made-up yard: it moves exactly as it is told."""

import math

import numpy as np
import pytest

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.mapping.mapper import grid_message
from outrider.autonomy.planning.navigator import Navigator
from outrider.autonomy.planning.spec import LocalMapSpec, NavigationSpec, RecoverySpec
from outrider.autonomy.poses import odometry_message
from outrider.core.frames import Pose
from outrider.messages import types as ros
from outrider.messages.types import message_class

FRAMES = ("odom", "base_link")
SPEC = NavigationSpec(
    local_map=LocalMapSpec(resolution=0.04),
    recovery=RecoverySpec(progress_s=6.0, rounds=1, turn_rate=1.5),
)


class Yard:
    """A robot with posts around; commands move it, sights come back."""

    def __init__(self, posts: np.ndarray, spec: NavigationSpec = SPEC) -> None:
        self.posts = posts
        self.navigator = Navigator(spec)
        self.at = np.zeros(3)
        self.now_ns = 0
        self.results: list[tuple[str, str]] = []
        self.track: list[np.ndarray] = []
        self.nearest = math.inf
        self.level = "good"
        values = np.full((400, 400), -1, np.int8)
        self.map = GridMap(values, 0.05, np.array([-10.0, -10.0, 0.0]))

    def goal(self, x: float, y: float) -> None:
        place = ros.Pose(ros.Point(x, y, 0.0), ros.Quaternion(0.0, 0.0, 0.0, 0.0))
        message = ros.PoseStamped(ros.header(self.now_ns, "map"), place)
        self.navigator.take("goal", message, self.now_ns)

    def run(self, seconds: float) -> None:
        end_ns = self.now_ns + round(seconds * 1e9)
        while self.now_ns < end_ns and not self.results:
            self._sense()
            self._act()

    def _sense(self) -> None:
        x, y, yaw = self.at
        pose = Pose.from_rpy([x, y, 0.0], [0.0, 0.0, yaw])
        take, now = self.navigator.take, self.now_ns
        health = message_class("outrider_msgs/msg/ComponentHealth")
        take("health", health(ros.header(now, ""), "odometry", self.level, "told so"), now)
        take("odometry", odometry_message(pose, np.zeros((6, 6)), now, FRAMES), now)
        angles = np.linspace(0, 2 * np.pi, 40)
        ring = 0.2 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)
        around = np.concatenate(
            [ring + np.array([*post, 0.3]) for post in self.posts] or [np.empty((0, 3))]
        )
        far = np.hypot(*(around[:, :2] - self.at[:2]).T)
        around = around[far < 4.0]
        for px, py, _ in around:
            self.map.values[int((py + 10) / 0.05), int((px + 10) / 0.05)] = 100
        a, r = np.meshgrid(np.linspace(0, 2 * np.pi, 200), np.linspace(0.3, 3.0, 10))
        floor = np.stack([r * np.cos(a), r * np.sin(a), 0 * a - 0.06], -1).reshape(-1, 3)
        take("ground", write_cloud(floor, now, "base_link"), now)
        take("obstacles", write_cloud(pose.inverse().apply(around), now, "base_link"), now)
        if now % 500_000_000 == 0:
            take("map", grid_message(self.map, now, "map"), now)

    def _act(self) -> None:
        for port, message in self.navigator.tick(self.now_ns):
            if port == "result":
                self.results.append((message.outcome, message.reason))
            elif port == "cmd_vel":
                v, w = message.linear.x, message.angular.z
                self.at = self.at + np.array(
                    [v * math.cos(self.at[2]) * 0.1, v * math.sin(self.at[2]) * 0.1, w * 0.1]
                )
        self.track.append(self.at.copy())
        if len(self.posts):
            self.nearest = min(self.nearest, np.hypot(*(self.posts - self.at[:2]).T).min() - 0.2)
        self.now_ns += 100_000_000


def test_a_goal_ahead_is_reached_straight() -> None:
    yard = Yard(np.empty((0, 2)))
    yard.goal(2.0, 0.0)
    yard.run(20.0)
    assert yard.results == [("reached", "")]
    track = np.array(yard.track)
    assert abs(track[:, 1]).max() < 0.1
    assert np.diff(track[:, 0]).max() <= 0.25 * 0.1 + 1e-9  # never faster than it may


def test_a_goal_behind_is_turned_to_on_the_spot() -> None:
    yard = Yard(np.empty((0, 2)))
    yard.goal(-1.5, 0.3)
    yard.run(25.0)
    assert yard.results == [("reached", "")]
    assert np.array(yard.track)[:, 0].max() < 0.15


def test_a_post_in_the_way_is_driven_around_without_touching_it() -> None:
    yard = Yard(np.array([[2.0, 0.05], [2.1, 0.6], [1.0, -1.5]]))
    yard.goal(4.0, 0.0)
    yard.run(60.0)
    assert yard.results == [("reached", "")]
    assert yard.nearest > 0.215  # half the robot's width


def test_a_robot_that_is_walled_in_says_so() -> None:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = 1.2 * np.stack([np.cos(angles), np.sin(angles)], 1)
    yard = Yard(ring)
    yard.goal(4.0, 0.0)
    yard.run(60.0)
    assert yard.results[0][0] == "failed"
    assert "tried: clear" in yard.results[0][1]
    assert yard.nearest > 0.1


def test_a_box_that_goes_away_is_waited_out() -> None:
    spec = NavigationSpec(local_map=LocalMapSpec(resolution=0.04))
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    yard = Yard(1.2 * np.stack([np.cos(angles), np.sin(angles)], 1), spec)
    yard.goal(3.0, 0.0)
    yard.run(8.0)
    assert not yard.results
    yard.posts = np.empty((0, 2))
    yard.map.values[:] = 0
    yard.run(60.0)
    assert yard.results == [("reached", "")]


@pytest.mark.parametrize("level", ["lost", "poor"])
def test_without_a_good_pose_it_stands_still_and_goes_on_later(level: str) -> None:
    yard = Yard(np.empty((0, 2)))
    yard.goal(1.5, 0.0)
    yard.run(1.0)
    yard.level = level
    yard.run(0.5)
    before = yard.at.copy()
    yard.run(2.0)
    assert (yard.at == before).all()
    assert "the robot waits" in yard.navigator.health.reason
    yard.level = "good"
    yard.run(20.0)
    assert yard.results == [("reached", "")]


def test_a_pushed_robot_finds_its_goal_all_the_same() -> None:
    yard = Yard(np.empty((0, 2)))
    yard.goal(2.5, 0.0)
    yard.run(4.0)
    yard.at += [0.1, 0.8, 1.2]
    yard.run(30.0)
    assert yard.results == [("reached", "")]
