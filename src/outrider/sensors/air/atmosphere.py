"""The air at a height: the International Standard Atmosphere (ISO 2533) up to 47 km."""

import math
from dataclasses import dataclass

from outrider.sensors.site import Site
from outrider.world.model import World

SEA_LEVEL_PA = 101_325.0
ZERO_C = 273.15  # K
_SEA_LEVEL_K = 288.15
_EARTH_M = 6_356_766.0  # the radius that geopotential altitudes are reckoned with
_G_OVER_R = 9.80665 / 287.05287  # K/m: standard gravity over the gas constant of dry air
_LAYERS = ((0.0, -6.5e-3), (11_000.0, 0.0), (20_000.0, 1.0e-3), (32_000.0, 2.8e-3))  # base, K/m
_LOWEST_M, _HIGHEST_M = -5_000.0, 47_000.0


@dataclass(frozen=True, slots=True)
class Air:
    """The state of the air at one place."""

    temperature_c: float
    pressure_pa: float


def air_at(world: World, z: float) -> Air:
    """Return the air at a height above the origin of a world."""
    return standard_air(world.origin.altitude_m + z)


def air_around(site: Site) -> Air:
    """Return the air where a sensor is now: the weather's, or the standard air without weather."""
    z, now_ns, weather = float(site.pose.position[2]), site.state.time_ns, site.weather
    if not weather.given:
        return air_at(site.world, z)
    return Air(weather.temperature_c(now_ns, z), weather.pressure_pa(now_ns, z))


def standard_air(altitude_m: float) -> Air:
    """Return the standard air at an altitude above sea level; beyond its limits, that at them."""
    height = _EARTH_M * altitude_m / (_EARTH_M + max(altitude_m, _LOWEST_M))
    height = min(max(height, _LOWEST_M), _HIGHEST_M)
    temperature, pressure = _SEA_LEVEL_K, SEA_LEVEL_PA
    tops = [base for base, _ in _LAYERS[1:]] + [math.inf]
    for (base, lapse), top in zip(_LAYERS, tops, strict=True):
        rise = min(height, top) - base
        if lapse:
            warmer = temperature + lapse * rise
            pressure *= (warmer / temperature) ** (-_G_OVER_R / lapse)
            temperature = warmer
        else:
            pressure *= math.exp(-_G_OVER_R * rise / temperature)
        if height <= top:
            break
    return Air(temperature - ZERO_C, pressure)


def pressure_altitude(pressure_pa: float, sea_level_pa: float = SEA_LEVEL_PA) -> float:
    """Return the altitude (m) that altimeters show for a pressure, by the lowest layer's law."""
    lapse = -_LAYERS[0][1]
    share = max(pressure_pa, 0.0) / sea_level_pa
    return _SEA_LEVEL_K / lapse * (1.0 - math.pow(share, lapse / _G_OVER_R))
