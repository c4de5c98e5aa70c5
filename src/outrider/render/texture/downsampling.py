"""Halving an image: means of linear light, weighted by opacity."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil

Bytes = NDArray[np.uint8]


@compiled_nogil
def encoded(value: float) -> float:  # pragma: no cover - compiled
    """Return the sRGB value 0..1 of linear light, clipped."""
    if value <= 0.0:
        return 0.0
    if value >= 1.0:
        return 1.0
    if value <= 0.0031308:
        return 12.92 * value
    return float(1.055 * value ** (1.0 / 2.4) - 0.055)


@compiled_nogil
def share_above(pixels: Bytes, edge: int) -> float:  # pragma: no cover - compiled
    """Return the share of pixels whose opacity is at least so much."""
    count = 0
    for i in range(pixels.shape[0]):
        for j in range(pixels.shape[1]):
            count += pixels[i, j, 3] >= edge
    share: float = count / (pixels.shape[0] * pixels.shape[1])
    return share


@compiled_nogil
def halved(pixels: Bytes, linear: NDArray[np.float32]) -> Bytes:  # pragma: no cover - compiled
    """Return an image of half the size, at least one pixel; odd sides are spread evenly."""
    h, w = pixels.shape[0], pixels.shape[1]
    rows, columns = max(1, h // 2), max(1, w // 2)
    out = np.empty((rows, columns, 4), np.uint8)
    total = np.empty(4)
    for i in range(rows):
        for j in range(columns):
            total[:] = 0.0
            count = 0
            for y in range(i * h // rows, (i + 1) * h // rows):
                for x in range(j * w // columns, (j + 1) * w // columns):
                    opacity = max(float(pixels[y, x, 3]), 1e-3)
                    for c in range(3):
                        total[c] += linear[pixels[y, x, c]] * opacity
                    total[3] += opacity
                    count += 1
            for c in range(3):
                out[i, j, c] = np.uint8(encoded(total[c] / total[3]) * 255.0 + 0.5)
            out[i, j, 3] = np.uint8(total[3] / count + 0.5)
    return out
