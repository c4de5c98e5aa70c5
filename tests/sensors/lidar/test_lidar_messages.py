"""A LiDAR's clouds and scans as messages; what repeats to the byte."""

import math
from dataclasses import replace

import numpy as np
import pytest
from lidar_rig import LidarRig, at, static
from lidar_walls import LIDARS, SCAN, preset, ring_wall, wall

from outrider.loader.library import library_names
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sensors.lidar.point_cloud import POINT
from outrider.world.shapes import Box, Plane


def test_points_are_packed_as_the_velodyne_driver_does():
    assert POINT.itemsize == 22
    cloud = LidarRig(preset("platt-vlp16")[0], [ring_wall(5.0)]).run().lidar.points(0)
    assert [(f.name, f.offset, f.datatype, f.count) for f in cloud.fields] == [
        ("x", 0, 7, 1),
        ("y", 4, 7, 1),
        ("z", 8, 7, 1),
        ("intensity", 12, 7, 1),
        ("ring", 16, 4, 1),
        ("time", 18, 7, 1),
    ]
    assert (cloud.height, cloud.width, cloud.point_step) == (1, 14400, 22)
    assert cloud.row_step == 22 * 14400 == len(cloud.data)
    assert cloud.is_dense
    assert not cloud.is_bigendian


def test_points_without_return_are_left_out_or_not_numbers():
    half = LidarParameters(
        elevations_deg=(-10.0, 0.0, 10.0), samples=360, range_max=50.0, organised=True
    )
    grid = LidarRig(half, [wall(3.0)]).run()
    cloud = grid.lidar.points(0)
    assert (cloud.height, cloud.width, cloud.is_dense) == (3, 360, False)
    points = grid.points()
    assert np.isnan(points["x"]).any()
    assert np.array_equal(points["ring"][:, 0], [0, 1, 2])
    assert np.isfinite(points["time"]).all()
    dense = LidarRig(replace(half, organised=False), [wall(3.0)]).run()
    assert len(dense.points()) == np.isfinite(points["x"]).sum()
    assert np.isfinite(dense.points()["x"]).all()


def test_a_scan_says_plus_infinity_for_too_far_and_minus_infinity_for_too_near():
    models = [static("near", Box((0.1, 0.1, 1.0)), at(0.3)), wall(10.0)]
    scan = LidarRig(SCAN, models).run().scan()
    assert scan.ranges[1800] == -np.inf
    assert scan.ranges[0] == np.inf
    assert scan.ranges[1800 + 300] == pytest.approx(10 / math.cos(math.radians(30)), abs=1e-3)
    assert (scan.range_min, scan.range_max) == (0.5, 20.0)
    assert scan.angle_min == pytest.approx(-math.pi)
    assert scan.angle_increment == pytest.approx(2 * math.pi / 3600)
    assert scan.angle_max == pytest.approx(math.pi - scan.angle_increment)
    assert scan.time_increment == pytest.approx(0.1 / 3600)
    assert scan.scan_time == pytest.approx(0.1)


def test_a_clockwise_scan_rises_in_angle_and_falls_in_time():
    block = static("block", Box((1.0, 1.0, 1.0)), at(0.0, 3.0))
    scan = LidarRig(replace(SCAN, direction="cw"), [block]).run().scan()
    angle = scan.angle_min + np.arange(3600) * scan.angle_increment
    assert np.abs(angle[np.isfinite(scan.ranges)] - math.pi / 2).max() < 0.3
    assert scan.time_increment == pytest.approx(-0.1 / 3600)
    stamp = scan.header.stamp.nanosec * 1e-9  # of the first angle, which was fired last
    assert stamp == pytest.approx(0.1 - 0.1 / 3600, abs=1e-9)


def test_a_sector_has_both_its_ends():
    parameters, rate = preset("hokuyo-utm30lx")
    quiet = replace(parameters, noise=(), bias_sigma=0.0, resolution=0.0)
    scan = LidarRig(quiet, [ring_wall(5.0)], rate_hz=rate).run().scan()
    assert len(scan.ranges) == 1081
    assert math.degrees(scan.angle_min) == pytest.approx(-135)
    assert math.degrees(scan.angle_max) == pytest.approx(135)
    assert math.degrees(scan.angle_increment) == pytest.approx(0.25)
    assert scan.time_increment == pytest.approx(1 / 40 / 1440)


def test_the_ring_nearest_to_the_horizon_is_the_scan_of_many():
    vlp = replace(preset("platt-vlp16")[0], noise=(), outputs=("points", "scan"))
    rig = LidarRig(vlp, [ring_wall(5.0)]).run()
    assert set(rig.lidar.outputs) == {"points", "scan"}
    assert len(rig.scan().ranges) == 900
    least = 5.0 / math.cos(math.radians(1.0))
    assert np.min(rig.scan().ranges) == pytest.approx(least, abs=1e-3)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not():
    vlp = preset("velodyne-vlp16")[0]

    def data(seed: int) -> bytes:
        return LidarRig(vlp, [ring_wall(5.0)], seed=seed).run().lidar.points(0).data.tobytes()

    assert data(1) == data(1)
    assert data(1) != data(2)


def test_a_scan_does_not_depend_on_who_listened_before():
    vlp = preset("velodyne-vlp16")[0]
    eager, late = (LidarRig(vlp, [ring_wall(5.0)]) for _ in range(2))
    for _ in range(3):
        eager.run().lidar.points(0)
        late.run()
    assert eager.lidar.points(0).data.tobytes() == late.lidar.points(0).data.tobytes()
    first = eager.run().lidar.points(0).data.tobytes()
    assert first != eager.run().lidar.points(0).data.tobytes(), "two scans differ in their noise"


def test_every_lidar_of_the_library_makes_a_scan():
    assert set(LIDARS) <= set(library_names("sensors"))
    for name in LIDARS:
        parameters, rate = preset(name)
        rig = LidarRig(
            parameters, [ring_wall(3.0), static("ground", Plane(), at(z=-1.0))], rate_hz=rate
        ).run()
        for write in rig.lidar.outputs.values():
            write(0)
        assert np.isfinite(rig.lidar._ranges).mean() > 0.95, name
