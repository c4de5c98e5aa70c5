"""Contacts of one pair: gathered, and thinned to the few that hold a body as all of them would."""

import math
from typing import Any

import numpy as np

from outrider.core.compiled import compiled_part as compiled

ROOM = 96  # contacts that are gathered before they are thinned
MOST = 10  # contacts of a pair
_BETWEEN = 24  # kept when the room is full
_SAME = 0.002  # of the body's size: contacts closer than that, with the same normal, are one
DEPTH, POSITION, NORMAL, WIDTH = 0, 1, 4, 8  # a row; the last number is for thinning


@compiled
def add(
    rows: Any, count: int, depth: float, x: float, y: float, z: float, normal: Any, size: float
) -> int:  # pragma: no cover - compiled
    """Add a contact and return how many there are now."""
    if count == ROOM:
        count = thin(rows, count, _BETWEEN, size)
    row = rows[count]
    row[DEPTH], row[POSITION], row[POSITION + 1], row[POSITION + 2] = depth, x, y, z
    for k in range(3):
        row[NORMAL + k] = normal[k]
    return count + 1


@compiled
def thin(rows: Any, count: int, most: int, size: float) -> int:  # pragma: no cover - compiled
    """Keep the deepest contact, then always the one farthest from those kept."""
    if count < 2:
        return count
    for i in range(count):
        rows[i, WIDTH - 1] = np.inf
    chosen, best = 0, 0
    for i in range(1, count):
        if rows[i, DEPTH] > rows[best, DEPTH]:
            best = i
    least = (_SAME * size) ** 2
    while True:
        for k in range(WIDTH):
            rows[chosen, k], rows[best, k] = rows[best, k], rows[chosen, k]
        chosen += 1
        if chosen == most or chosen == count:
            return chosen
        farthest = -1.0
        for i in range(chosen, count):
            rows[i, WIDTH - 1] = min(rows[i, WIDTH - 1], _apart(rows[i], rows[chosen - 1], size))
            if rows[i, WIDTH - 1] > farthest:
                farthest, best = rows[i, WIDTH - 1], i
        if farthest < least:
            return chosen


@compiled
def _apart(one: Any, other: Any, size: float) -> float:  # pragma: no cover - compiled
    """Return how different two contacts are, as a square of metres."""
    found, turned = 0.0, 0.0
    for k in range(3):
        found += (one[POSITION + k] - other[POSITION + k]) ** 2
        turned += (one[NORMAL + k] - other[NORMAL + k]) ** 2
    return found + turned * size * size


@compiled
def unit(vector: Any) -> float:  # pragma: no cover - compiled
    """Make a vector one long; return how long it was."""
    length = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if length > 0.0:
        for k in range(3):
            vector[k] /= length
    return length
