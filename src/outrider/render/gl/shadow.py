"""Shadow maps of one light: cascades around the camera, each three times as wide as the last.

What never moves is drawn once, and again only when the camera has left the middle of a cascade.
Cascades lie on a fixed grid, so that the same place has the same texels from wherever it is seen:
shadows do not crawl. Bodies whose shadow may be seen are drawn over it; what they cover is kept
first, and put back before they are drawn elsewhere.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.untyped import GlObject
from outrider.render.gl.canvas import GlCanvas
from outrider.render.gl.cascades import MOST_LEVELS, SLACK, STEPS, Cascades
from outrider.render.gl.context import GlContext
from outrider.render.gl.cull import Flags, Frustum, Runs, coarsest, inside, runs_of
from outrider.render.gl.models import Models
from outrider.render.gl.targets import DEPTH_BIT
from outrider.render.gl.uniforms import Block
from outrider.render.gl.vertex_buffers import STATIC

_SLOPE, _UNITS = 2.5, 1.0  # depth given away, in texels of slope
_LIFT = 0.35  # and in texels
_CAST_OFF = 0.25  # texels that coarser versions may be off
_CLAMP = 0x864F
_FINE = 0.25  # texels: a map whose steps of depth are finer has 16 bits
_PLANE, _DEPTH = 0x0DE1, 0x1902
_DEPTH_16, _SHORT, _DEPTH_FLOAT, _FLOAT = 0x81A5, 0x1403, 0x8CAC, 0x1406
_PATCH = 128  # texels, a side of what is covered is a multiple of it
TexelRect = tuple[int, int, int, int]  # column, row, width, height


class Shadow:
    """The maps of one light."""

    def __init__(
        self,
        models: Models,
        canvas: GlCanvas,
        copier: GlObject,
        towards: Array,
        box: tuple[Array, Array],
        cascades: Cascades,
        number: int,
    ) -> None:
        context = canvas.context
        self._context, self._models, self._number = context, models, number
        self._canvas, self._copier = canvas, copier
        self._axes = axes_of(towards)
        corners = np.stack(np.meshgrid(*zip(*box, strict=True)), axis=-1).reshape(-1, 3)
        heights = corners @ self._axes[2]
        self._top, self._bottom = float(heights.max()) + 5.0, float(heights.min()) - 5.0
        self._middle = self._axes[:2] @ corners.mean(axis=0)
        self._cascades, self._halves = cascades, cascades.halves
        self._centres: list[tuple[int, int] | None] = [None] * len(cascades.halves)
        texels_per_m = [cascades.texels_per_m(level) for level in range(len(cascades.halves))]
        self._texel = 1 / np.array(texels_per_m)
        short = (self._top - self._bottom) / 65535 < _FINE * self._texel[0]
        self._map = DepthMap(context, cascades.atlas, short=short)
        self._covered = [CoveredDepth(context, short) for _ in cascades.halves]
        self._drawn: bytes = b""

    @property
    def texture(self) -> GlObject:
        """The map that pictures look into."""
        return self._map.texture

    def prepare(self, eye: Array, seen: Flags, middle: Array, half: Array, frames: Array) -> None:
        """Bring the maps up to date for a camera, with some of the bodies that move."""
        middle, half = middle @ self._axes.T, half @ np.abs(self._axes).T
        stale = self._stale(self._middle if self._cascades.whole else self._axes[:2] @ eye)
        poses = frames[self._models.chunks.owner[seen]].tobytes() + seen.tobytes()
        if not stale and poses == self._drawn:
            return
        self._drawn = poses
        for covered in self._covered:
            if covered.rect:
                self._copy(covered.map, self._map, covered.rect, covered.shift)
        for level in stale:
            self._draw_still(level, middle, half, frames)
        self._draw_bodies(seen, middle, half, frames)
        self._map.texture.compare_func = "<="

    def release(self) -> None:
        """Let go of the maps."""
        self._map.release()
        for covered in self._covered:
            covered.release()

    def write(self, block: Block, eye: Array) -> None:
        """Tell the programs where the cascades are, from a camera."""
        frame, place = self._frame(), self._axes[:2] @ eye
        if self._cascades.whole:
            frame[:2] *= self._cascades.scale[0]
            frame[:2, 3] = self._at(0, np.zeros(2))
        else:
            frame[:2, 3] = -place
        frame[3, 0] = 1 / (self._top - self._bottom)
        block["shadow_frame"][self._number] = frame.T
        for level in range(len(self._halves)):
            row = block["shadow_level"][self._number * MOST_LEVELS + level]
            row[:2] = self._at(level, place)

    def _at(self, level: int, place: Array) -> Array:
        """Return where a place is in a cascade of the map, from 0 to 1."""
        off = (place - self._centre(level)) * self._cascades.texels_per_m(level)
        texels = np.array(self._cascades.corner(level)) + self._cascades.side / 2 + off
        out: Array = texels / self._cascades.atlas
        return out

    def casters(self, views: list[Frustum], middle: Array, half: Array) -> Flags:
        """Return which bodies may throw a shadow where one of some cameras sees it."""
        found = np.zeros(len(middle), np.bool_)
        moving = np.nonzero(self._models.chunks.owner != STATIC)[0]
        middle, half = middle[moving], half[moving]
        far = middle @ self._axes[2] + half @ np.abs(self._axes[2]) - self._bottom
        way = -self._axes[2] * far[:, None]
        for view in views:
            gap = np.linalg.norm(middle - view.eye, axis=1) + far
            level = np.searchsorted(self._cascades.reach, gap).clip(max=len(self._halves) - 1)
            edge = 2 * self._texel[level]  # a style goes to the texels beside it
            found[moving] |= inside(view.planes, middle, half + edge[:, None], way)
        return found

    def _stale(self, place: Array) -> list[int]:
        """Move the cascades whose middle the camera has left, and return which."""
        moved = []
        for level, half in enumerate(self._halves):
            at, centre = place * (STEPS / (2 * half)), self._centres[level]
            if centre is None or np.abs(at - centre).max() > SLACK:
                self._centres[level] = round(float(at[0])), round(float(at[1]))
                moved.append(level)
        return moved

    def _centre(self, level: int) -> tuple[float, float]:
        step = 2 * self._halves[level] / STEPS
        x, y = self._centres[level] or (0, 0)
        return x * step, y * step

    def _frame(self) -> Array:
        """Return metres across, and depth from 0 (towards the light) to 1, from the world."""
        out = np.eye(4)
        out[:2, :3] = self._axes[:2]
        deep = self._top - self._bottom
        out[2, :3], out[2, 3] = -self._axes[2] / deep, self._top / deep
        return out

    def _draw_still(self, level: int, middle: Array, half: Array, frames: Array) -> None:
        chunks = self._models.chunks
        rows = self._rows(level, middle, half, chunks.owner == STATIC)
        u, v = self._cascades.corner(level)
        rect = u, v, self._cascades.side, self._cascades.side
        self._map.begin(rect)
        self._map.clear()
        self._cast(level, self._runs(level, rows), frames)

    def _draw_bodies(self, seen: Flags, middle: Array, half: Array, frames: Array) -> None:
        """Draw bodies whose shadow is seen, and keep what was there."""
        for level, covered in enumerate(self._covered):
            rows = self._rows(level, middle, half, seen)
            rows = rows[~self._within(level - 1, middle[rows], half[rows])]
            covered.rect = self._rect(level, middle[rows], half[rows]) if len(rows) else None
            if covered.rect:
                column, row = covered.shift
                covered.make_room()
                there = 0, 0, covered.rect[2], covered.rect[3]
                self._copy(self._map, covered.map, there, (-column, -row))
                self._map.begin(covered.rect)
                self._cast(level, self._runs(level, rows), frames)

    def _rows(self, level: int, middle: Array, half: Array, among: Flags) -> NDArray[np.int64]:
        """Return the chunks that reach into a cascade."""
        off = np.abs(middle[:, :2] - self._centre(level))
        return np.nonzero(among & (off < self._halves[level] + half[:, :2]).all(axis=1))[0]

    def _within(self, level: int, middle: Array, half: Array) -> Flags:
        """Return which boxes lie wholly in a cascade that is looked at first."""
        if level < 0:
            return np.zeros(len(middle), np.bool_)
        off = np.abs(middle[:, :2] - self._centre(level)) + half[:, :2]
        away = SLACK * 2 * self._halves[level] / STEPS  # that a camera may be from the centre
        return np.asarray((off < self._cascades.reach[level] - away).all(axis=1))

    def _rect(self, level: int, middle: Array, half: Array) -> TexelRect:
        """Return the texels around boxes."""
        scale, side = self._cascades.texels_per_m(level), self._cascades.side
        low = (middle[:, :2] - half[:, :2]).min(axis=0) - self._centre(level)
        high = (middle[:, :2] + half[:, :2]).max(axis=0) - self._centre(level)
        first = np.clip(np.floor(low * scale) + side // 2 - 2, 0, side).astype(int)
        last = np.clip(np.ceil(high * scale) + side // 2 + 2, 0, side).astype(int)
        u, v = self._cascades.corner(level)
        w, h = last - first
        return int(u + first[0]), int(v + first[1]), int(w), int(h)

    def _runs(self, level: int, rows: NDArray[np.int64]) -> list[Runs]:
        allowed = np.full(len(rows), _CAST_OFF / self._cascades.texels_per_m(level))
        return runs_of(self._models.chunks, rows, coarsest(self._models.chunks, rows, allowed))

    def _copy(
        self, source: DepthMap, to: DepthMap, rect: TexelRect, shift: tuple[int, int]
    ) -> None:
        """Let a part of a map be as the other is, some columns and rows away."""
        gl = self._context.gl
        to.begin(rect)
        gl.viewport, gl.depth_func = (0, 0, *to.size), "1"
        source.texture.compare_func = ""
        source.texture.use(0)
        self._copier["shift"].value = shift
        self._canvas.cover(self._copier)

    def _cast(self, level: int, runs: list[Runs], frames: Array) -> None:
        """Draw into the map's cascade, a little further from the light than things are."""
        gl, half = self._context.gl, self._halves[level]
        x, y = self._centre(level)
        matrix = self._frame()
        matrix[2, 3] += _LIFT / self._cascades.texels_per_m(level) / (self._top - self._bottom)
        matrix[0, 3], matrix[1, 3] = -x, -y
        matrix[:2] /= half
        u, v = self._cascades.corner(level)
        gl.viewport = u, v, self._cascades.side, self._cascades.side
        gl.depth_func, gl.polygon_offset = "<", (_SLOPE, _UNITS)
        gl.enable_direct(_CLAMP)
        self._models.draw(runs, frames, "shadow", light=matrix)
        gl.disable_direct(_CLAMP)
        gl.polygon_offset = 0.0, 0.0


