"""Images with a border: places between the last texel and the first need no second thought."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.render.four import WHITE
from outrider.render.textures import LINEAR, Bytes

_SHORT: NDArray[np.uint16] = np.rint(LINEAR.astype(np.float64) * WHITE).astype(np.uint16)


def bordered(image: NDArray[Any]) -> NDArray[Any]:
    """Return an image (h, w, ...) with one more texel on every side, as if it repeated there."""
    sides = [(1, 1), (1, 1)] + [(0, 0)] * (image.ndim - 2)
    return np.ascontiguousarray(np.pad(image, sides, "wrap"))


def linear_texels(image: Bytes) -> NDArray[np.uint16]:
    """Return an sRGB image (h, w, 4) as linear light of 16 bits, with a border."""
    out = np.empty((image.shape[0] + 2, image.shape[1] + 2, 4), np.uint16)
    whole = bordered(image)
    out[..., :3] = _SHORT[whole[..., :3]]
    out[..., 3] = whole[..., 3].astype(np.uint16) * (WHITE // 255)
    return out
