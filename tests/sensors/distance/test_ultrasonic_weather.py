"""Ultrasonic rangers in warm and cold air."""

import math

import pytest
from tests.sensors.sensor_stand import looking, site_before, wall

from outrider.sensors.distance.sound import speed_of_sound
from outrider.weather.spec import WeatherSpec


def _measured(distance: float, weather: WeatherSpec | None, **more: object) -> float:
    site = site_before(wall(distance), weather=weather)
    exact = {"noise": 0.0, "noise_share": 0.0, "missed": 0.0, "resolution": 0.0}
    return float(looking("ping", site=site, **exact, **more).output.range)


def test_cold_air_makes_distances_too_long_by_the_speed_of_sound() -> None:
    """The device takes 20 degrees C for granted: at -10 it hears echoes 5.5 % late."""
    usual = _measured(1.5, None, assumed_temperature_c=20.0, temperature_c=20.0)
    cold = _measured(1.5, WeatherSpec(temperature_c=-10.0), assumed_temperature_c=20.0)
    assert cold / usual == pytest.approx(speed_of_sound(20.0) / speed_of_sound(-10.0), rel=1e-4)


def test_air_that_takes_more_of_the_tone_shortens_the_reach() -> None:
    """Dry air at 60 degrees takes more of 40 kHz than what the maximum range was measured in."""
    near = WeatherSpec(temperature_c=60.0, humidity=0.15)
    parameters = {"max_range": 3.0, "frequency_hz": 40_000.0}
    assert _measured(2.9, None, **parameters) == pytest.approx(2.9, rel=0.02)
    assert math.isinf(_measured(2.9, near, **parameters))
    assert _measured(1.0, near, **parameters) < 1.1
