"""Stones too low to be steep: points that stand out of the plane of the ground around them."""

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.extra import needed
from outrider.core.frames import Array

_CELL = 0.05  # m
_AROUND = 13  # cells along a side of the piece of ground that a plane is fitted to
_LOW = 0.02  # m above the first plane: cells that the second one is fitted to
_FEWEST = 50  # cells that tell a plane
_ASIDE = 3.0  # cells from their middle: there it is known, farther out it is a guess


def bumps(xyz: Array, height: float, reach: float) -> NDArray[np.bool_]:
    """Return which points (level, seen from the robot) are higher than ``height`` above the ground.

    The ground is the plane through the lower part of the cells around, out to ``reach``.
    """
    near = np.flatnonzero((np.abs(xyz[:, :2]) < reach).all(axis=1))
    found = np.zeros(len(xyz), np.bool_)
    if len(near):
        side = int(np.ceil(2 * reach / _CELL))
        cell = ((xyz[near, :2] + reach) / _CELL).astype(np.int64)
        index = cell[:, 1] * side + cell[:, 0]
        lowest = np.full(side * side, np.inf)
        np.minimum.at(lowest, index, xyz[near, 2])
        ground = _ground(lowest.reshape(side, side)).ravel()
        found[near] = xyz[near, 2] - ground[index] > height
    return found


def _ground(lowest: Array) -> Array:
    """Return the height of the ground in every cell; infinite where it is not known."""
    known = np.isfinite(lowest)
    heights = np.where(known, lowest, 0.0)
    first = _planes(heights, known)
    return _planes(heights, known & (heights < first + _LOW))


def _planes(z: Array, used: NDArray[np.bool_]) -> Array:
    """Return the height of the plane fitted around each cell, at that cell."""
    cv2 = needed("cv2")
    weight = used.astype(np.float64)
    y, x = (np.arange(n, dtype=np.float64)[:, None] for n in z.shape)
    x = np.broadcast_to(x.T, z.shape)
    y = np.broadcast_to(y, z.shape)
    n, sx, sy, sz = (_sums(cv2, weight * v) for v in (np.ones_like(z), x, y, z))
    with np.errstate(divide="ignore", invalid="ignore"):
        mx, my, mz = sx / n, sy / n, sz / n
        xx = _sums(cv2, weight * x * x) / n - mx * mx
        yy = _sums(cv2, weight * y * y) / n - my * my
        xy = _sums(cv2, weight * x * y) / n - mx * my
        xz = _sums(cv2, weight * x * z) / n - mx * mz
        yz = _sums(cv2, weight * y * z) / n - my * mz
        det = xx * yy - xy * xy
        a, b = (xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det
        height: Array = mz + a * (x - mx) + b * (y - my)
        inside = (n >= _FEWEST) & (np.hypot(x - mx, y - my) < _ASIDE) & (det > 1.0)
    return np.where(inside, height, np.inf)


def _sums(cv2: ModuleType, values: Array) -> Array:
    sums: Array = cv2.boxFilter(
        values, cv2.CV_64F, (_AROUND, _AROUND), normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    return sums
