"""Numbers as colours: from blue through green and yellow to red."""

import numpy as np
from numpy.typing import NDArray

_STOPS = np.array(
    [(48, 80, 220), (30, 190, 230), (60, 220, 110), (240, 220, 60), (240, 120, 40), (200, 30, 40)],
    np.float64,
)


def coloured(values: NDArray[np.floating], low: float, high: float) -> NDArray[np.uint8]:
    """Return colours (n, 4) of values between two bounds; values beyond are clamped."""
    span = max(high - low, 1e-9)
    share = np.clip((np.nan_to_num(values) - low) / span, 0.0, 1.0) * (len(_STOPS) - 1)
    out = np.full((len(values), 4), 255, np.uint8)
    for part in range(3):
        out[:, part] = np.interp(share, np.arange(len(_STOPS)), _STOPS[:, part])
    return out


def plain(colour: tuple[int, int, int], count: int, opacity: int = 255) -> NDArray[np.uint8]:
    """Return one colour for all."""
    return np.tile(np.array([*colour, opacity], np.uint8), (count, 1))
