"""Scan context: a place's heights by ring and sector, whatever the robot's heading."""

import numpy as np

from outrider.core.frames import Array

_RINGS, _SECTORS, _REACH = 16, 60, 24.0


def describe(xyz: Array) -> Array:
    """Return the highest point of each ring and sector (rings, sectors) of a level cloud."""
    far = np.hypot(xyz[:, 0], xyz[:, 1])
    near = far < _REACH
    ring = (far[near] / _REACH * _RINGS).astype(np.int64)
    angle = np.arctan2(xyz[near, 1], xyz[near, 0])
    sector = ((angle + np.pi) / (2 * np.pi) * _SECTORS).astype(np.int64) % _SECTORS
    out = np.zeros((_RINGS, _SECTORS))
    np.maximum.at(out, (ring, sector), xyz[near, 2] + 2.0)
    return out


def distance(first: Array, second: Array) -> tuple[float, float]:
    """Return the dissimilarity of two places (0 to 1), and the yaw of the second."""
    norms = np.linalg.norm(first, axis=0)
    best, turned = 1.0, 0
    for shift in range(_SECTORS):
        other = np.roll(second, shift, axis=1)
        lengths = norms * np.linalg.norm(other, axis=0)
        both = lengths > 0
        if both.sum() < _SECTORS // 4:
            continue
        alike = float(((first * other).sum(axis=0)[both] / lengths[both]).mean())
        if 1.0 - alike < best:
            best, turned = 1.0 - alike, shift
    return best, turned * 2 * np.pi / _SECTORS
