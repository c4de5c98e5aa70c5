"""The law by which a cost grows with a size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

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
        (fixed, each), error = nnls(terms, np.ones(len(n)))
        return float(error), power, float(fixed), float(each)

    # the sizes of a power of 0 cannot be told from what is fixed; the least power is the simplest
    _, power, fixed, each = min(off(float(power)) for power in _POWERS[1:])
    return Law(fixed, each, power)
