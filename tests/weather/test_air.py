"""The air is as the standard atmosphere and ISO have it."""

import pytest

from outrider.weather.air import density, sound_absorption
from outrider.weather.atmosphere import standard_air
from outrider.weather.spec import WeatherSpec
from outrider.weather.weather import Weather

# geometric altitude (m), density (kg/m^3): U.S. Standard Atmosphere, 1976, table I
DENSITIES = [(-1000.0, 1.3470), (0.0, 1.2250), (1000.0, 1.1117), (5000.0, 0.73643)]


@pytest.mark.parametrize(("altitude", "published"), DENSITIES)
def test_the_density_is_that_of_the_published_table(altitude: float, published: float) -> None:
    air = standard_air(altitude)
    assert density(air.pressure_pa, air.temperature_c) == pytest.approx(published, rel=1e-4)


def test_sound_is_absorbed_as_the_tables_of_iso_9613_say() -> None:
    """Part 1, table 1: at 20 C, 50 % and one atmosphere 1 kHz 4.66, 10 kHz 159 dB/km."""
    assert 1000 * sound_absorption(1000.0, 20.0, 0.5, 101325.0) == pytest.approx(4.66, rel=0.02)
    assert 1000 * sound_absorption(10000.0, 20.0, 0.5, 101325.0) == pytest.approx(159, rel=0.02)


def test_without_a_section_the_weather_is_fair_and_says_that_nobody_gave_it() -> None:
    weather = Weather()
    assert not weather.given
    assert weather.air(0).temperature_c == pytest.approx(15.0)
    assert weather.air(0).pressure_pa == pytest.approx(101325.0)
    assert weather.wind_velocity(0).tolist() == [0.0, 0.0, 0.0]
    assert Weather(WeatherSpec()).given
