"""LiDARs in fog, rain, snow and dust."""

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.sensors.lidar_rig import LidarRig, static

from outrider.core.frames import Array, Pose
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.weather.extinction import extinction
from outrider.weather.spec import WeatherChange, WeatherSpec
from outrider.world.shapes import Box

BEAMS = 2000
TEN_PERCENT = 50.0  # m


def _lidar(distance: float, weather: WeatherSpec | None, **more: object) -> LidarRig:
    """Return a LiDAR that looks straight at a wall of 10 % reflectivity, with all its beams."""
    narrow = {"azimuth_from_deg": -0.5, "azimuth_to_deg": 0.5, "samples": BEAMS}
    p = LidarParameters(**narrow, range_max=200.0, range_at_10_percent=TEN_PERCENT, **more)
    models = []
    if distance > 0:
        wall = Box((1.0, 40.0, 40.0))
        place = Pose(np.array([distance + 0.5, 0, 0]))
        models = [static("wall", wall, place, reflectivity=0.1)]
    return LidarRig(p, models, weather=weather)


def _seen(distance: float, weather: WeatherSpec | None, **more: object) -> float:
    """Return the share of beams that measure the wall."""
    ranges = _ranges(_lidar(distance, weather, **more))
    return float(np.sum(np.abs(ranges - distance) < 0.5)) / BEAMS


def _ranges(rig: LidarRig) -> Array:
    points = rig.run().points()
    return np.hypot(points["x"], points["y"])


@pytest.mark.parametrize(
    "weather",
    [
        WeatherSpec(visibility_m=60.0),
        WeatherSpec(visibility_m=200.0),
        WeatherSpec(visibility_m=1000.0),
        WeatherSpec(rain_mm_h=50.0),
        WeatherSpec(snow_mm_h=5.0, temperature_c=-5.0),
        WeatherSpec(dust_mg_m3=20.0),
    ],
)
def test_the_range_lost_follows_the_lidar_equation(weather: WeatherSpec) -> None:
    """Half of the returns of 10 % are lost where r exp(a r) is the range in clear air.

    Echoes of the air itself are left aside: of several, the last is taken.
    """
    per_m = extinction(weather, 905.0)
    edge = brentq(lambda r: r * np.exp(per_m * r) - TEN_PERCENT, 0.1, TEN_PERCENT)
    assert edge < 0.97 * TEN_PERCENT
    shares = [_seen(share * edge, weather, echo="last") for share in (0.93, 1.0, 1.07)]
    assert shares[0] > 0.6
    assert shares[1] == pytest.approx(0.5, abs=0.05)
    assert shares[2] < 0.4


def test_fog_sends_light_back_before_what_it_hides() -> None:
    """Nearly all that is not lost in dense fog comes from the first metres."""
    fog = WeatherSpec(visibility_m=40.0)
    assert _seen(5.0, fog) > 0.95  # what is near is stronger
    ranges = _ranges(_lidar(30.0, fog))
    assert len(ranges) > 0.5 * BEAMS
    assert np.percentile(ranges, 95) < 20.0
    assert ranges.min() > 1.0  # beam and view do not overlap before


def test_denser_fog_makes_more_early_returns_of_an_empty_sky() -> None:
    counts = [
        len(_ranges(_lidar(0.0, WeatherSpec(visibility_m=v)))) / BEAMS for v in (2000, 500, 100)
    ]
    assert counts[0] < 0.1
    assert counts[0] < counts[1] < counts[2]
    assert counts[2] > 0.5


def test_drops_are_hit_by_few_beams() -> None:
    """A shower of 25 mm/h has some 500 drops of more than 1 mm in a cubic metre."""
    early = len(_ranges(_lidar(0.0, WeatherSpec(rain_mm_h=25.0)))) / BEAMS
    assert 0.002 < early < 0.15


def test_clear_weather_changes_no_byte() -> None:
    dull = {"noise": ((1.0, 0.02), (50.0, 0.05)), "dropout": 0.1}
    without = _lidar(20.0, None, **dull).run().points().tobytes()
    assert _lidar(20.0, WeatherSpec(temperature_c=3.0), **dull).run().points().tobytes() == without
    foggy = _lidar(20.0, WeatherSpec(visibility_m=50.0), **dull)
    assert foggy.run().points().tobytes() != without


def test_the_same_scan_in_fog_is_the_same_whether_earlier_ones_were_wanted() -> None:
    fog = WeatherSpec(visibility_m=50.0)
    first, second = _lidar(20.0, fog), _lidar(20.0, fog)
    first.run().points()
    second.run()
    assert first.run().points().tobytes() == second.run().points().tobytes()


def test_fog_may_come_while_it_scans() -> None:
    fog = WeatherSpec(changes=(WeatherChange(at_s=0.15, visibility_m=30.0),))
    rig = _lidar(40.0, fog)
    clear, foggy = _ranges(rig), _ranges(rig)
    assert (np.abs(clear - 40.0) < 0.5).mean() > 0.9
    assert (np.abs(foggy - 40.0) < 0.5).mean() < 0.1
