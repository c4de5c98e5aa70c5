"""Sizes by a power law, as of rocks and craters."""

import numpy as np

from outrider.core.frames import Array


def law_sizes(
    random: np.random.Generator, count: int, smallest: float, largest: float, law: float
) -> Array:
    """Return random sizes: the number larger than s falls with s to the power of ``law``.

    With a law of zero all sizes from smallest to largest are as frequent.
    """
    share = random.random(count)
    if law == 0 or smallest == largest:
        return smallest + (largest - smallest) * share
    low, high = smallest**-law, largest**-law
    sizes: Array = (low - share * (low - high)) ** (-1.0 / law)
    return sizes
