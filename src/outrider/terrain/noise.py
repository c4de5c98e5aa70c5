"""Random hills that are the same on every machine: gradient noise from an integer hash."""

import zlib

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

_GRADIENTS: Array = np.array(
    [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0],
     [0.75, 0.65625], [-0.75, 0.65625], [0.75, -0.65625], [-0.75, -0.65625]]
)  # fmt: skip  # of length one within half a per cent, and exact in binary
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
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    u, v = (x - i)[:, None], (y - j)[None, :]
    total = np.zeros((len(x), len(y)))
    key = (zlib.crc32(name.encode()) + 0x9E3779B9 * (octave + 1) + seed * 0x85EBCA6B) & _MASK
    blend_x, blend_y = _smooth(u), _smooth(v)
    for a, weight_x in ((0, 1.0 - blend_x), (1, blend_x)):
        for b, weight_y in ((0, 1.0 - blend_y), (1, blend_y)):
            slope_x, slope_y = _lattice(i + a, j + b, key)
            total += (slope_x * (u - a) + slope_y * (v - b)) * (weight_x * weight_y)
    return 1.5 * total


_MASK = 0xFFFFFFFFFFFFFFFF


def _lattice(i: NDArray[np.int64], j: NDArray[np.int64], key: int) -> tuple[Array, Array]:
    """Return the slopes at each point's lattice corner; the lattice itself is hashed once."""
    rows, row = np.unique(i, return_inverse=True)
    columns, column = np.unique(j, return_inverse=True)
    gradient = _GRADIENTS[hashed(rows[:, None], columns[None, :], key) % np.uint64(8)]
    picked = np.ix_(row, column)
    return gradient[..., 0][picked], gradient[..., 1][picked]


def hashed(i: NDArray[np.int64], j: NDArray[np.int64], key: int) -> NDArray[np.uint64]:
    """Return well mixed 64-bit numbers for pairs of whole numbers (after MurmurHash3's mixer)."""
    mixed = i.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = mixed ^ (j.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)) ^ np.uint64(key & _MASK)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(33))


def _smooth(t: Array) -> Array:
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)
