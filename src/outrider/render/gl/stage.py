"""Where everything stands in a picture, and while a rolling shutter is read out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.rolling_shutter import leg


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Frames of the movers and, last, of the world; boxes around chunks.

    Behind a rolling shutter these are those in the middle of its read-out.
    """

    frames: Array
    middle: Array
    half: Array
    lights: NDArray[np.void]  # dtype LIGHT, those that bodies carry where they are now
    rolled: tuple[Stage, ...] = ()  # evenly spread over a read-out

    def during(self, share: float) -> Stage:
        """Return where everything is when a share (0 to 1) of the read-out is over."""
        if not self.rolled:
            return self
        first, second, u = leg(len(self.rolled), share)
        a, b = self.rolled[first], self.rolled[second]
        return Stage(
            (1 - u) * a.frames + u * b.frames,
            (1 - u) * a.middle + u * b.middle,
            np.maximum(a.half, b.half),
            self.lights,
        )
