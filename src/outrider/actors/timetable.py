"""Waypoints with times: where one is at any time, whatever is in the way."""

from itertools import pairwise

import numpy as np

from outrider.core.frames import Array


class Timetable:
    """Straight legs at constant speeds; in a loop, back to the first point at the mean speed."""

    def __init__(self, points: Array, times: tuple[float, ...], loop: bool) -> None:
        self._points, self._times = points, np.array(times) - times[0]
        self._delay, self._loop = times[0], loop and len(points) > 1
        length = sum(float(np.hypot(*(b - a))) for a, b in pairwise(points))
        back = float(np.hypot(*(points[0] - points[-1])))
        if self._loop and back > 1e-6:
            seconds = back * float(self._times[-1]) / length
            self._points = np.concatenate([points, points[:1]])
            self._times = np.append(self._times, self._times[-1] + seconds)

    def place(self, time_s: float) -> Array:
        """Return x and y at a time."""
        now = max(0.0, time_s - self._delay)
        if self._loop:
            now %= float(self._times[-1])
        return np.array([np.interp(now, self._times, self._points[:, k]) for k in range(2)])
