"""Summary statistics: the same keys for every measure."""

from collections.abc import Sequence

import numpy as np

from outrider.core.frames import Array


def summary(values: Array | Sequence[float]) -> dict[str, float]:
    """Return maximum, mean and median, as the tables of the field have them."""
    found = np.asarray(values, np.float64)
    return {
        "max": float(found.max()),
        "mean": float(found.mean()),
        "median": float(np.median(found)),
    }


def spread_of(values: Array | Sequence[float]) -> dict[str, float]:
    """Return evo's statistics: the summary, rmse, std, min and sse."""
    found = np.asarray(values, np.float64)
    squares = float((found**2).sum())
    return summary(found) | {
        "min": float(found.min()),
        "rmse": float(np.sqrt(squares / len(found))),
        "std": float(found.std()),
        "sse": squares,
    }
