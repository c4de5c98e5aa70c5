"""What stands first on the way of each car, found without looking any further."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array


@compiled
def first_met(
    places: Array,
    ends: NDArray[np.int64],
    cars: NDArray[np.int64],
    centres: Array,
    reaches: Array,
    owners: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # pragma: no cover - compiled
    """Return the first of a car's places (n, k, 2) that a circle reaches, or -1; and that circle.

    A car looks at so many places as ``ends`` says, and not at circles that it owns.
    """
    marks = np.full(places.shape[0], -1)
    circles = np.zeros(places.shape[0], np.int64)
    for i in range(places.shape[0]):
        for k in range(ends[i]):
            x, y = places[i, k]
            for j in range(len(centres)):
                if owners[j] == cars[i]:
                    continue
                if math.hypot(x - centres[j, 0], y - centres[j, 1]) < reaches[j]:
                    marks[i], circles[i] = k, j
                    break
            if marks[i] >= 0:
                break
    return marks, circles
