"""Compiled: cones around blocks of rays, and groups of these, so that few rays need a closer look.

A cone is its apex, its axis, the cosine and sine of its half angle, how far the origins are spread
around the apex, and the farthest end of its rays.
"""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.scene.surface import Floats32

BLOCK = 32  # rays that are tested together first: neighbours mostly point the same way
GROUP = 16  # cones that are tested together before, from the same side of the sensor
_MANY = 16  # movers from which on it is worth while to put cones into groups
_SLACK = 1e-4  # rad: angles are rounded

# Blocks in the order of their groups, and the cones around these; both empty for few movers.
Groups: TypeAlias = tuple[NDArray[np.int64], Array]


@compiled_nogil
def make_cones(
    origins: Floats32, directions: Floats32, distance: Floats32, cones: Array
) -> None:  # pragma: no cover - compiled
    """Put a cone around each block of rays: apex, axis, cosine, sine, spread of origins, reach."""
    n = distance.shape[0]
    for b in range(cones.shape[0]):
        i0, i1 = b * BLOCK, min(n, (b + 1) * BLOCK)
        cone = cones[b]
        cone[:] = 0.0
        for i in range(i0, i1):
            for k in range(3):
                cone[3 + k] += directions[i, k]
        length = math.sqrt(cone[3] ** 2 + cone[4] ** 2 + cone[5] ** 2)
        for k in range(3):
            cone[k] = origins[i0, k]
            cone[3 + k] /= max(length, 1e-30)
        least, spread, reach = 1.0, 0.0, 0.0
        for i in range(i0, i1):
            dot, apart = 0.0, 0.0
            for k in range(3):
                dot += directions[i, k] * cone[3 + k]
                apart += (origins[i, k] - cone[k]) ** 2
            least = min(least, dot)
            spread = max(spread, apart)
            reach = max(reach, distance[i])
        cone[6] = least if length > 1e-6 else -1.0
        cone[7] = math.sqrt(max(0.0, 1.0 - cone[6] ** 2))
        cone[8] = math.sqrt(spread)
        cone[9] = reach


@compiled_nogil
def group_cones(cones: Array, movers: int) -> Groups:  # pragma: no cover - compiled
    """Put cones into groups by the side to which they point, each with a cone around it."""
    if movers < _MANY:
        return np.empty(0, np.int64), np.empty((0, 10))
    order = np.argsort(np.arctan2(cones[:, 4], cones[:, 3]))
    groups = np.zeros(((len(order) + GROUP - 1) // GROUP, 10))
    for g in range(groups.shape[0]):
        _surround(cones, order[g * GROUP : (g + 1) * GROUP], groups[g])
    return order, groups


@compiled_nogil
def _surround(
    cones: Array, members: NDArray[np.int64], group: Array
) -> None:  # pragma: no cover - compiled
    """Write the cone around some others."""
    for b in members:
        group[3:6] += cones[b, 3:6]
    length = math.sqrt(group[3] ** 2 + group[4] ** 2 + group[5] ** 2)
    group[:3] = cones[members[0], :3]
    group[3:6] /= max(length, 1e-30)
    half = 0.0 if length > 1e-6 else math.pi
    for b in members:
        dot, apart = 0.0, 0.0
        for k in range(3):
            dot += cones[b, 3 + k] * group[3 + k]
            apart += (cones[b, k] - group[k]) ** 2
        half = max(half, _angle(dot) + _angle(cones[b, 6]) + _SLACK)
        group[8] = max(group[8], math.sqrt(apart) + cones[b, 8])
        group[9] = max(group[9], cones[b, 9] + math.sqrt(apart))
    group[6] = math.cos(min(half, math.pi))
    group[7] = math.sin(min(half, math.pi))


@compiled_nogil
def _angle(cosine: float) -> float:  # pragma: no cover - compiled
    return math.acos(min(1.0, max(-1.0, cosine)))


@compiled_nogil
def meeting(
    sphere: Array, cones: Array, groups: Groups, found: NDArray[np.int64]
) -> int:  # pragma: no cover - compiled
    """List the blocks of rays that may touch a sphere, in their order; return how many."""
    order, around = groups
    count = 0
    if around.shape[0] == 0:
        for b in range(cones.shape[0]):
            if cone_meets(cones[b], sphere):
                found[count] = b
                count += 1
        return count
    for g in range(around.shape[0]):
        if cone_meets(around[g], sphere):
            for b in order[g * GROUP : (g + 1) * GROUP]:
                if cone_meets(cones[b], sphere):
                    found[count] = b
                    count += 1
    found[:count].sort()
    return count


@compiled_nogil
def cone_meets(cone: Array, sphere: Array) -> bool:  # pragma: no cover - compiled
    """Tell whether a cone of rays may touch a sphere; False is certain."""
    x, y, z = sphere[0] - cone[0], sphere[1] - cone[1], sphere[2] - cone[2]
    radius = sphere[3] + cone[8]
    far = math.sqrt(x * x + y * y + z * z)
    if far <= radius:
        return True
    if far - radius > cone[9]:
        return False
    sine = radius / far  # half the angle under which the sphere is seen
    cosine = math.sqrt(1.0 - sine * sine)
    if cone[6] < -cosine:  # the two angles make more than half a revolution
        return True
    limit = cone[6] * cosine - cone[7] * sine
    return bool(x * cone[3] + y * cone[4] + z * cone[5] >= far * (limit - 1e-6))
