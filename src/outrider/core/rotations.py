"""Rotations of many bodies at once: rows of quaternions x y z w."""

import numpy as np

from outrider.core.frames import Array


def about(axis: int, angle: Array) -> Array:
    """Return rotations about an axis (0, 1, 2: x, y, z), one for each angle: (..., 4)."""
    out = np.zeros((*np.shape(angle), 4))
    out[..., axis] = np.sin(0.5 * np.asarray(angle))
    out[..., 3] = np.cos(0.5 * np.asarray(angle))
    return out


def product(a: Array, b: Array) -> Array:
    """Return the rotations that ``b`` and then ``a`` make, row by row."""
    ax, ay, az, aw = (a[..., k] for k in range(4))
    bx, by, bz, bw = (b[..., k] for k in range(4))
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def inverse(a: Array) -> Array:
    """Return the rotations back."""
    back: Array = a * np.array([-1.0, -1.0, -1.0, 1.0])
    return back


def turned(a: Array, vectors: Array) -> Array:
    """Return vectors (..., 3) after their rotations."""
    x, y, z, w = (a[..., k] for k in range(4))
    vx, vy, vz = (vectors[..., k] for k in range(3))
    cx, cy, cz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    moved = [
        vx + w * cx + y * cz - z * cy,
        vy + w * cy + z * cx - x * cz,
        vz + w * cz + x * cy - y * cx,
    ]
    return np.stack(moved, axis=-1)


def rotation_vectors(a: Array) -> Array:
    """Return the shorter way round: axes times angles, of at most half a turn."""
    sine = np.linalg.norm(a[..., :3], axis=-1)
    angle = 2.0 * np.arctan2(sine, np.abs(a[..., 3]))
    scale = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)
    vectors: Array = a[..., :3] * np.copysign(scale, a[..., 3])[..., None]
    return vectors
