"""Heights of the ground under actors, and how quickly they follow it."""

import numpy as np

from outrider.actors.surroundings import Ground
from outrider.core.frames import Array

STEP_UP = 0.6  # m: what is higher above their feet is no ground to them
_CLIMB = 2.0  # m/s at most, up or down a step


def followed(ground: Ground, places: Array, heights: Array, seconds: float) -> Array:
    """Return heights after some time: towards the ground below places (n, 2), no faster than so."""
    below = ground(places, heights + STEP_UP)
    change = np.where(np.isnan(below), 0.0, below - heights)
    limit = _CLIMB * seconds
    moved: Array = heights + np.clip(change, -limit, limit)
    return moved
