"""The map of a yard that is made up."""

import numpy as np
import room

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.mapping.mapper import Mapper, map_of
from outrider.autonomy.mapping.spec import MappingSpec
from outrider.autonomy.poses import odometry_message, pose_message
from outrider.autonomy.segmentation.obstacles import segment
from outrider.autonomy.segmentation.spec import SegmentationSpec
from outrider.core.frames import Pose
from outrider.messages import types as ros


def look(mapper: Mapper, pose: Pose, now_ns: int):
    xyz = room.scan_points(pose, seed=now_ns % 1000) + np.array([0.0, 0.0, room.SENSOR_Z])
    obstacles, ground = segment(xyz, Pose(), SegmentationSpec(columns=360))
    message = odometry_message(pose, np.zeros((6, 6)), now_ns, ("odom", "base_link"))
    said = list(mapper.take("odometry", message, now_ns))
    said += mapper.take("ground", write_cloud(ground, now_ns, "base_link"), now_ns)
    said += mapper.take("obstacles", write_cloud(obstacles, now_ns, "base_link"), now_ns)
    return said


def value_at(grid, x, y):
    column, row = ((np.array([x, y]) - grid.origin[:2]) / grid.resolution).astype(int)
    return grid.values[row, column]


def test_posts_are_occupied_the_floor_between_is_clear_and_the_rest_unknown() -> None:
    mapper = Mapper(MappingSpec(range=6.0))
    said = []
    for k in range(12):
        said += look(mapper, Pose([0.15 * k, 0.0, 0.0]), k * 500_000_000)
    grid = mapper.grid_map
    for x, y in room.POSTS:
        near = [
            value_at(grid, x + dx, y + dy)
            for dx in (-0.25, -0.2, 0, 0.2, 0.25)
            for dy in (-0.25, -0.2, 0, 0.2, 0.25)
        ]
        assert 100 in near
    for x, y in ((1.0, 0.0), (2.0, -1.5), (-1.0, 1.0)):
        assert value_at(grid, x, y) == 0
    assert (grid.values == -1).mean() > 0.2
    assert said[-1][0] == "map"
    assert map_of(said[-1][1]).resolution == 0.05


def test_a_corrected_way_draws_the_map_again() -> None:
    mapper = Mapper(MappingSpec(range=6.0))
    for k in range(4):
        look(mapper, Pose([0.1 * k, 0.0, 0.0]), k * 500_000_000)
    before = mapper.grid_map
    shift = ros.PoseStamped(ros.header(0, "odom"), pose_message(Pose([1.0, 0.5, 0.0])))
    mapper.take("corrected", ros.Path(ros.header(10**9, "map"), [shift]), 10**9)
    after = mapper.grid_map
    hits = np.argwhere(before.values == 100)[::7]
    places = (hits[:, ::-1] + 0.5) * 0.05 + before.origin[:2]
    found = [value_at(after, x + 1.0, y + 0.5) for x, y in places]
    assert np.mean(np.array(found) == 100) > 0.8
