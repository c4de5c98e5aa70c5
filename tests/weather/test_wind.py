"""Wind and gusts."""

import numpy as np
import pytest

from outrider.weather.spec import WeatherSpec
from outrider.weather.wind import Wind, mean_wind

GUSTY = WeatherSpec(wind_m_s=10.0, wind_from_deg=270.0, gusts_m_s=2.0, gust_length_m=20.0)


def test_wind_from_the_west_blows_east() -> None:
    assert mean_wind(GUSTY) == pytest.approx([10.0, 0.0, 0.0])
    assert mean_wind(WeatherSpec(wind_m_s=3.0, wind_from_deg=0.0)) == pytest.approx([0, -3, 0])


def test_gusts_have_their_deviation_and_forget_over_their_length() -> None:
    """The correlation after one gust's time (20 m at 10 m/s: 2 s) is 1/e."""
    wind, dt = Wind(seed=3), 0.05
    speeds = np.array([wind.step(GUSTY, dt)[0] for _ in range(80_000)]) - 10.0
    assert speeds.std() == pytest.approx(2.0, rel=0.05)
    lag = round(2.0 / dt)
    assert np.corrcoef(speeds[:-lag], speeds[lag:])[0, 1] == pytest.approx(np.exp(-1), abs=0.05)


def test_wind_goes_on_from_a_saved_state() -> None:
    first, second = Wind(seed=3), Wind(seed=4)
    for _ in range(5):
        first.step(GUSTY, 0.1)
    second.set_state(first.get_state())
    assert first.step(GUSTY, 0.1).tolist() == second.step(GUSTY, 0.1).tolist()
