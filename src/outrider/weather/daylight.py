"""Light from the sun and the sky, by the sun's height, clouds and fog.

* Sun: 127.5 klx outside the atmosphere, less ``exp(-0.21 m)`` (Illuminating Engineering Society,
  RP-21) with the air mass m of F. Kasten and A. T. Young (Appl. Opt. 28, 4735, 1989). Its colour is
  what Rayleigh scattering and a little haze leave at 610, 550 and 465 nm of one in the zenith,
  which is white.
* Sky: 0.8 + 15.5 sqrt(sin h) klx on level ground if clear, 0.3 + 21 sin h if overcast (RP-21).
  Below the horizon 800 lx at 0, 3.4 at -6, 0.008 at -12 and 0.0006 at -18 degrees.
* Clouds take their share of the sun, and mix the two skies. Rain and snow bring clouds.
* Fog and dust, a layer of 120 m, take from the sun and give half of it back from all sides.

Colours of the sky are as pictures of it look, not computed.
"""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.weather.extinction import dust, fog
from outrider.weather.spec import WeatherSpec
from outrider.weather.sun import moment, sun_angles, towards_sun

_OUTSIDE_LX, _OPTICAL_DEPTH = 127_500.0, 0.21
_CHANNEL_UM = np.array([0.610, 0.550, 0.465])
_EYE = np.array([0.2126, 0.7152, 0.0722])
_TWILIGHT_DEG = (-18.0, -12.0, -6.0, 0.0)
_TWILIGHT_LX = (0.0006, 0.008, 3.4, 800.0)
_LAYER_M = 120.0
_OBLIQUE = 6.0  # how much longer the way through the layer is towards the horizon
_OVERCAST = np.array([0.50, 0.53, 0.56]), np.array([0.66, 0.68, 0.69])  # zenith, horizon; linear
_FOG, _DUST = np.array([0.58, 0.60, 0.61]), np.array([0.50, 0.34, 0.17])
_HEIGHTS_DEG = (-18.0, -6.0, -3.0, 0.0, 6.0, 25.0)
_ZENITH = np.array(  # linear, under a white that is just white; the last is the world's own
    [
        [0.03, 0.05, 0.16],
        [0.06, 0.11, 0.35],
        [0.08, 0.14, 0.40],
        [0.10, 0.18, 0.44],
        [0.14, 0.27, 0.58],
        [0.0, 0.0, 0.0],
    ]
)
_HORIZON = np.array(
    [
        [0.06, 0.08, 0.20],
        [0.38, 0.24, 0.26],
        [0.75, 0.38, 0.24],
        [0.85, 0.48, 0.28],
        [0.80, 0.66, 0.50],
        [0.0, 0.0, 0.0],
    ]
)
_GLOW = np.array(
    [
        [0.0, 0.0, 0.0],
        [0.45, 0.12, 0.02],
        [0.80, 0.30, 0.06],
        [1.00, 0.45, 0.12],
        [0.55, 0.40, 0.20],
        [0.10, 0.09, 0.08],
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class Daylight:
    """Illuminance in lx per channel, and the colours of the sky where level white is just white."""

    towards: Array  # the sun
    elevation_deg: float
    sun_lx: Array  # (3,), on a surface that faces it
    sky_lx: Array  # (3,), on level ground
    zenith: Array  # (3,), linear
    horizon: Array
    glow: Array  # around the sun
    disc: bool  # whether the sun itself is seen

    @property
    def level_lx(self) -> Array:
        """What falls on level ground."""
        level: Array = self.sky_lx + self.sun_lx * max(float(self.towards[2]), 0.0)
        return level


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What weather leaves of the sun, and how much of the sky it hides; for any light."""

    clouds: float
    layer: float  # share of the sun's light that passes fog and dust
    zenith: float  # share of the sky hidden by them
    horizon: float
    colour: Array  # of what hides it, linear

    @property
    def sun(self) -> float:
        """The share of the sun's light that arrives straight."""
        return (1.0 - self.clouds) * self.layer

    def hide(self, zenith: Array, horizon: Array) -> tuple[Array, Array]:
        """Return the colours of a sky behind clouds, fog and dust."""
        zenith, horizon = (
            clear + self.clouds * (grey - clear)
            for clear, grey in zip((zenith, horizon), _OVERCAST, strict=True)
        )
        zenith = zenith + self.zenith * (self.colour - zenith)
        return zenith, horizon + self.horizon * (self.colour - horizon)


def cover_of(now: WeatherSpec, air_mass: float) -> Cover:
    """Return how clouds, fog and dust stand before the sky."""
    wet = now.rain_mm_h + now.snow_mm_h
    clouds = max(now.clouds, 1.0 - math.exp(-wet))
    white, brown = fog(now.visibility_m), dust(now.dust_mg_m3)
    depth, both = _LAYER_M * (white + brown), max(white + brown, 1e-12)
    colour = (white * _FOG + brown * _DUST) / both
    up, along = (1.0 - math.exp(-depth * way) for way in (1.0, _OBLIQUE))
    return Cover(clouds, math.exp(-depth * air_mass), up, along, colour)


def daylight(
    now: WeatherSpec,
    latitude_deg: float,
    longitude_deg: float,
    own_sky: tuple[Array, Array],
    later_s: float = 0.0,
) -> Daylight:
    """Return the light at a place and time; ``own_sky`` is zenith and horizon of a clear day."""
    when = moment(now, longitude_deg, later_s)
    azimuth, height = sun_angles(latitude_deg, longitude_deg, when)
    cover = cover_of(now, min(_air_mass(height), 10.0))
    straight = _sun_lx(height)
    level = math.sin(math.radians(max(height, 0.0)))
    scattered = 0.5 * straight.mean() * level * (1.0 - cover.layer) * (1.0 - cover.clouds)
    diffuse = (1 - cover.clouds) * _sky_lx(height, overcast=False)
    diffuse += cover.clouds * _sky_lx(height, overcast=True) + scattered + now.night_lux
    zenith, horizon, glow = _sky_colours(height, own_sky)
    zenith, horizon = cover.hide(zenith, horizon)
    tint = _tint(0.5 * (zenith + horizon))
    return Daylight(
        towards=towards_sun(azimuth, height),
        elevation_deg=height,
        sun_lx=straight * cover.sun,
        sky_lx=diffuse * tint,
        zenith=zenith,
        horizon=horizon,
        glow=glow * cover.sun**2,
        disc=height > -0.3 and cover.sun > 0.05,
    )


def _air_mass(height_deg: float) -> float:
    h = max(height_deg, 0.0)
    return float(1.0 / (math.sin(math.radians(h)) + 0.50572 * (h + 6.07995) ** -1.6364))


def _sun_lx(height_deg: float) -> Array:
    """Return what a surface that faces the sun gets from it, lx per channel."""
    if height_deg < -0.3:  # its disc is below the horizon
        return np.zeros(3)
    mass = _air_mass(height_deg)
    depth = 0.008735 * _CHANNEL_UM**-4.08 + 0.03 * _CHANNEL_UM**-1.3
    left = np.exp((1.0 - mass) * (depth - depth[1]))
    out: Array = _OUTSIDE_LX * math.exp(-_OPTICAL_DEPTH * mass) * left / float(_EYE @ left)
    return out


def _sky_lx(height_deg: float, *, overcast: bool) -> float:
    if height_deg >= 0:
        sine = math.sin(math.radians(height_deg))
        return 300.0 + 21_000.0 * sine if overcast else 800.0 + 15_500.0 * math.sqrt(sine)
    logs = np.log(_TWILIGHT_LX)
    lux = math.exp(float(np.interp(height_deg, _TWILIGHT_DEG, logs)))
    return 0.375 * lux if overcast else lux


def _sky_colours(height_deg: float, own: tuple[Array, Array]) -> tuple[Array, Array, Array]:
    zenith, horizon = _ZENITH.copy(), _HORIZON.copy()
    zenith[-1], horizon[-1] = own
    return _at(height_deg, zenith), _at(height_deg, horizon), _at(height_deg, _GLOW)


def _at(height_deg: float, rows: Array) -> Array:
    return np.array([np.interp(height_deg, _HEIGHTS_DEG, column) for column in rows.T])


def _tint(colour: Array) -> Array:
    """Return a pale hue of a colour, of unit brightness."""
    hue = 0.6 + 0.4 * colour / max(float(_EYE @ colour), 1e-9)
    out: Array = hue / float(_EYE @ hue)
    return out
