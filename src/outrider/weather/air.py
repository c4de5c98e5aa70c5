"""The air: pressure with height, density, sound."""

import math

STANDARD_C, STANDARD_PA = 15.0, 101_325.0  # at the sea
LAPSE_K_M = 0.0065
_GAS = 287.058  # J/(kg K), of dry air
_GRAVITY = 9.80665
_FREEZING_K = 273.15


def temperature_at(temperature_c: float, height_m: float) -> float:
    """Return degrees C at a height above that of a temperature (ICAO standard lapse)."""
    return temperature_c - LAPSE_K_M * height_m


def pressure_at(pressure_pa: float, temperature_c: float, height_m: float) -> float:
    """Return Pa at a height above that of a pressure and temperature (ICAO standard lapse)."""
    kelvin = temperature_c + _FREEZING_K
    ratio = max(1.0 - LAPSE_K_M * height_m / kelvin, 1e-3)
    return float(pressure_pa * ratio ** (_GRAVITY / (_GAS * LAPSE_K_M)))


def density(pressure_pa: float, temperature_c: float, humidity: float = 0.0) -> float:
    """Return kg/m^3 of moist air; vapour weighs less than air (Magnus formula)."""
    kelvin = temperature_c + _FREEZING_K
    vapour = humidity * 611.2 * math.exp(17.62 * temperature_c / (243.12 + temperature_c))
    return (pressure_pa - 0.378 * vapour) / (_GAS * kelvin)


def sound_absorption(
    frequency_hz: float, temperature_c: float, humidity: float, pressure_pa: float
) -> float:
    """Return dB/m that air takes from a tone (ISO 9613-1)."""
    kelvin = temperature_c + _FREEZING_K
    warm, bar = kelvin / 293.15, pressure_pa / 101325.0
    saturation = 10.0 ** (-6.8346 * (273.16 / kelvin) ** 1.261 + 4.6151)
    h = 100.0 * humidity * saturation / bar
    oxygen = bar * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h))
    nitrogen = bar * warm**-0.5 * (9.0 + 280.0 * h * math.exp(-4.17 * (warm ** (-1 / 3) - 1)))
    f2 = frequency_hz * frequency_hz
    classical = 1.84e-11 / bar * math.sqrt(warm)
    o = 0.01275 * math.exp(-2239.1 / kelvin) / (oxygen + f2 / oxygen)
    n = 0.1068 * math.exp(-3352.0 / kelvin) / (nitrogen + f2 / nitrogen)
    return float(8.686 * f2 * (classical + warm**-2.5 * (o + n)))
