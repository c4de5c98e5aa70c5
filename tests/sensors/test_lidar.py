"""A LiDAR's timing, errors, returns and messages."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from lidar_rig import LidarRig, at, static

from outrider.core.errors import ConfigError
from outrider.core.structure import build
from outrider.formats.library import library_names
from outrider.formats.sensor_file import SensorEntry
from outrider.sensors.catalogue import plan
from outrider.sensors.lidar import Lidar
from outrider.sensors.lidar_beams import make_beams
from outrider.sensors.lidar_parameters import LidarParameters
from outrider.sensors.point_cloud import POINT
from outrider.sim.simulation import Simulation
from outrider.world.model import World
from outrider.world.shapes import Box, Plane

LIDARS = (
    "autominy-rplidar", "hokuyo-utm30lx", "ouster-os1-64", "platt-vlp16", "rplidar-a2",
    "sick-lms111", "sick-lms200", "velodyne-hdl32e", "velodyne-hdl64e", "velodyne-vlp16",
)  # fmt: skip
SCAN = LidarParameters(samples=3600, range_min=0.5, range_max=20.0, outputs=("scan",))


def preset(name: str) -> tuple[LidarParameters, float]:
    ready = plan(SensorEntry("lidar", name), "test")
    return ready.parameters, ready.rate_hz


def wall(distance: float, **material: float) -> object:
    return static("wall", Box((0.2, 400.0, 400.0)), at(distance + 0.1), **material)


def ring_wall(radius: float, **material: float) -> object:
    """Walls all around, of which the one ahead is used."""
    return static("room", Box((2 * radius, 2 * radius, 2 * radius)), **material)


def ahead(rig: LidarRig, half_deg: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Ranges and intensities of the firings within so many degrees of straight ahead."""
    scan = rig.scan()
    angle = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    near = np.abs(angle) < math.radians(half_deg)
    return scan.ranges[near], scan.intensities[near]


# timing


def test_a_vlp16_fires_its_lasers_in_the_makers_order_and_at_his_times():
    beams = make_beams(*preset("velodyne-vlp16"))
    elevation = np.degrees(np.arcsin(beams.rays[:16, 2]))
    order = [-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15]
    assert np.allclose(elevation, order)
    assert beams.ring[:16].tolist() == [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]
    assert np.array_equal(beams.offsets_ns[:16], 2304 * np.arange(16))
    assert np.array_equal(beams.offsets_ns[16::16][:100], 55296 * np.arange(1, 101))
    assert beams.columns == 1808  # of 55.296 us in a tenth of a second
    azimuth = np.degrees(beams.azimuth)
    assert azimuth[0] == pytest.approx(180.0)
    # it turns on while its lasers fire, clockwise: 0.19907 deg a column, 0.0083 deg a laser
    assert np.diff(azimuth[::16]).mean() == pytest.approx(-3600 * 55.296e-6)
    assert azimuth[1] - azimuth[0] == pytest.approx(-3600 * 2.304e-6)


def test_an_hdl32_fires_from_below_and_from_the_middle_by_turns():
    beams = make_beams(*preset("velodyne-hdl32e"))
    elevation = np.degrees(np.arcsin(beams.rays[:32, 2]))
    assert elevation[:4] == pytest.approx([-30.67, -9.33, -29.33, -8.0])
    assert elevation[-1] == pytest.approx(10.67)
    assert beams.offsets_ns[31] == 35712
    assert beams.offsets_ns[32] == 46080


def test_all_rings_are_numbered_by_elevation():
    for name in LIDARS:
        parameters, rate = preset(name)
        beams = make_beams(parameters, rate)
        first = slice(0, parameters.channels)
        up = np.arcsin(beams.rays[first, 2])[np.argsort(beams.ring[first])]
        assert np.all(np.diff(up if parameters.rings == "from_below" else -up) > 0), name


