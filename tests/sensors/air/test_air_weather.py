"""Barometers and thermometers measure the weather."""

import pytest
from tests.sensors.sensor_stand import looking, site_before

from outrider.weather.spec import WeatherChange, WeatherSpec


def test_a_barometer_shows_the_weathers_pressure_and_temperature() -> None:
    low = WeatherSpec(pressure_hpa=980.0, temperature_c=-5.0)
    barometer = looking("ideal-barometer", site=site_before(weather=low))
    assert barometer.pressure_pa == pytest.approx(98_000.0)
    assert barometer.temperature_message(0).temperature == pytest.approx(-5.0)


def test_weather_that_says_nothing_of_the_air_leaves_it_as_it_is() -> None:
    fog = looking("ideal-barometer", site=site_before(weather=WeatherSpec(visibility_m=50.0)))
    assert fog.pressure_pa == pytest.approx(looking("ideal-barometer").pressure_pa, rel=1e-6)


def test_a_thermometer_follows_a_change_of_weather() -> None:
    frost = WeatherSpec(temperature_c=10.0, changes=(WeatherChange(at_s=1.0, temperature_c=-8.0),))
    site = site_before(weather=frost)
    thermometer = looking("ideal-barometer", site=site)
    site.state.time_ns = 2_000_000_000
    thermometer.sample(site.state.time_ns)
    assert thermometer.temperature_message(0).temperature == pytest.approx(-8.0)
