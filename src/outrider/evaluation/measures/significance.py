"""Whether two series of runs differ: Welch's t-test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Difference:
    """The second mean minus the first, and its p-value."""

    first: float
    second: float
    p: float | None  # None: too few runs to say

    @property
    def value(self) -> float:
        """The difference of the means."""
        return self.second - self.first

    @property
    def percent(self) -> float | None:
        """The difference in percent of the first mean."""
        return 100.0 * self.value / abs(self.first) if self.first else None

    @property
    def significant(self) -> bool:
        """Whether the p-value is below 5 %."""
        return self.p is not None and self.p < 0.05


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Compare two series, whose variance and size may differ (Welch 1947)."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    means = float(a.mean()), float(b.mean())
    if len(a) < 2 or len(b) < 2:
        return Difference(*means, None)
    error_a, error_b = float(a.var(ddof=1)) / len(a), float(b.var(ddof=1)) / len(b)
    whole = error_a + error_b
    if whole <= 1e-30 * max(means[0] ** 2, means[1] ** 2):  # every run gave the same
        return Difference(*means, 1.0 if math.isclose(*means, rel_tol=1e-12) else 0.0)
    freedom = whole**2 / (error_a**2 / (len(a) - 1) + error_b**2 / (len(b) - 1))
    t = (means[1] - means[0]) / math.sqrt(whole)
    return Difference(*means, _two_sided(t, freedom))


def _two_sided(t: float, freedom: float) -> float:
    """Return the share of Student's distribution beyond +-t."""
    return _incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _incomplete_beta(b, a, 1.0 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log_front + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, 300):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away(1.0 + term * d)
            c = _away(1.0 + term / c)
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front * fraction


def _away(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300
