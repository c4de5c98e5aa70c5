"""Allan deviation, overlapping, from its definition."""

import numpy as np

from outrider.core.frames import Array


def allan_deviation(rate: Array, dt: float, taus: list[float]) -> Array:
    """Return the deviations (len(taus),) of samples (n, axes), as the mean over the axes."""
    angle = np.vstack([np.zeros((1, rate.shape[1])), np.cumsum(rate, axis=0) * dt])
    out = []
    for tau in taus:
        m = round(tau / dt)
        second = angle[2 * m :] - 2 * angle[m:-m] + angle[: -2 * m]
        out.append(np.sqrt((second**2).mean() / (2 * (m * dt) ** 2)))
    return np.array(out)
