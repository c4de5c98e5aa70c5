"""Where actors start: places on the ground that nothing stands in."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.actors.spec import Area
from outrider.core.errors import ConfigError
from outrider.core.frames import Array

_TRIES = 400  # of a free place, for each actor


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The world as far as starts are concerned."""

    where: str  # for errors
    stand: Callable[[float, float], float]  # the height of the ground; ConfigError for none
    is_free: Callable[[float, float], bool]

    def scattered(
        self, random: np.random.Generator, area: Area, count: int, apart: float, name: str
    ) -> Array:
        """Return free places (n, 2) in an area, so far apart."""
        low = np.array(area.centre) - 0.5 * np.array(area.size)
        found: list[Array] = []
        for _ in range(_TRIES * count):
            if len(found) == count:
                break
            place = low + random.uniform(size=2) * np.array(area.size)
            crowded = any(np.hypot(*(place - other)) < apart for other in found)
            if not crowded and self.is_free(float(place[0]), float(place[1])):
                found.append(place)
        if len(found) < count:
            raise ConfigError(
                f"{self.where}: actor '{name}': the area has free ground for {len(found)} of "
                f"{count}"
            )
        return np.array(found)


def spread(points: Array, count: int, loop: bool) -> Array:
    """Return starts x, y, yaw (n, 3) at equal distances along waypoints, the first at the first.

    All look along their leg.
    """
    corners = np.concatenate([points, points[:1]]) if loop else points
    ways = np.diff(corners, axis=0)
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    if not lengths.any():
        return np.tile([*points[0], 0.0], (count, 1))
    ends = np.cumsum(lengths)
    along = np.arange(count) * ends[-1] / count
    legs = np.searchsorted(ends, along, side="right")
    share = (along - (ends - lengths)[legs]) / lengths[legs]
    places = corners[legs] + share[:, None] * ways[legs]
    return np.column_stack([places, np.arctan2(ways[legs, 1], ways[legs, 0])])


def next_points(points: Array, starts: Array, loop: bool) -> NDArray[np.int64]:
    """Return the waypoint that each start leads to, by its number."""
    corners = np.concatenate([points, points[:1]]) if loop else points
    if len(corners) < 2:
        return np.zeros(len(starts), np.int64)
    a, b = corners[:-1], corners[1:]
    detour = (
        np.linalg.norm(starts[:, None, :2] - a, axis=-1)
        + np.linalg.norm(starts[:, None, :2] - b, axis=-1)
        - np.linalg.norm(b - a, axis=-1)
    )
    # where two legs meet, the later one: its first point is reached already
    legs = len(a) - 1 - np.argmin(np.round(detour, 6)[:, ::-1], axis=1)
    return np.asarray((legs + 1) % len(points), np.int64)
