"""What an instrument shows: true values with its errors, and the time between readings."""

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.sensors.triad import Triad


class Gauge(DeclaredState):
    """One unit of an instrument with so many channels."""

    state_fields = ("_errors", "_last_ns", "values")

    def __init__(
        self, spec: Triad, random: np.random.Generator, rate_hz: float, size: int = 1
    ) -> None:
        self._errors = spec.errors(random, size)
        self._period_s = 1.0 / rate_hz
        self._last_ns = -1
        self.variance = spec.sigma(rate_hz) ** 2  # of the white noise
        self.values: Array = np.zeros(size)  # as shown last

    @property
    def value(self) -> float:
        """The value of the first channel."""
        return float(self.values[0])

    def since_last(self, now_ns: int) -> float:
        """Return how long ago the last reading was, in seconds; a period before the first."""
        return (now_ns - self._last_ns) * 1e-9 if self._last_ns >= 0 else self._period_s

    def show(self, true: Array | float, now_ns: int) -> None:
        """Take a reading of true values."""
        dt = self.since_last(now_ns)
        self._last_ns = now_ns
        self.values = self._errors.apply(np.atleast_1d(true), dt)
