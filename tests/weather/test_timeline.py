"""The weather over time."""

import pytest

from outrider.core.errors import ConfigError
from outrider.core.structure import from_data
from outrider.weather.spec import WeatherChange, WeatherSpec
from outrider.weather.timeline import weather_at


def test_a_change_is_reached_evenly_and_stays() -> None:
    spec = WeatherSpec(changes=(WeatherChange(at_s=10, over_s=20, rain_mm_h=8.0),))
    rates = [weather_at(spec, t).rain_mm_h for t in (0, 10, 15, 30, 99)]
    assert rates == [0.0, 0.0, 2.0, 8.0, 8.0]


def test_fog_comes_by_what_it_takes_away() -> None:
    """Half way between clear and a visibility of 100 m it is 200 m."""
    spec = WeatherSpec(changes=(WeatherChange(at_s=0, over_s=2, visibility_m=100.0),))
    assert weather_at(spec, 1.0).visibility_m == pytest.approx(200.0)


def test_later_changes_start_from_earlier_ones() -> None:
    changes = (
        WeatherChange(at_s=1, temperature_c=20.0),
        WeatherChange(at_s=5, over_s=10, temperature_c=0.0),
    )
    assert weather_at(WeatherSpec(changes=changes), 10.0).temperature_c == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"rain": 3}, "rain: unknown key (did you mean 'rain_mm_h'?)"),
        ({"month": 2, "day": 30}, "day: month 2 of 2026 has 28 days"),
        ({"changes": [{"at_s": 5}, {"at_s": 1}]}, "rising at_s"),
        ({"changes": [{"at_s": 5, "hour": 3}]}, "only if 'hour' is given"),
        ({"clouds": 2.0}, "clouds: must be at most 1.0"),
    ],
)
def test_bad_weather_is_refused_in_one_sentence(data: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as error:
        from_data(WeatherSpec, data, "weather")
    assert said in str(error.value)
