"""The air at a height: the International Standard Atmosphere (ISO 2533) up to 47 km."""

from __future__ import annotations

import math
from dataclasses import dataclass

SEA_LEVEL_PA = 101_325.0
ZERO_C = 273.15  # K
GAS_CONSTANT = 287.05287  # J/(kg K), of dry air
LAPSE_K_M = 6.5e-3  # of the lowest layer: so much colder per metre
_G_OVER_R = 9.80665 / GAS_CONSTANT  # K/m: standard gravity over the gas constant
DENSITY_EXPONENT = _G_OVER_R / LAPSE_K_M - 1.0  # of the ratio of temperatures, in that layer
_EARTH_M = 6_356_766.0  # the radius that geopotential altitudes are reckoned with
_LOWEST_M, _HIGHEST_M = -5_000.0, 47_000.0
_COLDEST_K = 1.0  # keeps the law finite far above a cold ground
_LAYERS = (  # from, to (geopotential m), K/m
    (-math.inf, 11_000.0, -LAPSE_K_M),
    (11_000.0, 20_000.0, 0.0),
    (20_000.0, 32_000.0, 1.0e-3),
    (32_000.0, math.inf, 2.8e-3),
)


@dataclass(frozen=True, slots=True)
class Air:
    """The state of the air at one place."""

    temperature_c: float
    pressure_pa: float


SEA_LEVEL = Air(15.0, SEA_LEVEL_PA)


def standard_air(altitude_m: float) -> Air:
    """Return the standard air at an altitude above sea level; beyond its limits, that at them."""
    return air_above(SEA_LEVEL, 0.0, altitude_m)


def air_above(ground: Air, ground_m: float, height_m: float) -> Air:
    """Return the air at a height above a ground of known air and altitude, by the standard law."""
    here, there = _geopotential(ground_m), _geopotential(ground_m + height_m)
    kelvin, pressure = ground.temperature_c + ZERO_C, ground.pressure_pa
    for low, high, lapse in _LAYERS if there >= here else reversed(_LAYERS):
        rise = min(max(there, low), high) - min(max(here, low), high)
        warmer = max(kelvin + lapse * rise, _COLDEST_K)
        if lapse:
            pressure *= (warmer / kelvin) ** (-_G_OVER_R / lapse)
        else:
            pressure *= math.exp(-_G_OVER_R * rise / kelvin)
        kelvin = warmer
    return Air(kelvin - ZERO_C, pressure)


def pressure_altitude(pressure_pa: float, sea_level_pa: float = SEA_LEVEL_PA) -> float:
    """Return the altitude (m) that altimeters show for a pressure, by the lowest layer's law."""
    share = max(pressure_pa, 0.0) / sea_level_pa
    sea_level_k = SEA_LEVEL.temperature_c + ZERO_C
    return sea_level_k / LAPSE_K_M * (1.0 - math.pow(share, LAPSE_K_M / _G_OVER_R))


def _geopotential(altitude_m: float) -> float:
    """Return the height in a field of constant gravity, within the limits of the standard."""
    height = _EARTH_M * altitude_m / (_EARTH_M + max(altitude_m, _LOWEST_M))
    return min(max(height, _LOWEST_M), _HIGHEST_M)
