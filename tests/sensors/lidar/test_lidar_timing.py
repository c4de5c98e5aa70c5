"""When a LiDAR fires which laser, and the stamps of what it tells."""

from dataclasses import replace

import numpy as np
import pytest
from lidar_rig import LidarRig, static
from lidar_walls import LIDARS, preset, ring_wall

from outrider.sensors.lidar.beams import make_beams
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.world.model import World
from outrider.world.shapes import Box


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
        ("platt-vlp16", 900, 360),
        ("ouster-os1-64", 1024, 360),
        ("rplidar-a2", 400, 360),
        ("sick-lms200", 361, 180),
        ("sick-lms111", 541, 270),
        ("hokuyo-utm30lx", 1081, 270),
        ("autominy-rplidar", 360, 360),
        ("velodyne-hdl32e", 2170, 360),
        ("velodyne-hdl64e", 1736, 360),
    ],
)
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
