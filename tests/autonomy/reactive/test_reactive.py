"""Brains of one idea, in worlds of a few numbers."""

import math

import numpy as np
import pytest

from outrider.autonomy.reactive.avoid import Avoid
from outrider.autonomy.reactive.lane import LaneKeeper, lane_offset
from outrider.autonomy.reactive.spec import AvoidSpec, LaneSpec, WallSpec
from outrider.autonomy.reactive.wall import Wall
from outrider.messages import types as ros


def scan_in_room(x, y, yaw, size=(6.0, 4.0)):
    """What a scanner sees in a rectangle around the origin."""
    angles = np.linspace(-np.pi, np.pi, 360, endpoint=False)
    c, s = np.cos(angles + yaw), np.sin(angles + yaw)
    with np.errstate(divide="ignore"):
        far = np.minimum(
            np.where(c > 0, (size[0] / 2 - x) / c, (-size[0] / 2 - x) / c),
            np.where(s > 0, (size[1] / 2 - y) / s, (-size[1] / 2 - y) / s),
        )
    return ros.LaserScan(
        ros.header(0, "laser"),
        -np.pi,
        np.pi,
        2 * np.pi / 360,
        0.0,
        0.1,
        0.1,
        10.0,
        far.astype(np.float32),
        np.empty(0, np.float32),
    )


def drive(brain, seconds, start=(0.0, 0.0, 0.0)):
    x, y, yaw = start
    track = []
    for _ in range(round(seconds / 0.1)):
        ((_, twist),) = brain.take("scan", scan_in_room(x, y, yaw), 0)
        v, w = twist.linear.x, twist.angular.z
        x, y, yaw = x + v * math.cos(yaw) * 0.1, y + v * math.sin(yaw) * 0.1, yaw + w * 0.1
        track.append((x, y, yaw))
    return np.array(track)


def test_a_wanderer_touches_no_wall_and_gets_about() -> None:
    track = drive(Avoid(AvoidSpec()), 60.0, (0.3, 0.2, 0.4))
    assert abs(track[:, 0]).max() < 3.0 - 0.3
    assert abs(track[:, 1]).max() < 2.0 - 0.3
    assert np.hypot(*np.diff(track[:, :2], axis=0).T).sum() > 8.0


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_wall_is_followed_all_around_the_room(side) -> None:
    track = drive(Wall(WallSpec(side=side, distance=0.8)), 90.0, (0.0, 0.0, 0.0))
    later = track[300:]
    to_wall = np.minimum(3.0 - abs(later[:, 0]), 2.0 - abs(later[:, 1]))
    assert np.median(to_wall) == pytest.approx(0.8, abs=0.12)
    assert to_wall.min() > 0.35
    turned = track[-1, 2] - track[300, 2]
    assert abs(turned) > 2 * np.pi
    assert (turned > 0) == (side == "right")


def test_scans_without_any_number_do_no_harm() -> None:
    scan = scan_in_room(0.0, 0.0, 0.0)
    scan.ranges[:] = np.nan
    ((_, twist),) = Avoid(AvoidSpec()).take("scan", scan, 0)
    assert twist.linear.x == 0.0


def road(offset: float) -> np.ndarray:
    """A dark road with two bright marks around a middle that lies right by a share of the half."""
    picture = np.full((120, 200), 40, np.uint8)
    middle = 100 + 100 * offset
    for mark in (middle - 60, middle + 60):
        picture[:, max(0, int(mark) - 3) : max(0, int(mark) + 3)] = 220
    return picture


@pytest.mark.parametrize("offset", [-0.2, 0.0, 0.25])
def test_the_middle_of_the_lane_is_found(offset) -> None:
    assert lane_offset(road(offset), LaneSpec()) == pytest.approx(offset, abs=0.02)


def test_a_car_steers_back_to_the_lane_and_stops_where_there_is_none() -> None:
    lane = LaneKeeper(LaneSpec(patience=3))
    picture = road(0.3)

    def say(shown):
        message = ros.Image(ros.header(0, "eye"), 120, 200, "mono8", 0, 200, shown.reshape(-1))
        ((_, twist),) = lane.take("image", message, 0)
        return twist

    assert say(picture).angular.z < -0.2  # the lane lies to the right
    dark = np.full_like(picture, 40)
    assert [say(dark).linear.x > 0 for _ in range(5)] == [True, True, True, False, False]
    assert lane.health.level == "lost"


def test_a_scanner_that_is_mounted_backwards_is_understood() -> None:
    brain = Avoid(AvoidSpec())
    turned = ros.Transform(ros.Vector3(0.1, 0.0, 0.2), ros.Quaternion(0.0, 0.0, 1.0, 0.0))
    frames = ros.TFMessage([ros.TransformStamped(ros.header(0, "base_link"), "laser", turned)])
    wall_behind = scan_in_room(-2.7, 0.0, 0.01)  # in front of a scanner that looks ahead: open
    ((_, ahead),) = brain.take("scan", wall_behind, 0)
    assert ahead.linear.x > 0.1
    assert list(brain.take("tf_static", frames, 0)) == []
    ((_, turning),) = brain.take("scan", wall_behind, 0)
    assert turning.linear.x == 0.0
    assert abs(turning.angular.z) > 0.5
