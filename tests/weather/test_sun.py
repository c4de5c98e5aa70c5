"""The sun stands where almanacs say."""

import math
from datetime import UTC, datetime, timedelta

import ephem
import numpy as np
import pytest

from outrider.weather.spec import WeatherSpec
from outrider.weather.sun import moment, sun_angles, towards_sun


def _by_almanac(latitude: float, longitude: float, when: datetime) -> np.ndarray:
    """Return the direction that PyEphem (VSOP 87) has, without refraction."""
    place = ephem.Observer()
    place.lat, place.lon, place.pressure = str(latitude), str(longitude), 0
    place.date = when.strftime("%Y/%m/%d %H:%M:%S")
    sun = ephem.Sun(place)
    return towards_sun(math.degrees(sun.az), math.degrees(sun.alt))


@pytest.mark.parametrize("latitude", [-54.8, 0.0, 40.1857, 69.6])
@pytest.mark.parametrize("longitude", [-122.4, 8.9, 151.2])
def test_the_sun_is_within_a_tenth_of_a_degree_of_another_almanac(
    latitude: float, longitude: float
) -> None:
    """All hours of days of all seasons of several years."""
    worst = 0.0
    for days in range(0, 3650, 73):
        when = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=days, hours=days % 24)
        ours = towards_sun(*sun_angles(latitude, longitude, when))
        along = float(ours @ _by_almanac(latitude, longitude, when))
        worst = max(worst, math.degrees(math.acos(min(1.0, along))))
    assert worst < 0.1


def test_the_sun_is_where_the_example_of_nrel_has_it() -> None:
    """I. Reda and A. Andreas, NREL/TP-560-34302, table A5.1; refraction there is 0.0163 degrees."""
    when = datetime(2003, 10, 17, 19, 30, 30, tzinfo=UTC)
    azimuth, elevation = sun_angles(39.742476, -105.1786, when)
    assert azimuth == pytest.approx(194.34024, abs=0.05)
    assert elevation == pytest.approx(90 - 50.11162 - 0.0163, abs=0.05)


def test_noon_without_a_time_zone_is_when_the_sun_is_near_its_highest() -> None:
    """Only the equation of time is left: at most 16.5 minutes, 4.2 degrees of azimuth x 4."""
    when = moment(WeatherSpec(hour=12.0, month=3, day=20), 100.0)
    azimuth, elevation = sun_angles(40.0, 100.0, when)
    assert azimuth == pytest.approx(180.0, abs=4.0)
    assert elevation == pytest.approx(50.0, abs=0.5)


def test_a_time_zone_is_taken_off() -> None:
    assert moment(WeatherSpec(hour=1.0, utc_offset_h=2.0), 0.0).hour == 23
    assert moment(WeatherSpec(hour=1.0, utc_offset_h=2.0), 0.0).day == 20
