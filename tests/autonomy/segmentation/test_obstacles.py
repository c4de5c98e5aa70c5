"""Ground and obstacles of a yard that is made up."""

import numpy as np
import room

from outrider.autonomy.segmentation.obstacles import segment
from outrider.autonomy.segmentation.spec import SegmentationSpec
from outrider.core.frames import Pose

LIDAR = np.array([0.0, 0.0, room.SENSOR_Z])


def test_posts_and_walls_are_obstacles_and_the_floor_is_not() -> None:
    xyz = room.scan_points(Pose()) + LIDAR
    obstacles, ground = segment(xyz, Pose(), SegmentationSpec(columns=360))
    assert len(ground) > 500
    assert abs(ground[:, 2] - room.GROUND_Z).max() < 0.15
    near = np.hypot(*(obstacles[:, None, :2] - room.POSTS[None]).T) < 0.4
    assert (near.sum(axis=1) > 20).all()  # every post is seen
    low = obstacles[:, 2] < 0.02
    assert low.mean() < 0.1


def test_a_slope_of_thirty_degrees_is_ground_and_of_sixty_is_not() -> None:
    for degrees, share_of_obstacles in ((30.0, 0.0), (60.0, 1.0)):
        rise = np.tan(np.radians(degrees))
        a, e = np.meshgrid(np.linspace(-0.3, 0.3, 60), np.radians(np.arange(-15, 16, 2.0)))
        rays = np.stack([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)], -1).reshape(
            -1, 3
        )
        # floor up to x = 3, then the slope
        floor = (room.GROUND_Z - room.SENSOR_Z) / np.minimum(rays[:, 2], -1e-6)
        hill = (room.GROUND_Z - room.SENSOR_Z - 3.0 * rise) / (rays[:, 2] - rise * rays[:, 0])
        far = np.where(floor * rays[:, 0] < 3.0, floor, hill)
        xyz = rays * far[:, None] + LIDAR
        obstacles, _ = segment(xyz, Pose(), SegmentationSpec())
        on_hill = xyz[:, 0] > 3.3
        found = (obstacles[:, 0] > 3.3).sum() / on_hill.sum()
        assert abs(found - share_of_obstacles) < 0.15


def test_a_few_stray_points_are_no_obstacle() -> None:
    xyz = np.concatenate([room.scan_points(Pose()) + LIDAR, [[2.0, 0.0, 0.5], [2.0, 0.01, 0.5]]])
    obstacles, _ = segment(xyz, Pose(), SegmentationSpec(columns=360))
    assert not (np.hypot(obstacles[:, 0] - 2.0, obstacles[:, 1]) < 0.3).any()


def test_a_tilted_robot_sees_the_same_ground() -> None:
    tilt = Pose.from_rpy([0.0, 0.0, 0.0], [0.0, np.radians(8.0), 0.0])
    xyz = room.scan_points(tilt) + LIDAR
    _, ground = segment(xyz, tilt, SegmentationSpec(columns=360))
    high = abs(tilt.apply(ground)[:, 2] - room.GROUND_Z)
    assert np.percentile(high, 95) < 0.1
