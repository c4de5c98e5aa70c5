"""Rotation between two times, from gyroscope readings."""

from collections import deque
from itertools import pairwise

import numpy as np

from outrider.autonomy.poses import from_rotation_vector
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, conjugate, multiply, rotation_vector

_KNOTS = 11
_KEPT_NS = 2 * NS_PER_S
_AWAITED_NS = NS_PER_S // 10  # who is silent for longer is not waited for


class GyroTrack:
    """Keeps recent readings in the robot's axes; without any, no rotation is assumed."""

    def __init__(self) -> None:
        self.offset = np.zeros(3)
        self._readings: deque[tuple[int, Array]] = deque()

    def take(self, time_ns: int, angular_velocity: Array) -> None:
        """Add a reading."""
        if self._readings and time_ns <= self._readings[-1][0]:
            self._readings.clear()
        self._readings.append((time_ns, angular_velocity))
        while time_ns - self._readings[0][0] > _KEPT_NS:
            self._readings.popleft()

    def covers(self, time_ns: int) -> bool:
        """Return whether a time is known, or will not be: readings that still come are awaited."""
        if not self._readings:
            return True
        return not 0 < time_ns - self._readings[-1][0] < _AWAITED_NS

    def turns(self, start_ns: int, end_ns: int) -> tuple[Array, Array]:
        """Return times (k,) from start to end, and rotation vectors (k, 3) relative to the end.

        The last is zero; the first takes directions at the start into the frame at the end.
        """
        times = np.linspace(start_ns, end_ns, _KNOTS)
        if len(self._readings) < 2 or end_ns <= start_ns:
            return times, np.zeros((_KNOTS, 3))
        known = np.array([t for t, _ in self._readings], float)
        values = np.array([w for _, w in self._readings])
        rates = np.stack([np.interp(times, known, values[:, i]) for i in range(3)], axis=1)
        rates -= self.offset
        dt = (end_ns - start_ns) / NS_PER_S / (_KNOTS - 1)
        turns = [np.array([0.0, 0.0, 0.0, 1.0])]
        for before, after in pairwise(rates):
            turns.append(multiply(turns[-1], from_rotation_vector(0.5 * (before + after) * dt)))
        back = conjugate(turns[-1])
        return times, np.array([rotation_vector(multiply(back, turn)) for turn in turns])
