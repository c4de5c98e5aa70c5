"""Vectors and quaternions (x y z w) in compiled code, as tuples, without allocation."""

import math
from collections.abc import Sequence
from typing import TypeAlias

from outrider.core.compiled import compiled
from outrider.core.frames import Array

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]
Row: TypeAlias = Array | Sequence[float]  # anything with numbers to index


@compiled
def dot(a: Row, b: Row) -> float:  # pragma: no cover - compiled
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def cross(a: Row, b: Row) -> Vector:  # pragma: no cover - compiled
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@compiled
def rotate(q: Row, v: Row) -> Vector:  # pragma: no cover - compiled
    """Return a vector rotated by a unit quaternion."""
    tx = 2 * (q[1] * v[2] - q[2] * v[1])
    ty = 2 * (q[2] * v[0] - q[0] * v[2])
    tz = 2 * (q[0] * v[1] - q[1] * v[0])
    return (
        v[0] + q[3] * tx + q[1] * tz - q[2] * ty,
        v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
        v[2] + q[3] * tz + q[0] * ty - q[1] * tx,
    )


@compiled
def rotate_back(q: Row, v: Row) -> Vector:  # pragma: no cover - compiled
    """Return a vector rotated by the inverse of a unit quaternion."""
    return rotate((-q[0], -q[1], -q[2], q[3]), v)


@compiled
def multiply(a: Row, b: Row) -> Quaternion:  # pragma: no cover - compiled
    """Return the Hamilton product: rotation b first, then a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@compiled
def rotation_between(a: Row, b: Row) -> Quaternion:  # pragma: no cover - compiled
    """Return the rotation from one attitude to another in the first one's axes, the shorter way."""
    x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1]
    y = a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2]
    z = a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0]
    w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    return x, y, z, w


@compiled
def halfway(a: Row, b: Row) -> Quaternion:  # pragma: no cover - compiled
    """Return the attitude halfway between two near ones."""
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    sign = 1.0 if dot >= 0.0 else -1.0
    x, y, z, w = a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3]
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    return x / norm, y / norm, z / norm, w / norm
