"""Navigation satellites above a position: their directions and their dilution of precision."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.sensors.gnss.geodesy import LocalFrame
from outrider.world.model import GeoOrigin

_PLANES = 6
_RADIUS_M = 26_560_000.0
_INCLINATION = math.radians(55.0)
_ORBIT_RAD_S = 2 * math.pi / 43_082.0  # half a sidereal day
_EARTH_RAD_S = 7.2921151467e-5


class Sky:
    """A constellation like GPS: circular orbits in six planes, with satellites unevenly spaced.

    It depends only on its own seed and the world's origin: all receivers see the same satellites.
    """

    def __init__(self, origin: GeoOrigin, satellites: int, seed: int) -> None:
        random = generator(seed, "sky")
        number = np.arange(satellites)
        in_plane = number // _PLANES + random.uniform(-0.3, 0.3, satellites)
        per_plane = math.ceil(satellites / _PLANES)
        self._node = 2 * math.pi * ((number % _PLANES) / _PLANES + random.random())
        self._phase = 2 * math.pi * (in_plane / per_plane + (number % _PLANES) * 0.15)
        self._frame = LocalFrame(origin)

    def directions(self, time_s: float) -> Array:
        """Return unit vectors (n, 3) to all satellites, east, north, up; many are below ground."""
        along = self._phase + _ORBIT_RAD_S * time_s
        node = self._node - _EARTH_RAD_S * time_s
        flat = np.sin(along) * math.cos(_INCLINATION)
        places = _RADIUS_M * np.column_stack(
            [
                np.cos(node) * np.cos(along) - np.sin(node) * flat,
                np.sin(node) * np.cos(along) + np.cos(node) * flat,
                np.sin(along) * math.sin(_INCLINATION),
            ]
        )
        local = self._frame.from_ecef(places)
        return np.asarray(local / np.linalg.norm(local, axis=1, keepdims=True))


def above(directions: Array, mask_deg: float) -> NDArray[np.bool_]:
    """Return which directions are above an elevation."""
    return np.asarray(directions[:, 2] > math.sin(math.radians(mask_deg)))


def cofactors(directions: Array) -> Array | None:
    """Return how range errors become errors of a fix (4, 4: east, north, up, clock), if they do.

    Its diagonal holds the squares of the dilutions of precision.
    """
    if len(directions) < 4:
        return None
    design = np.column_stack([-directions, np.ones(len(directions))])
    normal = design.T @ design
    if np.linalg.det(normal) < 1e-9:  # satellites in one line or on one cone
        return None
    return np.asarray(np.linalg.inv(normal))
