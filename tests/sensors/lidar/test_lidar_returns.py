"""A LiDAR's errors, and what comes back from dark, distant and narrow things."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from lidar_rig import LidarRig, at, static
from lidar_walls import SCAN, ahead, ring_wall, wall

from outrider.sensors.lidar.parameters import LidarParameters
from outrider.world.shapes import Box


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
