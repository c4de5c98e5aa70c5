"""Bodies at times of the recent past, for rays that are not all cast at one instant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array, Pose
from outrider.core.vector_kernels import multiply, rotation_between
from outrider.world.state import BODY

Records = NDArray[np.void]
Record = Any  # one row of such an array, as compiled code sees it
Times = NDArray[np.int64]

SMALL_RAD = 0.3  # below, short series give sine and cosine to 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class PastPoses:
    """A ring of states: ``count`` rows from ``first`` on, oldest first; between two all is even."""

    bodies: Records  # (rows, bodies) of BODY
    times: Times  # (rows,) in ns
    first: int
    count: int

    @property
    def arrays(self) -> tuple[Records, Times, int, int]:
        """The ring as compiled code takes it."""
        return self.bodies, self.times, self.first, self.count

    def only(self, body: int) -> PastPoses:
        """Return the past of one body alone, in arrays of its own."""
        return PastPoses(
            self.bodies[:, body : body + 1].copy(), self.times.copy(), self.first, self.count
        )

    @classmethod
    def still(cls, pose: Pose) -> PastPoses:
        """Return the past of a single body that has always stood at a pose."""
        bodies = np.zeros((1, 1), BODY)
        bodies["position"], bodies["rotation"] = pose.position, pose.rotation
        return cls(bodies, np.zeros(1, np.int64), 0, 1)

    @classmethod
    def of(cls, bodies: Records, time_ns: int) -> PastPoses:
        """Return a past in which all bodies have always been as they are now."""
        return cls(bodies[None, :], np.array([time_ns], np.int64), 0, 1)


@compiled_nogil
def leg_of(
    times: Times, first: int, count: int, t: int, leg: int
) -> int:  # pragma: no cover - compiled
    """Return between which two states a time lies; ``leg`` is where the last one was found."""
    size = times.shape[0]
    if leg < 0 or times[(first + leg) % size] > t:
        leg = 0  # times usually rise; if not, search from the start again
    while leg < count - 2 and times[(first + leg + 1) % size] <= t:
        leg += 1
    return leg


@compiled_nogil
def leg_times(
    times: Times, first: int, count: int, leg: int
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return when a leg begins and ends."""
    size = times.shape[0]
    return times[(first + leg) % size], times[(first + min(leg + 1, count - 1)) % size]


@compiled_nogil
def share_of(begin: int, end: int, t: int) -> float:  # pragma: no cover - compiled
    """Return how much of a leg (0 to 1) has gone by at a time."""
    if end <= begin:
        return 0.0
    return min(1.0, max(0.0, (t - begin) / (end - begin)))


@compiled_nogil
def enter_leg(
    a: Record, b: Record, rotations: Array, translations: Array
) -> float:  # pragma: no cover - compiled
    """Prepare the motion from one state to the next; return the angle of its rotation.

    The rotation after a share ``u`` is ``rotations[0] + sin(u angle) rotations[1]
    + (1 - cos(u angle)) rotations[2]`` (Rodrigues), the position
    ``translations[0] + u translations[1]``.
    """
    qx, qy, qz, qw = a.rotation[0], a.rotation[1], a.rotation[2], a.rotation[3]
    x, y, z, w = rotation_between(a.rotation, b.rotation)
    length = math.sqrt(x * x + y * y + z * z)
    scale = 1.0 / length if length > 1e-12 else 0.0
    x, y, z = x * scale, y * scale, z * scale
    first = rotations[0]
    first[0, 0] = 1 - 2 * (qy * qy + qz * qz)
    first[0, 1] = 2 * (qx * qy - qz * qw)
    first[0, 2] = 2 * (qx * qz + qy * qw)
    first[1, 0] = 2 * (qx * qy + qz * qw)
    first[1, 1] = 1 - 2 * (qx * qx + qz * qz)
    first[1, 2] = 2 * (qy * qz - qx * qw)
    first[2, 0] = 2 * (qx * qz - qy * qw)
    first[2, 1] = 2 * (qy * qz + qx * qw)
    first[2, 2] = 1 - 2 * (qx * qx + qy * qy)
    for i in range(3):
        translations[0, i] = a.position[i]
        translations[1, i] = b.position[i] - a.position[i]
        for k in range(2):  # times the cross-product matrix of the axis, once and twice
            row = rotations[k, i]
            rotations[k + 1, i, 0] = row[1] * z - row[2] * y
            rotations[k + 1, i, 1] = row[2] * x - row[0] * z
            rotations[k + 1, i, 2] = row[0] * y - row[1] * x
    return 2.0 * math.atan2(length, w)


@compiled_nogil
def sine_and_versine(x: float) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return sin x and 1 - cos x; mostly the angle is small."""
    if abs(x) > SMALL_RAD:
        return math.sin(x), 1.0 - math.cos(x)
    s = x * x
    sine = x * (1.0 - s * (1 / 6 - s * (1 / 120 - s / 5040)))
    return sine, s * (0.5 - s * (1 / 24 - s * (1 / 720 - s / 40320)))


@compiled_nogil
def poses_at(
    past: tuple[Records, Times, int, int],
    body: int,
    wanted: Times,
    position: Array,
    rotation: Array,
) -> None:  # pragma: no cover - compiled
    """Write a body's poses at times; before the oldest and after the newest state it stands."""
    bodies, times, first, count = past
    size, leg = times.shape[0], 0
    for i in range(wanted.shape[0]):
        leg = leg_of(times, first, count, wanted[i], leg)
        begin, end = leg_times(times, first, count, leg)
        u = share_of(begin, end, wanted[i])
        a = bodies[(first + leg) % size, body]
        b = bodies[(first + min(leg + 1, count - 1)) % size, body]
        x, y, z, w = rotation_between(a.rotation, b.rotation)
        length = math.sqrt(x * x + y * y + z * z)
        half = u * math.atan2(length, w)
        scale = math.sin(half) / length if length > 1e-12 else 0.0
        q = multiply(a.rotation, (scale * x, scale * y, scale * z, math.cos(half)))
        for k in range(4):
            rotation[i, k] = q[k]
        for k in range(3):
            position[i, k] = (1.0 - u) * a.position[k] + u * b.position[k]
