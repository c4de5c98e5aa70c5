"""What is drawn into and looked up in, made when first needed and kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from outrider.core.frames import Array
from outrider.render.gl_camera import pinhole_of
from outrider.render.gl_context import Context
from outrider.render.gl_targets import Target
from outrider.render.intrinsics import Intrinsics

_TRIANGLES = 0x0004
_MOST = 48  # targets that are kept


class Canvas:
    """Targets by their use and size, lookups by lens, and the triangle that covers everything."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._targets: dict[tuple[Any, ...], Target] = {}
        self._lookups: dict[Intrinsics, Any] = {}
        self._covers: dict[int, Any] = {}

    def target(
        self, number: int, size: tuple[int, int], kinds: tuple[str, ...], samples: int = 0
    ) -> Target:
        """Return the target of the shot of a number; those not used for long are let go."""
        key = number, size, kinds, samples
        found = self._targets.pop(key, None)
        if found is None:
            found = Target(self.context, size, kinds, samples)
        self._targets[key] = found  # the last used is the last
        if len(self._targets) > _MOST:
            self._targets.pop(next(iter(self._targets))).release()
        return found

    def lookup(self, lens: Intrinsics, size: tuple[int, int]) -> Any:
        """Return where each pixel of a bent image lies in the straight one, from 0 to 1."""
        if lens not in self._lookups:
            at = straight_places(lens, self.context.most_side) + 0.5
            data = np.ascontiguousarray(at / size, np.float32)
            self._lookups[lens] = self.context.gl.texture(
                (lens.width, lens.height), 2, data.tobytes(), dtype="f4"
            )
        return self._lookups[lens]

    def cover(self, program: Any) -> None:
        """Draw one triangle over everything."""
        if program.glo not in self._covers:
            self._covers[program.glo] = self.context.gl.vertex_array(program, [])
        self._covers[program.glo].render(mode=_TRIANGLES, vertices=3)


def straight_places(lens: Intrinsics, most_side: int) -> Array:
    """Return columns and rows (h, w, 2) of a lens's pixels in the straight image behind it."""
    p = pinhole_of(lens, most_side)
    out: Array = lens.plane.astype(np.float64) * [p.fx, p.fy] + [p.cx, p.cy]
    return out