@pytest.mark.parametrize(
    ("name", "columns", "view_deg"),
    [
        ("platt-vlp16", 900, 360), ("ouster-os1-64", 1024, 360), ("rplidar-a2", 400, 360),
        ("sick-lms200", 361, 180), ("sick-lms111", 541, 270), ("hokuyo-utm30lx", 1081, 270),
        ("autominy-rplidar", 360, 360), ("velodyne-hdl32e", 2170, 360),
        ("velodyne-hdl64e", 1736, 360),
    ],
)  # fmt: skip
def test_presets_have_the_columns_of_their_makers(name, columns, view_deg):
    parameters, rate = preset(name)
    beams = make_beams(parameters, rate)
    assert beams.columns == columns
    gaps = columns if view_deg == 360 else columns - 1
    ring = np.degrees(beams.azimuth[beams.ring == beams.ring[0]])
    assert abs(ring[-1] - ring[0]) == pytest.approx(view_deg * (columns - 1) / gaps, abs=0.3)
    assert beams.span_ns <= 1e9 / rate + 1e9 / rate / columns


def test_times_start_at_the_stamp_or_end_there():
    room = ring_wall(5.0)
    vlp, _ = preset("velodyne-vlp16")
    first = LidarRig(vlp, [room]).run(0.2)
    cloud = first.lidar.points(0)
    assert cloud.header.stamp.nanosec == 100_000_000
    assert first.points()["time"][0] == 0.0
    assert first.points()["time"].max() == pytest.approx(1807 * 55.296e-6 + 15 * 2.304e-6)
    last = LidarRig(replace(vlp, stamp="end"), [room]).run(0.2)
    assert last.lidar.points(0).header.stamp.nanosec == 100_000_000 + 1808 * 55296
    assert last.points()["time"].max() < 0.0
    both = first.points()["time"] - last.points()["time"]
    assert np.allclose(both, 1808 * 55.296e-6, atol=1e-7)


@pytest.mark.parametrize("step_s", [0.001, 0.0025, 0.007, 0.01])
def test_scans_start_at_whole_turns_whatever_the_physics_step(step_s):
    _, rate = preset("hokuyo-utm30lx")  # done after three quarters of each turn
    world = World("test", (static("room", Box((9.0, 9.0, 9.0))),))
    entry = SensorEntry("laser", "hokuyo-utm30lx")
    sim = Simulation(world, sensors=(entry,), step_s=step_s)
    box = sim.bus.subscribe("/scan", kept="all")
    sim.run(0.25)
    stamps = [message.header.stamp.nanosec for _, message in iter(box.poll, None)]
    assert len(stamps) >= 9
    assert np.allclose(np.array(stamps) * rate * 1e-9, np.arange(len(stamps)), atol=1e-6)


# messages


def test_points_are_packed_as_the_velodyne_driver_does():
    assert POINT.itemsize == 22
    cloud = LidarRig(preset("platt-vlp16")[0], [ring_wall(5.0)]).run().lidar.points(0)
    assert [(f.name, f.offset, f.datatype, f.count) for f in cloud.fields] == [
        ("x", 0, 7, 1), ("y", 4, 7, 1), ("z", 8, 7, 1), ("intensity", 12, 7, 1),
        ("ring", 16, 4, 1), ("time", 18, 7, 1),
    ]  # fmt: skip
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


# errors


def test_noise_has_the_deviation_of_the_range_and_no_mean():
    noisy = replace(SCAN, noise=((1.0, 0.01), (5.0, 0.05)))
    for distance, sigma in ((0.8, 0.01), (3.0, 0.03), (8.0, 0.05)):
        rig = LidarRig(noisy, [ring_wall(distance)])
        errors = []
        for _ in range(50):
            rig.run()
            errors.append(ahead(rig, 3.0)[0] - distance)
        errors = np.concatenate(errors)
        n = len(errors)
        assert n > 2500
        assert abs(errors.mean() - 0.0005 * distance) < 5 * sigma / math.sqrt(n)  # 1/cos of 3 deg
        assert errors.std() == pytest.approx(sigma, rel=5 / math.sqrt(2 * n) + 0.02)
        kurtosis = np.mean((errors - errors.mean()) ** 4) / errors.std() ** 4
        assert kurtosis == pytest.approx(3.0, abs=0.4)


