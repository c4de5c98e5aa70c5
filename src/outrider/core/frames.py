"""Poses and rotations: right-handed, x forward, y left, z up, metres, quaternions as x y z w."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError

Array: TypeAlias = NDArray[np.float64]
AnyArray: TypeAlias = NDArray[Any]  # of any kind of numbers


def _vector(values: object, count: int, what: str) -> Array:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        found = None
    if found is None or found.shape != (count,):
        raise ConfigError(f"a pose's {what}: expected {count} numbers, got {values!r:.60}")
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A position and an orientation: ``T_parent_child``."""

    position: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", _vector(self.position, 3, "position"))
        object.__setattr__(self, "rotation", unit(_vector(self.rotation, 4, "rotation")))

    @classmethod
    def from_rpy(cls, position: object, rpy_rad: object) -> Pose:
        """Make a pose from a position and fixed-axis roll, pitch, yaw (URDF and SDF order)."""
        return cls(
            _vector(position, 3, "position"), quaternion_from_rpy(*_vector(rpy_rad, 3, "rpy"))
        )

    @classmethod
    def from_matrix(cls, matrix: Array) -> Pose:
        """Make a pose from a 4x4 rigid transform."""
        return cls(matrix[:3, 3], quaternion_from_matrix(matrix[:3, :3]))

    @property
    def matrix(self) -> Array:
        """The 4x4 transform that takes child coordinates to the parent."""
        out = np.eye(4)
        out[:3, :3] = matrix_from_quaternion(self.rotation)
        out[:3, 3] = self.position
        return out

    @property
    def rpy(self) -> Array:
        """Roll, pitch, yaw in radians."""
        return rpy_from_quaternion(self.rotation)

    def __matmul__(self, other: Pose) -> Pose:
        """Chain transforms: ``T_world_a @ T_a_b`` is ``T_world_b``."""
        return Pose(self.apply(other.position), multiply(self.rotation, other.rotation))

    def apply(self, points: Array) -> Array:
        """Take one point (3,) or many (n, 3) from the child to the parent frame."""
        if self.rotation[3] == 1.0 and not self.rotation[:3].any():
            shifted: Array = points + self.position  # the same to the last bit, only sooner
            return shifted
        moved: Array = points @ matrix_from_quaternion(self.rotation).T + self.position
        return moved

    def inverse(self) -> Pose:
        """Return the inverse transform."""
        back = conjugate(self.rotation)
        return Pose(-(matrix_from_quaternion(back) @ self.position), back)


def unit(vector: Array) -> Array:
    """Scale a vector to length one."""
    scaled: Array = vector / math.sqrt(float(vector @ vector))
    return scaled


def conjugate(q: Array) -> Array:
    """Return the inverse of a unit quaternion."""
    return np.array([-q[0], -q[1], -q[2], q[3]])


def multiply(a: Array, b: Array) -> Array:
    """Hamilton product of two x y z w quaternions."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def rotation_vector(q: Array) -> Array:
    """Return the axis times the angle of a rotation, of at most half a revolution."""
    q = unit(q if q[3] >= 0 else -q)
    sine = float(np.linalg.norm(q[:3]))
    angle = 2.0 * np.arctan2(sine, q[3])
    vector: Array = q[:3] * (angle / sine if sine > 1e-12 else 2.0)
    return vector


def matrix_from_quaternion(q: Array) -> Array:
    """Return the 3x3 rotation matrix of a unit quaternion."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(m: Array) -> Array:
    """Return the unit quaternion of a rotation matrix (largest component first: no loss)."""
    trace = np.array(
        [
            m[0, 0] - m[1, 1] - m[2, 2],
            m[1, 1] - m[0, 0] - m[2, 2],
            m[2, 2] - m[0, 0] - m[1, 1],
            m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    k = int(np.argmax(trace))
    q = np.empty(4)
    if k == 3:
        q[:] = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1 + trace[3]
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q[k], q[i], q[j], q[3] = (
            1 + trace[k],
            m[k, i] + m[i, k],
            m[k, j] + m[j, k],
            m[j, i] - m[i, j],
        )
    return unit(q)


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Return the quaternion of Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return np.array(
        [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    )


def rpy_from_quaternion(q: Array) -> Array:
    """Return fixed-axis roll, pitch, yaw; at a pitch of 90 degrees roll is taken as zero."""
    x, y, z, w = (float(v) for v in q)
    sin_pitch = max(-1.0, min(1.0, 2 * (w * y - z * x)))
    if abs(sin_pitch) > 1 - 1e-12:
        return np.array([0.0, math.copysign(math.pi / 2, sin_pitch), 2 * math.atan2(z, w)])
    return np.array(
        [
            math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            math.asin(sin_pitch),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ]
    )


def yaw_of(q: Array) -> float:
    """Return the heading of a quaternion about z, in radians."""
    x, y, z, w = q
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
