"""Polylines: distances from them, and positions along them."""

from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array


@dataclass(frozen=True, slots=True, eq=False)
class Polyline:
    """Points (n, 2) joined by straight lines."""

    points: Array

    @classmethod
    def of(cls, points: tuple[tuple[float, float], ...], where: str) -> "Polyline":
        """Return the line through points of a file, rounded at its corners."""
        corners = np.array(points, np.float64).reshape(-1, 2)
        if len(corners) < 2:
            raise ConfigError(f"{where}.points: expected at least two points, got {len(corners)}")
        return cls(_rounded(_rounded(corners)))

    @property
    def along(self) -> Array:
        """How far each point is from the first one, along the line."""
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def near(self, x: Array, y: Array, reach: float) -> tuple[Array, Array]:
        """Return distances (n, m) on a grid and lengths along the line; inf farther than reach."""
        distance = np.full((len(x), len(y)), np.inf)
        place = np.zeros((len(x), len(y)))
        along = self.along
        for i in range(len(self.points) - 1):
            _keep_nearer(
                self.points[i],
                self.points[i + 1],
                along[i],
                x=x,
                y=y,
                reach=reach,
                distance=distance,
                place=place,
            )
        distance[distance > reach] = np.inf
        return distance, place

    def distances(self, points: Array) -> Array:
        """Return how far points (n, 2) are from the line."""
        best = np.full(len(points), np.inf)
        for a, b in zip(self.points[:-1], self.points[1:], strict=True):
            step = b - a
            share = np.clip((points - a) @ step / max(float(step @ step), 1e-30), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(points - a - share[:, None] * step, axis=1))
        return best


def _keep_nearer(
    a: Array,
    b: Array,
    start: float,
    x: Array,
    y: Array,
    reach: float,
    distance: Array,
    place: Array,
) -> None:
    """Work one leg of the line into the grids of distances and places, around it only."""
    low, high = np.minimum(a, b) - reach, np.maximum(a, b) + reach
    rows = slice(*np.searchsorted(x, [low[0], high[0]]).tolist())
    columns = slice(*np.searchsorted(y, [low[1], high[1]]).tolist())
    from_a = x[rows, None] - a[0], y[None, columns] - a[1]
    step = b - a
    length = float(np.hypot(*step))
    share = (from_a[0] * step[0] + from_a[1] * step[1]) / max(length * length, 1e-30)
    share = np.clip(share, 0.0, 1.0)
    apart = np.hypot(from_a[0] - share * step[0], from_a[1] - share * step[1])
    nearer = apart < distance[rows, columns]
    distance[rows, columns][nearer] = apart[nearer]
    place[rows, columns][nearer] = (start + share * length)[nearer]


def _rounded(points: Array) -> Array:
    """Cut each corner at a quarter of its sides (Chaikin), so that roads do not break off."""
    if len(points) < 3:
        return points
    a, b = points[:-1], points[1:]
    cut = np.stack([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b], axis=1).reshape(-1, 2)
    return np.concatenate([points[:1], cut[1:-1], points[-1:]])
