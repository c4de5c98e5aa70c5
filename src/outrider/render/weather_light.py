"""The weather as pictures show it at one time: light, and what falls."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from outrider.core.clock import to_s
from outrider.core.frames import Array
from outrider.render.daylight import weather_lighting
from outrider.render.light import Lighting, lighting_of
from outrider.scene.scene import Scene
from outrider.weather.spec import WeatherSpec
from outrider.weather.timeline import weather_at
from outrider.weather.weather import Weather
from outrider.world.assembly import Assembly

_SUN_STEP_S = 240.0  # the sun goes one degree in so long
_RAMP_STEPS = 8  # of light, while a change is reached: each makes new shaders
_KEPT = 4  # lights of a scene at a time
_lights: weakref.WeakKeyDictionary[Scene, dict[float, Lighting]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class WeatherLight:
    """What is not as it was at the start."""

    light: Lighting | None  # None: that of the start
    rain_mm_h: float
    snow_mm_h: float
    wind: Array  # (3,) m/s
    time_s: float
    brightness: float  # of what falls: the horizon's


class _FixedWeather(Protocol):
    @property
    def weather_light(self) -> WeatherLight | None: ...


def weather_light(scene: Scene, weather: Weather, time_ns: int) -> WeatherLight | None:
    """Return the weather for pictures of a scene at a time; None without weather."""
    if not weather.given:
        return None
    now, time_s = weather.at(time_ns), to_s(time_ns)
    since_s = _light_time(weather.spec, time_s)
    light = None if since_s == 0.0 else _light_at(scene, since_s)
    shown = light or _light_at(scene, 0.0)
    wind = weather.wind_velocity(time_ns)
    bright = float(np.mean(shown.horizon))
    return WeatherLight(light, now.rain_mm_h, now.snow_mm_h, wind, time_s, bright)


def first_light(assembly: Assembly) -> Lighting:
    """Return the light of a world at the start."""
    return _lighting(assembly, 0.0)


def light_of(shots: Sequence[_FixedWeather]) -> Lighting | None:
    """Return the light of shots that are taken at one time."""
    first = shots[0].weather_light if shots else None
    return first.light if first else None


def _light_at(scene: Scene, time_s: float) -> Lighting:
    kept = _lights.setdefault(scene, {})
    if time_s not in kept:
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[time_s] = _lighting(scene.assembly, time_s)
    return kept[time_s]


def _lighting(assembly: Assembly, time_s: float) -> Lighting:
    world = assembly.world
    if world.weather is None:
        return lighting_of(world, assembly.frames)
    now = weather_at(world.weather, time_s)
    return weather_lighting(world, assembly.frames, now, time_s)


def _light_time(spec: WeatherSpec, time_s: float) -> float:
    """Return since when the light is what it is: it changes in steps."""
    since = time_s // _SUN_STEP_S * _SUN_STEP_S if spec.hour is not None else 0.0
    for change in spec.changes:
        if change.at_s <= time_s:
            gone = min(1.0, (time_s - change.at_s) / max(change.over_s, 1e-9))
            step = int(gone * _RAMP_STEPS) / _RAMP_STEPS
            since = max(since, change.at_s + step * change.over_s)
    return since
