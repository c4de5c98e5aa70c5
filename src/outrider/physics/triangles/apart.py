"""Which triangles a body plainly does not touch: tests far cheaper than to cut a triangle.

They are on the safe side, so that contacts are the same without them.
"""

import math

import numpy as np

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles.facet import find_normal, height
from outrider.physics.triangles.shapes import CAPSULE, CYLINDER, MESH, SPHERE


@compiled
def apart(
    kind: int, size: Array, box: Array, frame: Array, middle: Array, corners: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a body plainly does not touch a triangle, and find this one's normal.

    That is cheaper than to cut the triangle; cutting tries the faces of a box first.
    """
    if kind == SPHERE and _outside_ball(corners, middle, size[0]):
        return True
    if kind in (CAPSULE, CYLINDER) and _off_axis(size[0], frame, corners, middle):
        return True
    if kind in (CAPSULE, CYLINDER, MESH) and _beside(box, frame, middle, corners):
        return True
    if not find_normal(corners):
        return True
    reach = _reach(kind, size, box, frame, corners[3]) * (1.0 + 1e-9)
    return abs(height(corners, middle[0], middle[1], middle[2])) > reach


@compiled
def _reach(
    kind: int, size: Array, box: Array, frame: Array, n: Array
) -> float:  # pragma: no cover - compiled
    """Return how far a body reaches from its middle along a normal, at most."""
    if kind == SPHERE:
        return float(size[0])
    if kind in (CAPSULE, CYLINDER):
        along = abs(frame[0, 2] * n[0] + frame[1, 2] * n[1] + frame[2, 2] * n[2])
        across = 1.0 if kind == CAPSULE else math.sqrt(max(0.0, 1.0 - along * along) + 1e-12)
        return float(size[1] * along + size[0] * across)
    found = 0.0
    for j in range(3):
        along = frame[0, j] * n[0] + frame[1, j] * n[1] + frame[2, j] * n[2]
        found += abs(along) * box[3 + j]
    return found


@compiled
def _outside_ball(
    corners: Array, middle: Array, radius: float
) -> bool:  # pragma: no cover - compiled
    """Tell whether the box around a triangle is farther from a point than a radius."""
    square = 0.0
    for k in range(3):
        x, y, z = corners[0, k], corners[1, k], corners[2, k]
        way = max(min(x, y, z) - middle[k], middle[k] - max(x, y, z), 0.0)
        square += way * way
    return square >= radius * radius


@compiled
def _off_axis(
    radius: float, frame: Array, corners: Array, middle: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a ball around a triangle is farther from a round body's axis than its radius."""
    square, along, most = 0.0, 0.0, 0.0
    for k in range(3):
        way = (corners[0, k] + corners[1, k] + corners[2, k]) / 3.0 - middle[k]
        square += way * way
        along += way * frame[k, 2]
    for c in range(3):
        far = 0.0
        for k in range(3):
            far += ((corners[0, k] + corners[1, k] + corners[2, k]) / 3.0 - corners[c, k]) ** 2
        most = max(most, far)
    reach = radius + math.sqrt(most)
    return square - along * along > reach * reach * (1.0 + 1e-9)


@compiled
def _beside(
    box: Array, frame: Array, middle: Array, corners: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a triangle lies wholly beyond one face of the box around a body."""
    for j in range(3):
        low, high = np.inf, -np.inf
        for c in range(3):
            at = 0.0
            for k in range(3):
                at += frame[k, j] * (corners[c, k] - middle[k])
            low, high = min(low, at), max(high, at)
        if low > box[3 + j] or high < -box[3 + j]:
            return True
    return False


@compiled
def meets(corners: Array, low: Array, high: Array) -> bool:  # pragma: no cover - compiled
    """Tell whether the box around a triangle meets another: most of a leaf's do not."""
    for k in range(3):
        x, y, z = corners[0, k], corners[1, k], corners[2, k]
        if max(x, y, z) < low[k] or min(x, y, z) > high[k]:
            return False
    return True
