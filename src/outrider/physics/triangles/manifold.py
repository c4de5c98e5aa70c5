"""Contacts of one pair: gathered, and thinned to the few that hold a body as all of them would."""

import math

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array

CAPACITY = 96  # contacts that are gathered before they are thinned
MOST = 10  # contacts of a pair
_BETWEEN = 24  # kept when it is full
_SAME = 0.002  # of the body's size: contacts closer than that, with the same normal, are one
_OPPOSED = -0.5  # cosine between normals of two contacts that squeeze a body
_PLAIN = 0.3  # sine: from there on a body's middle is plainly before a triangle
_JAMMED = 1e-3  # m: deeper than that between two walls, a body is led out
_LOCKED = -0.2  # cosine between normals of walls from where on friction of 0.8 locks a body
_LOCKED_BY_THREE = 0.1  # the same, of each two of three walls
_SLOWLY = 0.4  # no faster than as if walls led away from each other so fast: nothing is thrown
_PARALLEL = 0.03  # sine of half the angle between walls: less of it opens nowhere
DEPTH, POSITION, NORMAL, FRONT = 0, 1, 4, 7  # a row
WAY, WIDTH = 8, 12  # three numbers out of a wedge; the last number of a row is for thinning


@compiled
def add(
    rows: Array, count: int, depth: float, point: Array, along: float, normal: Array, size: float
) -> int:  # pragma: no cover - compiled
    """Add a contact, so far from a point along the normal; return how many there are now."""
    if count == CAPACITY:
        count = thin(rows, count, _BETWEEN, size)
    row = rows[count]
    row[DEPTH] = depth
    for k in range(3):
        row[POSITION + k] = point[k] + along * normal[k]
        row[NORMAL + k] = normal[k]
    row[FRONT] = np.nan
    return count + 1


@compiled
def note_front(rows: Array, count: int, front: float) -> None:  # pragma: no cover - compiled
    """Write how far new contacts' triangle has the body before it: a sine, seen from the middle."""
    for i in range(count):
        if rows[i, FRONT] != rows[i, FRONT]:
            rows[i, FRONT] = front


@compiled
def release(rows: Array, count: int) -> int:  # pragma: no cover - compiled
    """Drop contacts that squeeze a body against others, as both leaves of a fold inside it do.

    Of two that push against each other the one goes that has the body's middle less before it,
    if that is hardly before it at all: between two walls, both stay.
    """
    for i in range(count):
        gone = False
        for j in range(count):
            if rows[i, FRONT] < _PLAIN and rows[j, FRONT] > rows[i, FRONT]:
                along = 0.0
                for k in range(3):
                    along += rows[i, NORMAL + k] * rows[j, NORMAL + k]
                gone = gone or (along < _OPPOSED and not _between(rows[i], rows[j]))
        rows[i, WIDTH - 1] = 1.0 if gone else 0.0
    return keep_unmarked(rows, count)


@compiled
def _between(one: Array, other: Array) -> bool:  # pragma: no cover - compiled
    """Tell whether two contacts are walls with a body between: each is before the other.

    And farther than the body is in either: leaves of a fold are behind each other, or one.
    """
    ahead, back = 0.0, 0.0
    for k in range(3):
        way = (one[POSITION + k] + 0.5 * one[DEPTH] * one[NORMAL + k]) - (
            other[POSITION + k] + 0.5 * other[DEPTH] * other[NORMAL + k]
        )
        ahead += way * other[NORMAL + k]
        back -= way * one[NORMAL + k]
    apart: bool = min(ahead, back) > max(one[DEPTH], other[DEPTH])
    return apart


@compiled
def keep_unmarked(rows: Array, count: int) -> int:  # pragma: no cover - compiled
    """Drop the contacts whose last number is not 0; return how many are left."""
    kept = 0
    for i in range(count):
        if rows[i, WIDTH - 1] == 0.0:
            for k in range(WIDTH):
                rows[kept, k] = rows[i, k]
            kept += 1
    return kept


