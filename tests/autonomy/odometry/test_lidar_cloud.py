"""A LiDAR's scans beside another odometry."""

import numpy as np
import pytest
import room

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.odometry.lidar_cloud import LidarCloud
from outrider.autonomy.odometry.spec import LidarCloudSpec
from outrider.autonomy.poses import odometry_message
from outrider.core.frames import Pose
from outrider.messages.plain_values import stamp_ns


def odometry(now_ns: int, speed: float = 0.0):
    twist = (np.array([speed, 0.0, 0.0]), np.zeros(3))
    return odometry_message(Pose(), np.zeros((6, 6)), now_ns, ("odom", "base_link"), twist)


def component() -> LidarCloud:
    found = LidarCloud(LidarCloudSpec(), "base_link")
    found.take("tf_static", room.frames_message(), 0)
    return found


def test_a_scan_is_moved_to_the_pose_that_follows_and_has_its_time() -> None:
    lidar = component()
    xyz = np.tile([[2.0, 1.0, 0.0]], (200, 1))
    lidar.take("points", room.cloud_message(xyz, 0, "lidar", False), 0)
    ((port, cloud),) = lidar.take("odometry", odometry(100_000_000, speed=1.0), 0)
    assert port == "cloud"
    assert stamp_ns(cloud) == 100_000_000
    assert read_cloud(cloud).xyz[0] == pytest.approx([1.9, 1.0, room.SENSOR_Z], abs=1e-6)
    assert list(lidar.take("odometry", odometry(150_000_000), 0)) == []  # each scan once


def test_a_scan_that_no_pose_follows_in_time_is_dropped() -> None:
    lidar = component()
    xyz = np.tile([[2.0, 1.0, 0.0]], (200, 1))
    lidar.take("points", room.cloud_message(xyz, 0, "lidar", False), 0)
    assert list(lidar.take("odometry", odometry(900_000_000), 0)) == []
    assert lidar.health.level == "good"


def test_an_empty_scan_is_said() -> None:
    lidar = component()
    lidar.take("points", room.cloud_message(np.zeros((0, 3)), 0, "lidar"), 0)
    assert lidar.health.level == "lost"
    assert "too few" in lidar.health.reason
