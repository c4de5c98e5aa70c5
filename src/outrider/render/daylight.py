"""A world's light under its weather: the sun of its place and time, clouds, fog, water.

Cameras adapt to the light down to that of a late dusk (``DARKEST_LX`` on level ground), from
``DUSK_LX`` on by up to one stop less; below, pictures get dark, and lamps become bright. With an
``hour``, a lamp's ``intensity`` of 1 is 1000 cd (1000 lx at 1 m), beside a sun of up to 100 000 lx.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.light import LIGHT, Lighting, light_rows, lighting_of
from outrider.weather.daylight import Daylight, cover_of, daylight
from outrider.weather.extinction import extinction
from outrider.weather.spec import WeatherSpec
from outrider.weather.water import wetness
from outrider.world.assembly import WORLD, Frame
from outrider.world.model import World

DARKEST_LX = 50.0
DUSK_LX = 6000.0
LAMP_LX = 1000.0
_DIRECT = 0  # kind of a directional light
_GIVEN_BACK = 0.5  # of what clouds and fog take from a light comes from all sides


def weather_lighting(
    world: World, frames: Mapping[str, Frame], now: WeatherSpec, later_s: float = 0.0
) -> Lighting:
    """Return the light of a world under a weather."""
    clear = lighting_of(world, frames)
    light = _covered(clear, now)
    if now.hour is not None:
        place = world.origin.latitude_deg, world.origin.longitude_deg
        day = daylight(now, *place, (clear.sky, clear.horizon), later_s)
        light = _sunlit(light_rows(world.lights, frames), day)
    return replace(light, haze=clear.haze + extinction(now), wet=wetness(now), snow=now.snow_cover)


def _covered(clear: Lighting, now: WeatherSpec) -> Lighting:
    """Return a world's own light behind clouds and fog, at the same brightness."""
    cover = cover_of(now, 1.0)
    rows, sun = clear.lights.copy(), cover.sun
    distant = rows["kind"] == _DIRECT
    level = rows["colour"] * np.maximum(rows["towards"][:, 2:], 0.0)
    lost = (level[distant].sum(axis=0) * (1.0 - sun)).astype(np.float64)
    rows["colour"][distant] *= sun
    rows["disc"][distant] &= sun > 0.05
    ambient = clear.ambient + _GIVEN_BACK * lost
    white = float((ambient + level[distant].sum(axis=0) * sun).max()) if sun < 1.0 else 1.0
    rows["colour"] /= white if white > 0 else 1.0
    zenith, horizon = cover.hide(clear.sky, clear.horizon)
    return replace(clear, lights=rows, ambient=ambient / white, sky=zenith, horizon=horizon)


def _sunlit(lights: NDArray[np.void], day: Daylight) -> Lighting:
    """Return the light of a day: the sun in place of directional lights, and lamps."""
    level = float(day.level_lx.max())
    white = max(level, DARKEST_LX) * _dusky(level)
    lamps = lights[lights["kind"] != _DIRECT].copy()
    lamps["colour"] *= LAMP_LX / white
    sun = np.zeros(1 if day.sun_lx.max() > 1e-3 * white else 0, LIGHT)
    sun["shadows"], sun["towards"], sun["disc"] = 1, day.towards, day.disc
    sun["colour"], sun["range"], sun["body"] = day.sun_lx / white, 1.0, WORLD
    dark = min(1.0, level / DARKEST_LX)
    sky, horizon, glow = (_dimmed(c, dark) for c in (day.zenith, day.horizon, day.glow))
    light = Lighting(np.concatenate([sun, lamps]), day.sky_lx / white, sky, horizon, 0.0)
    return replace(light, glow=glow, glow_towards=day.towards)


def _dusky(level_lx: float) -> float:
    """Return how much darker than white a camera keeps white in little light: a stop at most."""
    return 1.0 + max(0.0, 1.0 - level_lx / DUSK_LX)


def _dimmed(colour: Array, share: float) -> Array:
    """Return a colour in the dark; a sky keeps more of its light than the ground beneath it."""
    out: Array = colour * share**0.8
    return out
