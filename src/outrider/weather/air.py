"""Moist air: its density, and what it takes from sound."""

import math

from outrider.weather.atmosphere import GAS_CONSTANT, SEA_LEVEL_PA, ZERO_C


def density(pressure_pa: float, temperature_c: float, humidity: float = 0.0) -> float:
    """Return kg/m^3 of moist air; vapour weighs less than air (Magnus formula)."""
    kelvin = temperature_c + ZERO_C
    vapour = humidity * 611.2 * math.exp(17.62 * temperature_c / (243.12 + temperature_c))
    return (pressure_pa - 0.378 * vapour) / (GAS_CONSTANT * kelvin)


def sound_absorption(
    frequency_hz: float, temperature_c: float, humidity: float, pressure_pa: float
) -> float:
    """Return dB/m that air takes from a tone (ISO 9613-1)."""
    kelvin = temperature_c + ZERO_C
    warm, bar = kelvin / 293.15, pressure_pa / SEA_LEVEL_PA
    saturation = 10.0 ** (-6.8346 * (273.16 / kelvin) ** 1.261 + 4.6151)
    h = 100.0 * humidity * saturation / bar
    oxygen = bar * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h))
    nitrogen = bar * warm**-0.5 * (9.0 + 280.0 * h * math.exp(-4.17 * (warm ** (-1 / 3) - 1)))
    f2 = frequency_hz * frequency_hz
    classical = 1.84e-11 / bar * math.sqrt(warm)
    o = 0.01275 * math.exp(-2239.1 / kelvin) / (oxygen + f2 / oxygen)
    n = 0.1068 * math.exp(-3352.0 / kelvin) / (nitrogen + f2 / nitrogen)
    return float(8.686 * f2 * (classical + warm**-2.5 * (o + n)))