def test_each_channel_has_a_bias_of_its_own_that_stays():
    up = tuple(np.linspace(-2, 2, 64))
    p = LidarParameters(elevations_deg=up, samples=36, bias_sigma=0.02, organised=True)
    rig = LidarRig(p, [ring_wall(5.0)])
    quiet = LidarRig(replace(p, bias_sigma=0.0), [ring_wall(5.0)]).run().ranges()
    first = rig.run().ranges() - quiet
    again = rig.run().ranges() - quiet
    assert np.allclose(first, again, atol=1e-6)
    assert np.allclose(first, first[:, :1], atol=2e-6), "one bias a channel, whatever the azimuth"
    assert first[:, 0].std() == pytest.approx(0.02, rel=0.35)


def test_ranges_come_in_steps_of_the_resolution():
    rig = LidarRig(replace(SCAN, resolution=0.02, noise=((1.0, 0.05),)), [ring_wall(5.0)]).run()
    steps = rig.scan().ranges / 0.02
    assert np.abs(steps - np.rint(steps)).max() < 1e-3
    fine = LidarRig(replace(SCAN, resolution=0.02), [ring_wall(5.005)]).run()
    assert ahead(fine)[0][10] == pytest.approx(5.0)


# returns


def test_a_tenth_reflectivity_is_seen_half_the_time_at_the_range_given_for_it():
    p = replace(SCAN, range_max=100.0, range_at_10_percent=20.0)
    seen = ahead(LidarRig(p, [ring_wall(20.0, reflectivity=0.1)]).run(), 3.0)[0]
    assert np.isfinite(seen).mean() == pytest.approx(0.5, abs=0.2)

    def share(distance: float, reflectivity: float) -> float:
        ranges = ahead(LidarRig(p, [wall(distance, reflectivity=reflectivity)]).run(), 3.0)[0]
        return float(np.isfinite(ranges).mean())

    assert share(14.0, 0.1) > 0.95
    assert share(28.0, 0.1) < 0.05
    assert share(28.0, 0.4) > 0.95, "four times as bright is seen twice as far"
    assert share(56.0, 0.4) < 0.05
    assert share(5.0, 0.0) == 0.0


def test_fewer_returns_come_from_farther_off_and_from_the_side():
    p = replace(SCAN, range_max=100.0, range_at_10_percent=12.0, samples=7200)
    scan = LidarRig(p, [wall(10.0, reflectivity=0.1)]).run().scan()
    angle = np.degrees(scan.angle_min + np.arange(7200) * scan.angle_increment)
    shares = [
        np.isfinite(scan.ranges[(angle > a) & (angle < a + 5)]).mean() for a in range(0, 40, 5)
    ]
    assert shares[0] > 0.9
    assert shares[-1] < 0.1
    assert all(b <= a + 0.1 for a, b in pairwise(shares))


def test_drop_out_loses_its_share():
    ranges = LidarRig(replace(SCAN, dropout=0.25), [ring_wall(5.0)]).run().scan().ranges
    assert np.isinf(ranges).mean() == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 3600))
    assert not np.isneginf(ranges).any()


def test_intensity_rises_with_reflectivity_and_falls_with_incidence():
    levels = [
        float(ahead(LidarRig(SCAN, [wall(5.0, reflectivity=r)]).run())[1].mean())
        for r in (0.05, 0.2, 0.5, 0.9)
    ]
    assert levels == pytest.approx([5, 20, 50, 90])
    scan = LidarRig(SCAN, [wall(5.0, reflectivity=0.8)]).run().scan()
    angle = scan.angle_min + np.arange(3600) * scan.angle_increment
    right = (angle >= 0) & (angle < math.radians(70))
    assert np.all(np.diff(scan.intensities[right]) <= 0)
    assert scan.intensities[right] == pytest.approx(80 * np.cos(angle[right]), abs=0.51)
    bright = LidarRig(replace(SCAN, intensity_of_white=255.0), [wall(5.0, reflectivity=1.0)]).run()
    assert ahead(bright)[1].max() == 255


# the width of a beam


