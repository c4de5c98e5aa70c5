"""Points measured while the robot turns."""

import numpy as np
import pytest

from outrider.autonomy.odometry.deskew import deskew, per_point
from outrider.autonomy.odometry.gyro_track import GyroTrack
from outrider.core.frames import Pose


def test_a_post_seen_by_a_turning_robot_becomes_one_point() -> None:
    rate, span_s, n = 1.0, 0.1, 50
    gyro = GyroTrack()
    for k in range(11):
        gyro.take(k * 20_000_000, np.array([0.0, 0.0, rate]))
    start, end = 100_000_000, 200_000_000
    times = np.linspace(start, end, n)
    yaws = rate * (times - end) / 1e9  # of the robot at each point, seen from its end
    post = np.array([4.0, 1.0, 0.2])
    seen = np.array([Pose.from_rpy([0, 0, 0], [0, 0, y]).inverse().apply(post) for y in yaws])
    knots, turns = gyro.turns(start, end)
    found = deskew(seen, per_point(times, knots, turns), np.zeros((n, 3)))
    assert np.ptp(seen, axis=0).max() > 0.09 * span_s / 0.1
    assert found == pytest.approx(np.tile(post, (n, 1)), abs=1e-3)


def test_an_offset_is_taken_away() -> None:
    gyro = GyroTrack()
    gyro.offset = np.array([0.0, 0.0, 0.3])
    for k in range(6):
        gyro.take(k * 20_000_000, np.array([0.0, 0.0, 0.3]))
    assert gyro.turns(0, 100_000_000)[1] == pytest.approx(np.zeros((11, 3)), abs=1e-12)
