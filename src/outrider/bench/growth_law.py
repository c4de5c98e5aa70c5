"""The law by which a cost grows with a size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array

_POWERS = np.arange(0.0, 3.001, 0.02)


@dataclass(frozen=True, slots=True)
class Law:
    """A cost of ``fixed + each * size ** power``."""

    fixed: float
    each: float
    power: float

    def __str__(self) -> str:
        """Return it as it is written in tables."""
        return f"{self.fixed:.3g} + {self.each:.3g} n^{self.power:.2f}"


def fitted(sizes: Sequence[float], costs: Sequence[float]) -> Law:
    """Return the law that is least off, in relation to each cost; nothing in it is negative."""
    n, cost = np.array(sizes, float), np.array(costs, float)

    def off(power: float) -> tuple[float, float, float, float]:
        terms = np.column_stack([np.ones(len(n)), n**power]) / cost[:, None]
        fixed, each = _shares(terms)
        error = np.linalg.norm(terms @ (fixed, each) - 1.0)
        return float(error), power, fixed, each

    # a power of 0 cannot be told from what is fixed
    _, power, fixed, each = min(off(float(power)) for power in _POWERS[1:])
    return Law(fixed, each, power)


def _shares(terms: Array) -> tuple[float, float]:
    """Return how much of two terms adds up to 1 in every row, as nearly as can be; none below 0."""
    fixed, each = np.linalg.lstsq(terms, np.ones(len(terms)), rcond=None)[0].tolist()
    if fixed < 0 or each < 0:
        keep = 1 if fixed < 0 else 0
        alone = terms[:, keep]
        share = float(alone.sum() / (alone @ alone))
        return (0.0, share) if keep else (share, 0.0)
    return fixed, each
