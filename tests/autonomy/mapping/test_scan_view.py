"""A 2D scan as obstacles and free ground."""

import numpy as np
import pytest
import room

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.mapping.mapper import Mapper
from outrider.autonomy.mapping.scan_view import ScanView
from outrider.autonomy.mapping.spec import MappingSpec, ScanViewSpec
from outrider.autonomy.poses import odometry_message
from outrider.core.frames import Pose
from outrider.messages import types as ros


def scan(ranges: np.ndarray, stamp_ns: int = 0, frame: str = "base_link") -> ros.LaserScan:
    step = 2 * np.pi / len(ranges)
    return ros.LaserScan(
        ros.header(stamp_ns, frame),
        -np.pi,
        np.pi - step,
        step,
        0.0,
        0.1,
        0.1,
        20.0,
        ranges.astype(np.float32),
        np.empty(0, np.float32),
    )


def odometry(now_ns: int, speed: float = 0.0) -> ros.Odometry:
    twist = (np.array([speed, 0.0, 0.0]), np.zeros(3))
    return odometry_message(Pose(), np.zeros((6, 6)), now_ns, ("odom", "base_link"), twist)


def view(ranges: np.ndarray, speed: float = 0.0, frame: str = "base_link"):
    component = ScanView(ScanViewSpec(), "base_link")
    component.take("tf_static", room.frames_message(), 0)
    assert list(component.take("scan", scan(ranges, 0, frame), 0)) == []
    return component, dict(component.take("odometry", odometry(100_000_000, speed), 0))


def test_walls_are_obstacles_and_the_way_to_them_is_free() -> None:
    angles = np.linspace(-np.pi, np.pi, 720, endpoint=False)
    ranges = np.where(np.abs(angles) < 0.5, 3.0 / np.cos(angles), np.inf)  # a wall ahead
    _, said = view(ranges)
    obstacles, ground = (read_cloud(said[port]).xyz for port in ("obstacles", "ground"))
    assert obstacles[:, 0] == pytest.approx(np.full(len(obstacles), 3.0), abs=1e-5)
    assert np.linalg.norm(ground, axis=1).max() == pytest.approx(10.0)
    mapper = Mapper(MappingSpec(range=6.0))
    mapper.take("odometry", odometry(100_000_000), 0)
    mapper.take("ground", said["ground"], 0)
    mapper.take("obstacles", said["obstacles"], 0)
    grid = mapper.grid_map
    row = round(-grid.origin[1] / 0.05)
    ahead = [int((x - grid.origin[0]) / 0.05) for x in (1.0, 2.8, 3.02, 4.0)]
    assert grid.values[row, ahead].tolist() == [0, 0, 100, -1]


def test_a_scan_is_moved_to_the_time_of_the_pose_that_follows_it() -> None:
    _, said = view(np.full(4, 2.0), speed=1.0)
    assert read_cloud(said["obstacles"]).xyz[2] == pytest.approx([1.9, 0.0, 0.0], abs=1e-6)


def test_a_scan_from_nowhere_and_a_scan_of_nothing_are_refused_in_words() -> None:
    component, said = view(np.full(4, 2.0), frame="laser_of_another")
    assert said == {}
    assert "laser_of_another" in component.health.reason
    component, said = view(np.full(4, np.nan))
    assert said == {}
    assert "no usable beam" in component.health.reason
