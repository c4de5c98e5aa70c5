"""The image that a renderer returns."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOTHING = 0  # the label of the sky
NOTHING_NAME = "nothing"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What was asked for: parts that were not wanted are None.

    ``colour`` (h, w, 3) is sRGB, red first; ``depth`` (h, w) metres along the optical axis through
    the pixel's centre, infinite where nothing is; ``labels`` (h, w) numbers into ``names``.
    """

    colour: NDArray[np.uint8] | None
    depth: NDArray[np.float32] | None
    labels: NDArray[np.int32] | None
    names: Mapping[int, str]
