"""Where actors start: places on the ground that nothing stands in."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.actors.spec import Area
from outrider.core.errors import ConfigError
from outrider.core.frames import Array

_CROWDED, _UNFIT = 4000, 400  # places, one after the other, that are taken or not free


@dataclass(frozen=True, slots=True, eq=False)
class StartPositions:
    """The world as far as starts are concerned."""

    where: str  # for errors
    stand: Callable[[float, float], float]  # the height of the ground; ConfigError for none
    is_free: Callable[[float, float], bool]

    def scattered(
        self, random: np.random.Generator, area: Area, count: int, apart: float, name: str
    ) -> Array:
        """Return free places (n, 2) in an area, so far apart."""
        low = np.array(area.centre) - 0.5 * np.array(area.size)
        found, count_found, crowded, unfit = np.empty((count, 2)), 0, 0, 0
        while count_found < count and crowded < _CROWDED and unfit < _UNFIT:
            place = low + random.uniform(size=2) * np.array(area.size)
            away = found[:count_found] - place
            if np.hypot(away[:, 0], away[:, 1]).min(initial=apart) < apart:
                crowded += 1
            elif not self.is_free(float(place[0]), float(place[1])):
                unfit += 1
            else:
                found[count_found], count_found = place, count_found + 1
                crowded = unfit = 0
        if count_found < count:
            raise self.fail(name, f"the area has free ground for {count_found} of {count}")
        return found

    def fail(self, name: str, complaint: str) -> ConfigError:
        """Return the error about one actor."""
        return ConfigError(f"{self.where}: actor '{name}': {complaint}")


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


def way_length(points: Array, loop: bool) -> float:
    """Return the length of a way along points."""
    corners = np.concatenate([points, points[:1]]) if loop else points
    return float(np.linalg.norm(np.diff(corners, axis=0), axis=1).sum())


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
