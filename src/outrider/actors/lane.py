"""A lane: a smooth line through points, with speed limits, measured along its length."""

import numpy as np

from outrider.actors.spec import CarSpec
from outrider.core.frames import Array

_ROUNDED = 8.0  # m before and after a corner at most, that the curve takes
_SAMPLE = 0.5  # m
_SIDEWAYS = 1.8  # m/s^2 in a curve
BRAKING = 1.8  # m/s^2, for what is known in advance


class TrafficLane:
    """The middle of a lane; places on it are metres from its first point."""

    def __init__(self, spec: CarSpec) -> None:
        self.loop = spec.loop
        self.line, limits = _rounded(spec)
        legs = np.linalg.norm(np.diff(self.line, axis=0), axis=1)
        self.marks = np.concatenate([[0.0], np.cumsum(legs)])
        self.length = float(self.marks[-1])
        count = max(8, round(self.length / _SAMPLE))
        self.along = np.linspace(0.0, self.length, count + 1)
        self._places = np.stack([np.interp(self.along, self.marks, c) for c in self.line.T], axis=1)
        self._yaw = self._headings()
        self._bend = np.gradient(self._yaw, self.along)
        legs_of = np.clip(np.searchsorted(self.marks, self.along, "right") - 1, 0, len(limits) - 1)
        self._limit = self._limits(limits[legs_of])

    def _headings(self) -> Array:
        """Return where the lane points, without jumps."""
        around = self._places
        if self.loop:
            around = np.concatenate([around[-2:-1], around, around[1:2]])
        way = np.gradient(around, axis=0)
        yaw: Array = np.unwrap(np.arctan2(way[:, 1], way[:, 0]))
        return yaw[1:-1] if self.loop else yaw

    def _limits(self, limit: Array) -> Array:
        """Return speeds that curves, and braking for slower places ahead, allow."""
        speed = np.minimum(limit, np.sqrt(_SIDEWAYS / np.maximum(np.abs(self._bend), 1e-6)))
        step = self.along[1]
        for _ in range(2 if self.loop else 1):
            for i in range(len(speed) - 2, -1, -1):
                speed[i] = min(speed[i], np.sqrt(speed[i + 1] ** 2 + 2 * BRAKING * step))
            if self.loop:
                speed[-1] = min(speed[-1], speed[0])
        return speed

    def wrapped(self, along: Array) -> Array:
        """Return places within the length."""
        if self.loop:
            return np.remainder(along, self.length)
        return np.clip(along, 0.0, self.length)

    def places(self, along: Array) -> Array:
        """Return x, y (..., 2)."""
        s = self.wrapped(along)
        return np.stack([np.interp(s, self.along, self._places[:, k]) for k in range(2)], axis=-1)

    def headings(self, along: Array) -> Array:
        """Return where the lane points."""
        heading: Array = np.interp(self.wrapped(along), self.along, self._yaw)
        return heading

    def bends(self, along: Array) -> Array:
        """Return curvatures (1/m), positive to the left."""
        bend: Array = np.interp(self.wrapped(along), self.along, self._bend)
        return bend

    def limits(self, along: Array) -> Array:
        """Return how fast one may be."""
        limit: Array = np.interp(self.wrapped(along), self.along, self._limit)
        return limit

    def ahead(self, along: Array, mark: float) -> Array:
        """Return how far it is to a mark; what is behind is negative, up to half a loop."""
        away: Array = mark - along
        if self.loop:
            away = np.remainder(away + 0.5 * self.length, self.length) - 0.5 * self.length
        return away

    def nearest(self, x: float, y: float) -> float:
        """Return the mark nearest to a point."""
        off = np.hypot(self._places[:, 0] - x, self._places[:, 1] - y)
        return float(self.along[np.argmin(off)])


def _rounded(spec: CarSpec) -> tuple[Array, Array]:
    """Return a line with its corners rounded (by a parabola), and the limit from each point on."""
    points = _distinct(spec)
    count = len(points)
    limits = spec.speeds or (spec.speed,) * count
    line: list[Array] = []
    speeds: list[float] = []
    for i, here in enumerate(points):
        if spec.loop or 0 < i < count - 1:
            curve = _corner(points[i - 1], here, points[(i + 1) % count])
        else:
            curve = here[None]
        slower = min(limits[i - 1], limits[i % len(limits)])
        line += list(curve)
        speeds += [slower] * (len(curve) - 1) + [limits[i % len(limits)]]
    if spec.loop:
        return np.array([*line, line[0]]), np.array(speeds)
    return np.array(line), np.array(speeds[:-1])


def _distinct(spec: CarSpec) -> Array:
    """Return the points without one that repeats the one before, as a closed loop's last does."""
    points = np.array(spec.points, float)
    if spec.loop and np.array_equal(points[0], points[-1]):
        points = points[:-1]
    return points


def _corner(before: Array, here: Array, after: Array) -> Array:
    """Return points of a curve about a corner, from one leg to the other."""
    into, out = here - before, after - here
    a, b = float(np.linalg.norm(into)), float(np.linalg.norm(out))
    if a == 0.0 or b == 0.0 or abs(into[0] * out[1] - into[1] * out[0]) < 1e-6 * a * b:
        return here[None]
    reach = min(_ROUNDED, 0.45 * a, 0.45 * b)
    start, end = here - into / a * reach, here + out / b * reach
    t = np.linspace(0.0, 1.0, 13)[:, None]
    curve: Array = (1 - t) ** 2 * start + 2 * t * (1 - t) * here + t * t * end
    return curve
