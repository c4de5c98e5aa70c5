"""How much light the air takes away per metre, by published formulas.

* Fog: the extinction of visible light is 3 / visibility, because 5 % of the contrast are left
  there (Koschmieder; WMO's meteorological optical range). At other wavelengths it is times
  ``(wavelength / 550 nm) ** -q`` with q of the visibility at 2 % of contrast: I. I. Kim et al.,
  Proc. SPIE 4214, 26 (2001), after P. W. Kruse.
* Rain: 1.076 R^0.67 dB/km of R mm/h (Carbonneau; Recommendation ITU-R P.1814).
* Snow: a S^b dB/km of S mm/h; wet snow a = 0.0001023 l + 3.7855466, b = 0.72; dry snow
  a = 0.0000542 l + 5.4958776, b = 1.38, where l is the wavelength in nm (ITU-R P.1814). It is taken
  for wet from 0 degrees C on.
* Dust: 0.6 m^2 per gram, as coarse mineral dust has it at any of these wavelengths (J. L. Hand and
  W. C. Malm, J. Geophys. Res. 112, D16203, 2007).
"""

import math

from outrider.weather.spec import WeatherSpec

VISIBLE_NM = 550.0
FOG_CONTRAST = 3.0  # -ln of the 5 % that visibility leaves
_KIM_CONTRAST = 3.912  # -ln of 2 %
_PER_M = math.log(10.0) / 10.0 / 1000.0  # of a dB/km
_DUST_M2_MG = 0.6e-3


def extinction(now: WeatherSpec, wavelength_nm: float = VISIBLE_NM) -> float:
    """Return the share of light lost per metre, 1/m, of all that is in the air together."""
    air = fog(now.visibility_m, wavelength_nm) + dust(now.dust_mg_m3)
    return air + rain(now.rain_mm_h) + snow(now.snow_mm_h, wavelength_nm, now.temperature_c or 0.0)


def fog(visibility_m: float, wavelength_nm: float = VISIBLE_NM) -> float:
    """Return the extinction of fog, 1/m; no visibility given: none."""
    if visibility_m <= 0:
        return 0.0
    seen = FOG_CONTRAST / visibility_m
    q = kim_exponent(_KIM_CONTRAST / seen / 1000.0)
    return float(seen * (wavelength_nm / VISIBLE_NM) ** -q)


def kim_exponent(visibility_km: float) -> float:
    """Return q of Kim for a visibility at 2 % of contrast."""
    v = visibility_km
    if v > 50:
        return 1.6
    if v > 6:
        return 1.3
    if v > 1:
        return 0.16 * v + 0.34
    return v - 0.5 if v > 0.5 else 0.0


def dust(density_mg_m3: float) -> float:
    """Return the extinction of dust, 1/m."""
    return _DUST_M2_MG * density_mg_m3


def rain(rate_mm_h: float) -> float:
    """Return the extinction of rain, 1/m."""
    return float(_PER_M * 1.076 * rate_mm_h**0.67) if rate_mm_h > 0 else 0.0


def snow(rate_mm_h: float, wavelength_nm: float, temperature_c: float) -> float:
    """Return the extinction of falling snow, 1/m."""
    if rate_mm_h <= 0:
        return 0.0
    if temperature_c >= 0:
        return float(_PER_M * (0.0001023 * wavelength_nm + 3.7855466) * rate_mm_h**0.72)
    return float(_PER_M * (0.0000542 * wavelength_nm + 5.4958776) * rate_mm_h**1.38)
