"""Images with a border, so that filtering across the edge needs no special case."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import AnyArray
from outrider.render.simd import WHITE
from outrider.render.texture.mipmaps import LINEAR, Bytes

_OPAQUE = np.uint16(WHITE // 255)
_SHORT: NDArray[np.uint16] = np.rint(LINEAR.astype(np.float64) * WHITE).astype(np.uint16)


def bordered(image: AnyArray) -> AnyArray:
    """Return an image (h, w, ...) with one more texel on every side, as if it repeated there."""
    sides = [(1, 1), (1, 1)] + [(0, 0)] * (image.ndim - 2)
    return np.ascontiguousarray(np.pad(image, sides, "wrap"))


def write_linear(image: Bytes, out: NDArray[np.uint16]) -> None:
    """Write an sRGB image (h, w, 4) as linear light of 16 bits, with a border."""
    _write(image, _SHORT, out.reshape(image.shape[0] + 2, image.shape[1] + 2, 4))


@compiled_nogil
def _write(
    image: Bytes, linear: NDArray[np.uint16], out: NDArray[np.uint16]
) -> None:  # pragma: no cover - compiled
    h, w = image.shape[0], image.shape[1]
    for i in range(h + 2):
        y = (i - 1) % h
        for j in range(w + 2):
            x = j - 1 if 0 < j <= w else (j - 1) % w
            for c in range(3):
                out[i, j, c] = linear[image[y, x, c]]
            out[i, j, 3] = image[y, x, 3] * _OPAQUE
