"""Water and snow on the ground."""

import math

from outrider.weather.spec import WeatherSpec

_SOAKED_MM_H = 2.0  # of rain that wets the ground to 63 %
# of friction: J. Y. Wong, Theory of Ground Vehicles: asphalt 0.8-0.9, wet 0.5-0.7, packed snow 0.2
_WET_LOSS, _SNOW_LOSS = 0.3, 0.75


def wetness(now: WeatherSpec) -> float:
    """Return how wet the ground is, 0 to 1."""
    if now.wetness is not None:
        return now.wetness
    return 1.0 - math.exp(-now.rain_mm_h / _SOAKED_MM_H)


def grip(now: WeatherSpec) -> float:
    """Return what is left of a tyre's friction on wet or snowy ground."""
    bare = 1.0 - _WET_LOSS * wetness(now)
    return bare + now.snow_cover * (1.0 - _SNOW_LOSS - bare)
