"""The air at a height, against the tables of the standard atmosphere."""

import pytest

from outrider.weather.atmosphere import Air, air_above, pressure_altitude, standard_air
from outrider.weather.spec import WeatherSpec
from outrider.weather.weather import Weather

# geometric altitude (m), temperature (K), pressure (Pa): U.S. Standard Atmosphere, 1976, table I
TABLE = [
    (-1000.0, 294.651, 113929.0),
    (0.0, 288.150, 101325.0),
    (500.0, 284.900, 95461.0),
    (1000.0, 281.651, 89876.0),
    (2000.0, 275.154, 79501.0),
    (5000.0, 255.676, 54048.0),
    (10000.0, 223.252, 26499.9),
    (15000.0, 216.650, 12111.8),
    (20000.0, 216.650, 5529.29),
    (30000.0, 226.509, 1197.03),
    (40000.0, 250.350, 287.143),
]


@pytest.mark.parametrize(("altitude", "temperature", "pressure"), TABLE)
def test_the_standard_air_is_that_of_the_published_table(altitude, temperature, pressure):
    air = standard_air(altitude)
    assert air.temperature_c == pytest.approx(temperature - 273.15, abs=0.002)
    assert air.pressure_pa == pytest.approx(pressure, rel=3e-5)


def test_heights_beyond_the_table_have_the_air_at_its_end():
    assert standard_air(-1e9) == standard_air(-5000.0)
    assert standard_air(1e9).pressure_pa == pytest.approx(110.9, rel=1e-3)


@pytest.mark.parametrize("given", [None, WeatherSpec()])
def test_the_worlds_origin_is_where_heights_count_from(given):
    air, standard = Weather(given, altitude_m=1500.0).air(0, 500.0), standard_air(2000.0)
    assert air.temperature_c == pytest.approx(standard.temperature_c)
    assert air.pressure_pa == pytest.approx(standard.pressure_pa, rel=1e-12)


@pytest.mark.parametrize("height", [-300.0, 800.0, 15_000.0, 40_000.0])
def test_the_way_back_to_the_ground_finds_the_air_that_it_left(height):
    ground = Air(-20.0, 95_000.0)
    back = air_above(air_above(ground, 250.0, height), 250.0 + height, -height)
    assert back.temperature_c == pytest.approx(ground.temperature_c)
    assert back.pressure_pa == pytest.approx(ground.pressure_pa, rel=1e-12)


@pytest.mark.parametrize("altitude", [-300.0, 0.0, 120.0, 3000.0, 9000.0])
def test_an_altimeter_finds_the_height_that_a_pressure_belongs_to(altitude):
    shown = pressure_altitude(standard_air(altitude).pressure_pa)
    assert shown == pytest.approx(altitude * 6_356_766 / (6_356_766 + altitude), abs=1e-4)
