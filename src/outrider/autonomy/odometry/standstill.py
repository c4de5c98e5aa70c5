"""Standstill detection: gravity and IMU biases can be measured then."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from outrider.autonomy.odometry.spec import StandstillSpec
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array


@dataclass(frozen=True, slots=True, eq=False)
class RestReadings:
    """Mean readings of an IMU at rest; ``sure`` unless waiting timed out."""

    acceleration: Array
    angular_velocity: Array
    sure: bool


class Standstill:
    """Watches an IMU until it has been at rest for a while."""

    def __init__(self, spec: StandstillSpec) -> None:
        self._spec = spec
        self._readings: deque[tuple[int, Array]] = deque()
        self._first_ns: int | None = None

    def take(
        self, time_ns: int, acceleration: Array, angular_velocity: Array
    ) -> RestReadings | None:
        """Add a reading; return the means after a rest or a timeout."""
        spec = self._spec
        if self._first_ns is None or time_ns < self._first_ns:
            self._first_ns = time_ns
            self._readings.clear()
        self._readings.append((time_ns, np.concatenate([acceleration, angular_velocity])))
        window_ns = round(spec.duration_s * NS_PER_S)
        while time_ns - self._readings[0][0] > window_ns:
            self._readings.popleft()
        waited_s = (time_ns - self._first_ns) / NS_PER_S
        if waited_s < spec.duration_s:
            return None
        values = np.array([reading for _, reading in self._readings])
        spread = values.std(axis=0)
        still = spread[:3].max() < spec.accel_spread and spread[3:].max() < spec.gyro_spread
        if not still and waited_s < spec.longest_wait_s:
            return None
        mean = values.mean(axis=0)
        return RestReadings(mean[:3], mean[3:], bool(still))
