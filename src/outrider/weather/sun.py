"""Where the sun stands: computed by ``astral`` (NOAA's solar equations)."""

import math
from datetime import UTC, datetime, timedelta

import numpy as np
from astral import Observer
from astral.sun import azimuth, elevation

from outrider.core.frames import Array
from outrider.weather.spec import WeatherSpec


def moment(spec: WeatherSpec, longitude_deg: float, later_s: float = 0.0) -> datetime:
    """Return the instant in UTC; without an offset noon is when the mean sun is highest."""
    offset_h = longitude_deg / 15.0 if spec.utc_offset_h is None else spec.utc_offset_h
    day = datetime(spec.year, spec.month, spec.day, tzinfo=UTC)
    return day + timedelta(hours=(spec.hour or 0.0) - offset_h, seconds=later_s)


def sun_angles(latitude_deg: float, longitude_deg: float, when: datetime) -> tuple[float, float]:
    """Return azimuth (from north, clockwise) and true elevation of the sun's centre, degrees."""
    place = Observer(latitude_deg, longitude_deg, 0.0)
    return azimuth(place, when), elevation(place, when, with_refraction=False)


def towards_sun(azimuth_deg: float, elevation_deg: float) -> Array:
    """Return the unit vector to the sun: x east, y north, z up."""
    a, e = math.radians(azimuth_deg), math.radians(elevation_deg)
    return np.array([math.cos(e) * math.sin(a), math.cos(e) * math.cos(a), math.sin(e)])
