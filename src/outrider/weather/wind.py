"""Wind with gusts: the mean, and a random part that forgets with the length of a gust.

The random part is a first-order Gauss-Markov process in each direction, which is Dryden's spectrum
along the wind; across it Dryden's is of second order, here it is the same as along. Its time is the
length of a gust over the speed of the wind. All places feel the same gust at the same time.
"""

import math

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.weather.spec import WeatherSpec

_UPWARDS = 0.5  # of a gust's deviation, near the ground
_SLOWEST = 0.5  # m/s at which gusts pass, at least


def mean_wind(now: WeatherSpec) -> Array:
    """Return the mean velocity of the air: x east, y north."""
    angle = math.radians(now.wind_from_deg)
    return -now.wind_m_s * np.array([math.sin(angle), math.cos(angle), 0.0])


class Wind(DeclaredState):
    """The velocity of the air, step by step."""

    state_fields = ("_gust", "_random")

    def __init__(self, seed: int) -> None:
        self._random = generator(seed, "wind")
        self._gust = np.zeros(3)  # in deviations

    def step(self, now: WeatherSpec, dt: float) -> Array:
        """Return the air's velocity after one more step."""
        if now.gusts_m_s > 0:
            kept = math.exp(-dt * max(now.wind_m_s, _SLOWEST) / now.gust_length_m)
            fresh = self._random.standard_normal(3)
            self._gust = kept * self._gust + math.sqrt(1.0 - kept * kept) * fresh
        return self.velocity(now)

    def velocity(self, now: WeatherSpec) -> Array:
        """Return the air's velocity now."""
        swing = now.gusts_m_s * np.array([1.0, 1.0, _UPWARDS])
        out: Array = mean_wind(now) + swing * self._gust
        return out
