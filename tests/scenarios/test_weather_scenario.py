"""Weather in scenario files, and in sweeps."""

from pathlib import Path

import pytest

from outrider.core.errors import ConfigError
from outrider.scenarios.build import build
from outrider.scenarios.opening import find_scenario
from outrider.sweeps.settings import settings

SCENARIO = """
world: {ground: {type: flat}, weather: {rain_mm_h: 3, temperature_c: 8}}
robots: [{model: jackal}]
"""


def _scenario(folder: Path, more: str = "") -> str:
    file = folder / "rain.yaml"
    file.write_text(SCENARIO + more, encoding="utf-8")
    return str(file)


def test_a_scenarios_weather_is_in_place_of_its_worlds(tmp_path: Path) -> None:
    wet = build(find_scenario(_scenario(tmp_path)))
    assert wet.weather.spec.rain_mm_h == 3.0
    dry = build(find_scenario(_scenario(tmp_path, "weather: {visibility_m: 100}")))
    assert dry.weather.spec.rain_mm_h == 0.0
    assert dry.weather.spec.visibility_m == 100.0


def test_a_sweep_reaches_every_key_of_the_weather(tmp_path: Path) -> None:
    point = {"weather.visibility_m": 250.0, "weather.hour": 17.5, "world.weather.rain_mm_h": 9}
    varied = find_scenario(_scenario(tmp_path), settings=settings(point))
    assert varied.weather is not None
    assert (varied.weather.visibility_m, varied.weather.hour) == (250.0, 17.5)
    changed = {"weather.changes": [{"at_s": 2.0, "wind_m_s": 12.0}]}
    blown = find_scenario(_scenario(tmp_path), settings=settings(changed))
    assert blown.weather is not None
    assert blown.weather.changes[0].wind_m_s == 12.0


def test_a_lamp_on_a_link_that_is_not_there_is_refused(tmp_path: Path) -> None:
    lamps = "robots: [{model: jackal, lamps: [{name: front, link: chasis_link}]}]"
    file = tmp_path / "lamp.yaml"
    file.write_text("world: empty\n" + lamps, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"lamp: robots\.0\.lamps\.0\.link: there is no"):
        build(find_scenario(str(file)))
