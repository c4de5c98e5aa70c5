"""Copies of an image, each blurred along one direction: precomputed anisotropic filtering.

A pixel that looks along the ground covers a long stretch of it. Instead of several places along it,
one is read in the copy whose direction is nearest.
"""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil

COPIES = 4  # along rows, down to the right, along columns, down to the left
_SPREAD = 0.35  # texels squared: what comes nearest to the other renderer
_FIRST_SPREAD = 0.2  # of the largest copy, which is also read from nearby
Bytes = NDArray[np.uint8]


def directed(level: Bytes, first: bool) -> Bytes:
    """Return copies (4, h, w, c) of an image (h, w, c) that repeats, one for each direction."""
    h, w = level.shape[:2]
    down, across = max(1, round(h / w)), max(1, round(w / h))  # a slant is one of the whole image
    ways = (0, 1), (down, across), (1, 0), (down, -across)  # rows and columns to the next texel
    out = np.empty((COPIES, *level.shape), np.uint8)
    for copy, (rows, columns) in zip(out, ways, strict=True):
        share = (_FIRST_SPREAD if first else _SPREAD) / (2 * (rows**2 + columns**2))
        _smear(level, rows, columns, share, copy)
    return out


@compiled_nogil
def _smear(
    image: Bytes, rows: int, columns: int, share: float, out: Bytes
) -> None:  # pragma: no cover - compiled
    """Mix every texel with the one before and the one behind it."""
    h, w, channels = image.shape
    side = np.int32(round(share * 65536))
    middle = np.int32(65536) - side - side
    for i in range(h):
        before, behind = (i - rows) % h, (i + rows) % h
        for j in range(w):
            left, right = (j - columns) % w, (j + columns) % w
            for c in range(channels):
                ends = np.int32(image[before, left, c]) + np.int32(image[behind, right, c])
                mixed = side * ends + middle * np.int32(image[i, j, c])
                out[i, j, c] = np.uint8((mixed + np.int32(32768)) >> np.int32(16))
