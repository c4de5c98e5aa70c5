"""What a LiDAR cannot be is refused in one sentence."""

import pytest
from lidar_rig import LidarRig

from outrider.core.errors import ConfigError
from outrider.core.structure import from_data
from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.lidar.lidar import Lidar
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.specs.sensor import SensorEntry


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
        from_data(LidarParameters, {"samples": 360, **wrong}, "robot 'r': sensor 'lidar'")
    assert sentence in str(error.value)
    assert "robot 'r': sensor 'lidar'" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_scan_needs_columns():
    with pytest.raises(ConfigError, match="samples"):
        from_data(LidarParameters, {}, "x")


def test_firings_that_do_not_fit_into_a_turn_are_refused():
    p = LidarParameters(samples=2000, firing_period_us=100.0)
    with pytest.raises(ConfigError, match="at most 1000 do"):
        Lidar.looks_back(p, 10.0)
    with pytest.raises(ConfigError, match="sensor 'lidar': 2000 firings"):
        LidarRig(p, [])


def test_an_unknown_preset_gets_a_near_match():
    with pytest.raises(ConfigError, match="velodyne-vlp16"):
        plan_sensor(SensorEntry("lidar", "velodyne-vlp61"), "robot 'r'")


@pytest.mark.parametrize("rate_hz", [0.0, 1e-310, 1e5])
def test_a_rate_of_zero_or_as_good_as_that_is_refused(rate_hz):
    with pytest.raises(ConfigError, match="rate_hz must lie between"):
        plan_sensor(SensorEntry("lidar", "velodyne-vlp16", rate_hz=rate_hz), "robot 'r'")


def test_firings_closer_than_a_nanosecond_are_refused():
    with pytest.raises(ConfigError, match="firing_period_us must be at least"):
        Lidar.looks_back(LidarParameters(firing_period_us=1e-300), 10.0)


@pytest.mark.parametrize(
    ("parameters", "rate_hz"),
    [
        (LidarParameters(elevations_deg=(0.0,) * 1024, samples=100_000), 10.0),
        (
            LidarParameters(
                elevations_deg=(0.0,) * 16, samples=100_000, sub_rays=32, divergence_mrad=3.0
            ),
            10.0,
        ),
        (LidarParameters(firing_period_us=0.002), 10.0),
        (LidarParameters(firing_period_us=55.296), 0.001),
    ],
)
def test_a_scan_that_would_fill_the_memory_is_refused(parameters, rate_hz):
    with pytest.raises(ConfigError, match=r"rays: expected at most 10000000"):
        Lidar.looks_back(parameters, rate_hz)