@compiled
def lead_out(rows: Array, count: int) -> None:  # pragma: no cover - compiled
    """Turn contacts deep in a wedge to where it opens.

    An impact drives a body between two walls deeper than stiff ones would let it, and friction on
    both would hold it there for good.
    """
    for i in range(count):
        rows[i, WIDTH - 1] = _opening(rows, count, i)
    for i in range(count):
        rate = rows[i, WIDTH - 1]
        if rate > 0.0:
            rows[i, DEPTH] /= max(rate, _SLOWLY)
            for k in range(3):
                rows[i, NORMAL + k] = rows[i, WAY + k]


@compiled
def _opening(rows: Array, count: int, i: int) -> float:  # pragma: no cover - compiled
    """Write the way out between a contact's wall and the one or two most against it.

    Return how fast that way leads away from the walls, or 0 if there is no wedge. Friction locks
    three walls at right angles as well: a corner of a block, or of a pit.
    """
    if rows[i, DEPTH] < _JAMMED:
        return 0.0
    way = rows[i, WAY : WAY + 3]
    other = _most_against(rows, count, i, i)
    along = _along(rows, i, other)
    for k in range(3):
        way[k] = rows[i, NORMAL + k] + rows[other, NORMAL + k]
    if along < _LOCKED:
        rate = unit(way) / 2.0  # of the sum of two unit vectors
        return rate if rate > _PARALLEL else 0.0
    third = _most_against(rows, count, i, other)
    beside, across = _along(rows, i, third), _along(rows, other, third)
    if max(along, beside, across) >= _LOCKED_BY_THREE:
        return 0.0
    for k in range(3):
        way[k] += rows[third, NORMAL + k]
    return (1.0 + min(along + beside, along + across, beside + across)) / unit(way)


@compiled
def _most_against(rows: Array, count: int, i: int, j: int) -> int:  # pragma: no cover - compiled
    """Return the contact whose wall faces those of two others least."""
    least, found = np.inf, i
    for k in range(count):
        along = max(_along(rows, i, k), _along(rows, j, k))
        if along < least:
            least, found = along, k
    return found


@compiled
def _along(rows: Array, i: int, j: int) -> float:  # pragma: no cover - compiled
    """Return the cosine between the normals of two contacts."""
    found = 0.0
    for k in range(3):
        found += rows[i, NORMAL + k] * rows[j, NORMAL + k]
    return found


@compiled
def thin(rows: Array, count: int, most: int, size: float) -> int:  # pragma: no cover - compiled
    """Keep the deepest contact, then always the one farthest from those kept."""
    if count < 2:
        return count
    best = 0
    for i in range(count):
        rows[i, WIDTH - 1] = np.inf
        if rows[i, DEPTH] > rows[best, DEPTH]:
            best = i
    chosen, far = 0, np.inf
    while chosen < min(most, count) and far > (_SAME * size) ** 2:
        for k in range(WIDTH):
            rows[chosen, k], rows[best, k] = rows[best, k], rows[chosen, k]
        chosen += 1
        best, far = _farthest(rows, chosen, count, size)
    return chosen


@compiled
def _farthest(
    rows: Array, chosen: int, count: int, size: float
) -> tuple[int, float]:  # pragma: no cover
    """Return which of the other contacts is farthest from those chosen, and how far."""
    best, far = chosen, -1.0
    for i in range(chosen, count):
        rows[i, WIDTH - 1] = min(rows[i, WIDTH - 1], _apart(rows[i], rows[chosen - 1], size))
        if rows[i, WIDTH - 1] > far:
            best, far = i, rows[i, WIDTH - 1]
    return best, far


@compiled
def _apart(one: Array, other: Array, size: float) -> float:  # pragma: no cover - compiled
    """Return how different two contacts are, as a square of metres."""
    found, turned = 0.0, 0.0
    for k in range(3):
        found += (one[POSITION + k] - other[POSITION + k]) ** 2
        turned += (one[NORMAL + k] - other[NORMAL + k]) ** 2
    return found + turned * size * size


@compiled
def unit(vector: Array) -> float:  # pragma: no cover - compiled
    """Make a vector one long; return how long it was."""
    length = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if length > 0.0:
        for k in range(3):
            vector[k] /= length
    return length
