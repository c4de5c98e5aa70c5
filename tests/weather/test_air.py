"""The air is as the standard atmosphere and ISO have it."""

import pytest

from outrider.weather.air import density, pressure_at, sound_absorption, temperature_at
from outrider.weather.spec import WeatherSpec
from outrider.weather.weather import Weather


def test_pressure_and_density_are_those_of_the_standard_atmosphere() -> None:
    """ICAO: 1000 m has 8.5 C, 89874.6 Pa and 1.11164 kg/m^3; sea level 1.2250."""
    assert temperature_at(15.0, 1000.0) == pytest.approx(8.5)
    assert pressure_at(101325.0, 15.0, 1000.0) == pytest.approx(89874.6, rel=2e-4)
    assert density(101325.0, 15.0) == pytest.approx(1.2250, abs=2e-4)
    high = density(pressure_at(101325.0, 15.0, 1000.0), 8.5)
    assert high == pytest.approx(1.11164, rel=3e-4)


def test_sound_is_absorbed_as_the_tables_of_iso_9613_say() -> None:
    """Part 1, table 1: at 20 C, 50 % and one atmosphere 1 kHz 4.66, 10 kHz 159 dB/km."""
    assert 1000 * sound_absorption(1000.0, 20.0, 0.5, 101325.0) == pytest.approx(4.66, rel=0.02)
    assert 1000 * sound_absorption(10000.0, 20.0, 0.5, 101325.0) == pytest.approx(159, rel=0.02)


def test_without_a_section_the_weather_is_fair_and_says_that_nobody_gave_it() -> None:
    weather = Weather()
    assert not weather.given
    assert weather.temperature_c(0) == 15.0
    assert weather.pressure_pa(0) == pytest.approx(101325.0)
    assert weather.wind_velocity(0).tolist() == [0.0, 0.0, 0.0]
    assert Weather(WeatherSpec()).given
