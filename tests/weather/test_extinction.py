"""What the air takes away follows the published formulas."""

import math

import pytest

from outrider.weather.extinction import extinction, fog, kim_exponent, rain, snow
from outrider.weather.spec import WeatherSpec


def _db_per_km(per_m: float) -> float:
    return per_m * 1000 * 10 / math.log(10)


def test_fog_leaves_five_percent_of_the_contrast_at_its_visibility() -> None:
    assert math.exp(-fog(120.0) * 120.0) == pytest.approx(0.05, abs=0.0005)


def test_fog_takes_kims_share_of_infrared_light() -> None:
    """At 905 nm a visibility of 5 km at 2 % has q = 0.16 * 5 + 0.34."""
    seen = 3.912 / 5000.0
    per_m = fog(3.0 / seen, 905.0)
    assert per_m == pytest.approx(seen * (905 / 550) ** -1.14, rel=1e-9)
    assert fog(100.0, 905.0) == fog(100.0)  # dense fog is grey
    assert [kim_exponent(v) for v in (60, 10, 0.7, 0.3)] == pytest.approx([1.6, 1.3, 0.2, 0.0])


def test_rain_and_snow_follow_the_recommendation_of_the_itu() -> None:
    """P.1814: 25 mm/h of rain 9.29 dB/km; 1 mm/h of snow at 905 nm 3.88 wet, 5.54 dry."""
    assert _db_per_km(rain(25.0)) == pytest.approx(1.076 * 25**0.67, rel=1e-9)
    assert _db_per_km(snow(1.0, 905.0, 1.0)) == pytest.approx(3.878, abs=0.001)
    assert _db_per_km(snow(1.0, 905.0, -5.0)) == pytest.approx(5.545, abs=0.001)


def test_all_that_is_in_the_air_adds_up_and_clear_air_takes_nothing() -> None:
    both = WeatherSpec(rain_mm_h=5.0, dust_mg_m3=10.0)
    assert extinction(both) == pytest.approx(rain(5.0) + 10 * 0.6e-3)
    assert extinction(WeatherSpec()) == 0.0
