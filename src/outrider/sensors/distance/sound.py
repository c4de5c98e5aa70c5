"""The speed of sound."""

import math
from typing import Literal

Medium = Literal["air", "water"]


def speed_of_sound(temperature_c: float, medium: Medium = "air") -> float:
    """Return m/s: in air as sensor makers reckon, in fresh water near the surface by Medwin."""
    t = temperature_c
    if medium == "air":
        return 331.5 + 0.6 * t
    # H. Medwin, J. Acoust. Soc. Am. 58, 1318 (1975), for a salinity of zero at no depth
    return 1449.2 + 4.6 * t - 0.055 * t * t + 0.00029 * t**3 - 35.0 * (1.34 - 0.010 * t)


def echo_loss(distance: float, absorption_db_m: float) -> float:
    """Return dB that an echo from a distance loses by spreading and by the air, both ways."""
    return 40.0 * math.log10(max(distance, 1e-3)) + 2.0 * absorption_db_m * distance
