"""Measurements as three well-known parts output them, read by a 10-bit converter at 3.3 V."""

import math

_STEPS_PER_V = 310.303  # 1024 steps of 3.3 V
_FULL = 1023
_G = 9.8


def adxl330(acceleration: float) -> int:
    """Return an ADXL330 accelerometer axis in m/s^2: 1.5 V, less 0.3 V per g (SEAR's sign)."""
    return _steps(acceleration / -_G * 0.3 + 1.5)


def idg500(rate_deg: float) -> int:
    """Return an axis of the IDG-500 gyroscope: 2 mV per degree/s around 1.35 V."""
    return _steps(rate_deg * 0.002 + 1.35)


def hmc6352(heading_deg: float) -> int:
    """Return tenths of a degree, 0 to 3599, in steps of half a degree, rounded up."""
    return math.ceil((heading_deg % 360.0) * 2.0) * 5 % 3600


def _steps(volts: float) -> int:
    return max(0, min(_FULL, int(volts * _STEPS_PER_V)))
