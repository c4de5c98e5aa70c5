"""Noise that depends on pixel, channel, frame and seed alone: the same in every renderer.

All in 32-bit unsigned integers, so that a shader gives the same numbers bit for bit::

    uint pcg(uint v) { uint s = v * 747796405u + 2891336453u;
                       uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
                       return (w >> 22u) ^ w; }
    uint picture = pcg(frame + pcg(seed));             // once a picture
    uint pixel = pcg(x + pcg(y + picture));            // once a pixel
    uint a = pcg(pixel + channel), b = pcg(a);         // channel 0 1 2; grain is channel 3
    float normal = (float(sum of the eight bytes of a and b) - 1020.0) * 0.0047842...;

The sum of eight bytes is close to a Gaussian (it ends at 4.9 sigma), its sigma is exactly one.
"""

import math

import numpy as np

from outrider.core.compiled import compiled_free as compiled

SCALE = np.float32(1.0 / math.sqrt(8 * (256**2 - 1) / 12))  # of the sum of eight bytes
GRAIN = np.uint32(3)
_MULTIPLY, _ADD, _MIX = np.uint32(747796405), np.uint32(2891336453), np.uint32(277803737)
_LOW = np.uint32(255)


@compiled
def pcg(value: np.uint32) -> np.uint32:  # pragma: no cover - compiled
    """Return a well mixed number for every number."""
    s = np.uint32(value * _MULTIPLY + _ADD)
    w = np.uint32(((s >> np.uint32((s >> np.uint32(28)) + np.uint32(4))) ^ s) * _MIX)
    return np.uint32((w >> np.uint32(22)) ^ w)


@compiled
def picture_key(frame: int, seed: int) -> np.uint32:  # pragma: no cover - compiled
    """Return the key of a whole picture."""
    return pcg(np.uint32(np.uint32(frame) + pcg(np.uint32(seed))))


@compiled
def pixel_key(key: np.uint32, x: int, y: int) -> np.uint32:  # pragma: no cover - compiled
    """Return the key of a pixel of a picture."""
    return pcg(np.uint32(np.uint32(x) + pcg(np.uint32(np.uint32(y) + key))))


@compiled
def normal(pixel: np.uint32, channel: np.uint32) -> np.float32:  # pragma: no cover - compiled
    """Return a number of mean 0 and sigma 1 for a pixel's channel."""
    a = pcg(np.uint32(pixel + channel))
    b = pcg(a)
    total = np.uint32(0)
    for shift in range(4):
        by = np.uint32(8 * shift)
        total += np.uint32(((a >> by) & _LOW) + ((b >> by) & _LOW))
    return (np.float32(total) - np.float32(1020.0)) * SCALE
