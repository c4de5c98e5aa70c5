"""Render targets and look-up textures, created on first use and kept."""

from __future__ import annotations

import numpy as np

from outrider.core.frames import Array
from outrider.core.untyped import GlObject
from outrider.render.gl.camera import pinhole_of
from outrider.render.gl.context import GlContext
from outrider.render.gl.targets import Target
from outrider.render.intrinsics import Intrinsics

_TRIANGLES = 0x0004
_MOST = 48  # targets that are kept
_LAST = 2  # turns whose targets may still be read


class GlCanvas:
    """Targets by their use and size, lookups by lens, and the triangle that covers everything."""

    def __init__(self, context: GlContext) -> None:
        self.context = context
        self._targets: dict[tuple[object, ...], Target] = {}
        self._used: dict[tuple[object, ...], int] = {}  # in which turn
        self._turn = 0
        self._lookups: dict[Intrinsics, GlObject] = {}
        self._covers: dict[int, GlObject] = {}

    def target(
        self, number: int, size: tuple[int, int], kinds: tuple[str, ...], samples: int = 0
    ) -> Target:
        """Return the target of the shot of a number."""
        key = number, size, kinds, samples
        found = self._targets.get(key) or Target(self.context, size, kinds, samples)
        self._targets[key], self._used[key] = found, self._turn
        return found

    def tidy(self) -> None:
        """Let go of targets that were not used for long, before a new turn."""
        self._turn += 1
        old = sorted(self._used, key=self._used.__getitem__)
        for key in old[: max(0, len(old) - _MOST)]:
            if self._used[key] < self._turn - _LAST:
                del self._used[key]
                self._targets.pop(key).release()

    def lookup(self, lens: Intrinsics, size: tuple[int, int]) -> GlObject:
        """Return where each pixel of a bent image lies in the straight one, from 0 to 1."""
        if lens not in self._lookups:
            at = undistorted_pixels(lens, self.context.most_side) + 0.5
            data = np.ascontiguousarray(at / size, np.float32)
            self._lookups[lens] = self.context.gl.texture(
                (lens.width, lens.height), 2, data.tobytes(), dtype="f4"
            )
        return self._lookups[lens]

    def forget_programs(self) -> None:
        """Let go of what belongs to programs that are no more."""
        for array in self._covers.values():
            array.release()
        self._covers.clear()

    def cover(self, program: GlObject) -> None:
        """Draw one triangle over everything."""
        if program.glo not in self._covers:
            self._covers[program.glo] = self.context.gl.vertex_array(program, [])
        self.context.bind(self._covers[program.glo])
        self.context.calls["glDrawArrays"](_TRIANGLES, 0, 3)


def undistorted_pixels(lens: Intrinsics, most_side: int) -> Array:
    """Return columns and rows (h, w, 2) of a lens's pixels in the straight image behind it."""
    p = pinhole_of(lens, most_side)
    out: Array = lens.plane.astype(np.float64) * [p.fx, p.fy] + [p.cx, p.cy]
    return out