def test_a_wide_beam_on_an_edge_mixes_near_echoes_and_keeps_far_ones_apart():
    def edge(gap: float, echo: str = "strongest") -> np.ndarray:
        models = [static("post", Box((0.2, 8.0, 2.0)), at(4.1, 4.0)), wall(4.0 + gap)]
        p = replace(SCAN, divergence_mrad=20.0, sub_rays=12, echo=echo, pulse_m=0.5)
        return ahead(LidarRig(p, models).run(), 2.0)[0]

    near = edge(0.3)
    between = (near > 4.02) & (near < 4.28)
    assert between.sum() >= 3, "mixed pixels"
    far = edge(2.0)
    assert not ((far > 4.02) & (far < 5.98)).any(), "two echoes: one of them is taken"
    first, last = edge(2.0, "first"), edge(2.0, "last")
    assert (first < 4.1).sum() > (far < 4.1).sum() > (last < 4.1).sum()


def test_sub_rays_do_not_change_a_flat_wall():
    wide = replace(SCAN, divergence_mrad=3.0, sub_rays=6)
    a = LidarRig(wide, [ring_wall(5.0)]).run().scan()
    b = LidarRig(SCAN, [ring_wall(5.0)]).run().scan()
    near = np.abs(np.arange(3600) - 1800) < 200
    assert np.abs(a.ranges - b.ranges)[near].max() < 1e-4
    assert np.abs(a.intensities - b.intensities)[near].max() <= 1.0


# repeats


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


# bad input


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"azimuth_from_deg": 90.0, "azimuth_to_deg": -90.0}, "field of view"),
        ({"azimuth_from_deg": -300.0, "azimuth_to_deg": 300.0}, "at most 360 degrees"),
        ({"range_min": 5.0, "range_max": 1.0}, "range_min 5.0 must be below range_max 1.0"),
        ({"elevations_deg": [100.0]}, "between -90 and 90"),
        ({"elevations_deg": []}, "1 to 1024 channels"),
        ({"channel_offsets_us": [0.0, 1.0]}, "one value for each of the 1 channels, got 2"),
        ({"noise": [[5.0, 0.1], [1.0, 0.1]]}, "rising ranges"),
        ({"sub_rays": 4}, "divergence_mrad"),
        ({"outputs": []}, "points, scan or both"),
        ({"outputs": ["pionts"]}, "points"),
        ({"range_mx": 5.0}, "range_max"),
        ({"samples": -1}, "at least 0"),
        ({"scan_ring": 3}, "not one of 1 rings"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(ConfigError) as error:
        build(LidarParameters, {"samples": 360, **wrong}, "robot 'r': sensor 'lidar'")
    assert sentence in str(error.value)
    assert "robot 'r': sensor 'lidar'" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_scan_needs_columns():
    with pytest.raises(ConfigError, match="samples"):
        build(LidarParameters, {}, "x")


def test_firings_that_do_not_fit_into_a_turn_are_refused():
    p = LidarParameters(samples=2000, firing_period_us=100.0)
    with pytest.raises(ConfigError, match="at most 1000 do"):
        Lidar.looks_back(p, 10.0)
    with pytest.raises(ConfigError, match="sensor 'lidar': 2000 firings"):
        LidarRig(p, [])


def test_an_unknown_preset_gets_a_near_match():
    with pytest.raises(ConfigError, match="velodyne-vlp16"):
        plan(SensorEntry("lidar", "velodyne-vlp61"), "robot 'r'")


def test_a_rate_of_zero_is_refused():
    with pytest.raises(ConfigError, match="rate_hz must be above 0"):
        plan(SensorEntry("lidar", "velodyne-vlp16", rate_hz=0.0), "robot 'r'")


def test_every_lidar_of_the_library_makes_a_scan():
    assert set(LIDARS) <= set(library_names("sensors"))
    for name in LIDARS:
        parameters, rate = preset(name)
        rig = LidarRig(parameters, [ring_wall(3.0), static("ground", Plane(), at(z=-1.0))],
                       rate_hz=rate).run()  # fmt: skip
        for write in rig.lidar.outputs.values():
            write(0)
        assert np.isfinite(rig.lidar._ranges).mean() > 0.95, name