class DepthMap:
    """One depth texture with what is needed to draw into it."""

    def __init__(self, context: GlContext, size: tuple[int, int], *, short: bool = False) -> None:
        """Make one of floats, or of 16 bits: both are copied without loss, 24 bits are not."""
        self.size = size
        self._calls = context.calls
        self.texture = context.gl.depth_texture((1, 1))  # moderngl does not get to know its size
        self.texture.use(0)
        kind, word = (_DEPTH_16, _SHORT) if short else (_DEPTH_FLOAT, _FLOAT)
        context.calls["glTexImage2D"](_PLANE, 0, kind, *size, 0, _DEPTH, word, None)
        self.texture.compare_func = ""
        self.texture.repeat_x = self.texture.repeat_y = False
        self.buffer = context.gl.framebuffer(depth_attachment=self.texture)

    def release(self) -> None:
        """Let go of it."""
        self.buffer.release()
        self.texture.release()

    def begin(self, rect: TexelRect) -> None:
        """Draw into a part of it."""
        self.buffer.scissor = rect
        self.buffer.use()

    def clear(self) -> None:
        """Let nothing be in the part that is drawn into."""
        self._calls["glClearDepth"](1.0)
        self._calls["glClear"](DEPTH_BIT)


class CoveredDepth:
    """What bodies cover in a cascade: a part of the map as it is without them."""

    def __init__(self, context: GlContext, short: bool) -> None:
        self._context, self._short = context, short
        self._map: DepthMap | None = None
        self.rect: TexelRect | None = None  # of the whole map; none: nothing is covered

    @property
    def map(self) -> DepthMap:
        """Where it is kept."""
        assert self._map
        return self._map

    @property
    def shift(self) -> tuple[int, int]:
        """Columns and rows from the whole map to this one."""
        assert self.rect
        return -self.rect[0], -self.rect[1]

    def make_room(self) -> None:
        """Be large enough for what is covered now."""
        assert self.rect
        size = self._map.size if self._map else (0, 0)
        wanted = tuple(math.ceil(side / _PATCH) * _PATCH for side in self.rect[2:])
        if wanted[0] > size[0] or wanted[1] > size[1]:
            self.release()
            size = max(wanted[0], size[0]), max(wanted[1], size[1])
            self._map = DepthMap(self._context, size, short=self._short)

    def release(self) -> None:
        """Let go of it."""
        if self._map:
            self._map.release()
        self._map = None


def axes_of(towards: Array) -> Array:
    """Return across, along and towards the light, as rows."""
    z = np.asarray(towards, np.float64)
    z = z / np.linalg.norm(z)
    helper = np.array([0.0, 0.0, 1.0]) if abs(z[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z])
