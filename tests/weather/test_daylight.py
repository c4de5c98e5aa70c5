"""Light by the sun's height, clouds and fog."""

import numpy as np
import pytest

from outrider.weather.daylight import Daylight, daylight
from outrider.weather.spec import WeatherSpec

BLUE, PALE = np.array([0.24, 0.42, 0.69]), np.array([0.70, 0.77, 0.88])


def _day(hour: float, **more: object) -> Daylight:
    """Return the light of the 20th of March on the equator: the sun rises at 6."""
    return daylight(WeatherSpec(hour=hour, month=3, day=20, **more), 0.0, 0.0, (BLUE, PALE))


def test_a_high_sun_gives_a_hundred_thousand_lux() -> None:
    """RP-21 at 90 degrees: 103 klx of sun and 16.3 klx of sky."""
    noon = _day(12.1)
    assert noon.elevation_deg == pytest.approx(90.0, abs=1.0)
    assert noon.sun_lx @ [0.2126, 0.7152, 0.0722] == pytest.approx(103_350, rel=0.01)
    assert noon.sky_lx @ [0.2126, 0.7152, 0.0722] == pytest.approx(16_300, rel=0.01)


def test_a_low_sun_is_red_and_one_below_the_horizon_is_none() -> None:
    low, high, night = _day(6.4), _day(12.1), _day(0.0)
    assert low.sun_lx[0] > 1.5 * low.sun_lx[2]
    assert high.sun_lx[0] < 1.15 * high.sun_lx[2]
    assert not night.sun_lx.any()
    assert not night.disc
    assert night.level_lx.max() < 0.01


def test_twilight_falls_as_almanacs_have_it() -> None:
    """3.4 lx at the end of civil dusk, 6 degrees below the horizon."""
    levels = [_day(18.13 + depth / 15.0) for depth in (0, 6, 12)]
    assert [d.elevation_deg for d in levels] == pytest.approx([0, -6, -12], abs=0.3)
    lux = [float(d.sky_lx @ [0.2126, 0.7152, 0.0722]) for d in levels]
    assert lux[0] == pytest.approx(800, rel=0.3)
    assert lux[1] == pytest.approx(3.4, rel=0.4)
    assert lux[2] == pytest.approx(0.008, rel=0.6)


def test_clouds_and_fog_take_the_sun_and_leave_a_grey_sky() -> None:
    for grey in (_day(12.0, clouds=1.0), _day(12.0, visibility_m=60.0)):
        assert grey.sun_lx.max() < 0.01 * _day(12.0).sun_lx.max()
        assert not grey.disc
        assert np.ptp(grey.zenith) < 0.1
        assert grey.sky_lx.max() > 15_000
