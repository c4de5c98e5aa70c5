"""Random hills that are the same on every machine: gradient noise from an integer hash."""

import math
import zlib

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.frames import Array

_MASK = 0xFFFFFFFFFFFFFFFF

_GRADIENTS: Array = np.array(
    [
        [1.0, 0.0],
        [-1.0, 0.0],
        [0.0, 1.0],
        [0.0, -1.0],
        [0.75, 0.65625],
        [-0.75, 0.65625],
        [0.75, -0.65625],
        [-0.75, -0.65625],
    ]
)  # of length one within half a per cent, and exact in binary
_UNEVEN = 0.38196601125  # shifts octaves so that their lattices do not meet anywhere


def fractal(
    x: Array,
    y: Array,
    seed: int,
    name: str,
    *,
    wavelength: float,
    octaves: int,
    gain: float,
    ridged: bool = False,
) -> Array:
    """Return noise on the grid of ``x`` (n,) and ``y`` (m,): about -1 to 1 in its first octave."""
    total = np.zeros((len(x), len(y)))
    height = 1.0
    for octave in range(octaves):
        shift = _UNEVEN * (octave + 1)
        wave = gradient_noise(x / wavelength + shift, y / wavelength + shift, seed, name, octave)
        total += height * (1.0 - 2.0 * np.abs(wave) if ridged else wave)
        wavelength, height = wavelength / 2, height * gain
    return total


def gradient_noise(x: Array, y: Array, seed: int, name: str, octave: int = 0) -> Array:
    """Return smooth noise with a lattice of one, on a grid: zero at each lattice point."""
    out = np.empty((len(x), len(y)))
    key = (zlib.crc32(name.encode()) + 0x9E3779B9 * (octave + 1) + seed * 0x85EBCA6B) & _MASK
    _fill(np.ascontiguousarray(x), np.ascontiguousarray(y), np.uint64(key), out)
    return out


@compiled
def _fill(x: Array, y: Array, key: np.uint64, out: Array) -> None:  # pragma: no cover - compiled
    """Blend the slopes at the four lattice corners around each point."""
    corners = np.empty(4, np.int64)
    for a in range(x.shape[0]):
        i = math.floor(x[a])
        u = x[a] - i
        wide = _smooth(u)
        last = np.int64(-(2**62))
        for b in range(y.shape[0]):
            j = math.floor(y[b])
            if j != last:
                last = j
                for k in range(4):
                    corners[k] = _direction(i + (k >> 1), j + (k & 1), key)
            v = y[b] - j
            high = _smooth(v)
            total = 0.0
            for k in range(4):
                p, q = k >> 1, k & 1
                slope = _GRADIENTS[corners[k]]
                rise = slope[0] * (u - p) + slope[1] * (v - q)
                total += rise * ((wide if p else 1.0 - wide) * (high if q else 1.0 - high))
            out[a, b] = 1.5 * total


@compiled
def _direction(i: int, j: int, key: np.uint64) -> int:  # pragma: no cover - compiled
    """Return which slope a lattice corner has, by a well mixed hash (MurmurHash3's mixer)."""
    mixed = np.uint64(i) * np.uint64(0x9E3779B97F4A7C15)
    mixed = mixed ^ (np.uint64(j) * np.uint64(0xC2B2AE3D27D4EB4F)) ^ key
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return int((mixed ^ (mixed >> np.uint64(33))) & np.uint64(7))


@compiled
def _smooth(t: float) -> float:  # pragma: no cover - compiled
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)
