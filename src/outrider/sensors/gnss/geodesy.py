"""Positions on the WGS-84 ellipsoid: degrees and metres to ECEF and local coordinates."""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.world.model import GeoOrigin

Geodetic = tuple[float, float, float]  # latitude and longitude in degrees, height in metres

_A = 6378137.0
_F = 1 / 298.257223563
_B = _A * (1 - _F)
_E2 = _F * (2 - _F)
_EP2 = _E2 / (1 - _E2)


def to_ecef(latitude_deg: float, longitude_deg: float, height_m: float) -> Array:
    """Return Earth-centred, Earth-fixed coordinates of a place."""
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    sin, cos = math.sin(latitude), math.cos(latitude)
    normal = _A / math.sqrt(1 - _E2 * sin * sin)
    across = (normal + height_m) * cos
    return np.array(
        [
            across * math.cos(longitude),
            across * math.sin(longitude),
            (normal * (1 - _E2) + height_m) * sin,
        ]
    )


def from_ecef(place: Array) -> Geodetic:
    """Return latitude, longitude and height of Earth-centred coordinates.

    Bowring's formula, repeated: from some thousand kilometres down to far out in space the second
    round leaves no error that a double can hold.
    """
    x, y, z = place.tolist()
    across = math.hypot(x, y)
    sin_u, cos_u = _unit(z * _A, across * _B)
    for _ in range(3):
        sin, cos = _unit(z + _EP2 * _B * sin_u**3, across - _E2 * _A * cos_u**3)
        sin_u, cos_u = _unit(_B * sin, _A * cos)
    # a height from both coordinates: dividing by one of them would fail at the poles or equator
    height = across * cos + z * sin - _A * math.sqrt(1 - _E2 * sin * sin)
    latitude, longitude = math.atan2(sin, cos), math.atan2(y, x)
    return math.degrees(latitude), math.degrees(longitude), height


def _unit(y: float, x: float) -> tuple[float, float]:
    length = math.hypot(x, y)
    return y / length, x / length


class LocalFrame:
    """A flat east-north-up frame at an origin: a world's own axes."""

    def __init__(self, origin: GeoOrigin) -> None:
        self._origin = to_ecef(origin.latitude_deg, origin.longitude_deg, origin.altitude_m)
        latitude, longitude = math.radians(origin.latitude_deg), math.radians(origin.longitude_deg)
        sin, cos = math.sin(latitude), math.cos(latitude)
        east, north = math.sin(longitude), math.cos(longitude)
        self.to_ecef_axes: Array = np.array(
            [
                [-east, -sin * north, cos * north],
                [north, -sin * east, cos * east],
                [0.0, cos, sin],
            ]
        )

    def geodetic(self, place: Array) -> Geodetic:
        """Return latitude, longitude and height of a place in the world."""
        return from_ecef(self._origin + self.to_ecef_axes @ place)

    def local(self, latitude_deg: float, longitude_deg: float, height_m: float) -> Array:
        """Return the place in the world of a latitude, longitude and height."""
        return self.from_ecef(to_ecef(latitude_deg, longitude_deg, height_m))

    def from_ecef(self, places: Array) -> Array:
        """Return the places (3,) or (n, 3) in the world of Earth-centred coordinates."""
        return (places - self._origin) @ self.to_ecef_axes
