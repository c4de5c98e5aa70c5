"""Noise that depends only on pixel, channel, frame and seed: the same in every renderer.

All in 32-bit unsigned integers, so that a shader gives the same numbers bit for bit::

    uint pcg(uint v) { uint s = v * 747796405u + 2891336453u;
                       uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
                       return (w >> 22u) ^ w; }
    uint picture = pcg(frame + pcg(seed));             // once a picture
    uint pixel = pcg(x + pcg(y + picture));            // once a pixel
    uint word = pixel;                                 // red; green is pcg(red), blue pcg(green),
                                                       // and grain is pcg(blue)
    float x = float(sum of the four bytes of the word) - 510.0;
    float normal = x * (LINEAR + CUBIC * x * x);

The cube gives the sum the tails of a Gaussian: its sigma is one and its kurtosis three, to the last
digit; it ends at 4.04 sigma.
"""

import numpy as np

from outrider.core.compiled import compiled_nogil

LINEAR, CUBIC = np.float32(6.4210406e-3), np.float32(5.7739543e-9)
GRAIN = 3  # after red, green and blue
_MULTIPLY, _ADD, _MIX = np.uint32(747796405), np.uint32(2891336453), np.uint32(277803737)
_BYTES, _HALF = np.uint32(0xFF00FF), np.uint32(0xFFFF)


@compiled_nogil
def pcg(value: np.uint32) -> np.uint32:  # pragma: no cover - compiled
    """Return a well mixed number for every number."""
    s = np.uint32(value * _MULTIPLY + _ADD)
    w = np.uint32(((s >> np.uint32((s >> np.uint32(28)) + np.uint32(4))) ^ s) * _MIX)
    return np.uint32((w >> np.uint32(22)) ^ w)


@compiled_nogil
def picture_key(frame: int, seed: int) -> np.uint32:  # pragma: no cover - compiled
    """Return the key of a whole picture."""
    return pcg(np.uint32(np.uint32(frame) + pcg(np.uint32(seed))))


@compiled_nogil
def pixel_key(key: np.uint32, x: int, y: int) -> np.uint32:  # pragma: no cover - compiled
    """Return the key of a pixel of a picture."""
    return pcg(np.uint32(np.uint32(x) + pcg(np.uint32(np.uint32(y) + key))))


@compiled_nogil
def normal(pixel: np.uint32, channel: int) -> np.float32:  # pragma: no cover - compiled
    """Return a number of mean 0 and sigma 1 for a pixel's channel."""
    word = pixel
    for _ in range(channel):
        word = pcg(word)
    pairs = np.uint32((word & _BYTES) + ((word >> np.uint32(8)) & _BYTES))
    x = np.float32((pairs & _HALF) + (pairs >> np.uint32(16))) - np.float32(510.0)
    return x * (LINEAR + CUBIC * x * x)
