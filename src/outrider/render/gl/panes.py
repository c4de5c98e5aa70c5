"""Transparent triangles: drawn last, over what is solid, the farthest first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.geometry import DrawGroup, Drawing, DrawPiece
from outrider.render.gl.context import GlContext
from outrider.render.gl.cull import Flags, Runs, inside
from outrider.render.gl.models import Models
from outrider.render.gl.programs import ShaderPrograms
from outrider.render.gl.vertex_buffers import VertexBuffers, vertex_buffers_of

_SIDE = 0.5  # m: larger triangles are divided, as each is drawn before or behind all of another
_MOST = 20_000  # triangles of a piece: no finer
_LIFT = 64.0  # last places of depth: what lies on a solid surface is before it


class TransparentTriangles:
    """The transparent triangles of a scene."""

    def __init__(self, context: GlContext, programs: ShaderPrograms, drawing: Drawing) -> None:
        buffers = vertex_buffers_of(finer(drawing))
        self._context, self._models = context, Models(context, programs, buffers)
        self._triangles, chunk = _triangles(buffers)
        self._owner, self._style = buffers.chunks.owner[chunk], buffers.chunks.style[chunk]
        styles = buffers.styles
        self._covers = np.array([style.covers for style in styles])[self._style]
        self._returns = np.array([style.returns_infrared for style in styles])[self._style]
        self._absorbs = np.array([style.absorbs_infrared for style in styles])[self._style]
        corners = buffers.vertices["position"][self._triangles].astype(np.float64)
        self._low, self._high = corners.min(axis=1), corners.max(axis=1)
        self._middle: Array = corners.mean(axis=1)

    def use(self, programs: ShaderPrograms) -> None:
        """Draw with other programs from now on."""
        self._models.use(programs)

    def seen(self, planes: Array, frames: Array) -> bool:
        """Return whether a camera may see one of them."""
        half = np.abs(frames[self._owner, :3, :3]) @ ((self._high - self._low) / 2)[..., None]
        middle = _moved(frames, self._owner, (self._low + self._high) / 2)
        return bool(inside(planes, middle, half[..., 0]).any())

    def blend(
        self, shown: Flags, frames: Array, eye: Array, *flags: str, lit: Array | None = None
    ) -> None:
        """Draw those of the owners shown over what is there; ``shown`` ends with the world."""
        away = np.linalg.norm(_moved(frames, self._owner, self._middle) - eye, axis=1)
        order = np.argsort(-away, kind="stable")
        gl, mask = self._context.gl, self._context.calls["glDepthMask"]
        gl.enable(gl.BLEND)
        gl.blend_func = gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA
        gl.depth_func = ">"
        mask(0)
        self._draw(order[shown[self._owner[order]]], frames, "scene", *flags, "PANE", lit=lit)
        mask(1)
        gl.disable(gl.BLEND)

    def measure(self, shown: Flags, frames: Array, infrared: bool, *flags: str) -> None:
        """Draw depth and labels of those that cover more than half of what is behind.

        For infrared light those that return it, and darkness where it is lost.
        """
        here = shown[self._owner]
        solid = self._returns if infrared else self._covers
        self._draw(np.flatnonzero(solid & here), frames, "measure", *flags)
        if infrared:
            self._draw(np.flatnonzero(self._absorbs & here), frames, "measure", *flags, "DARK")

    def _draw(
        self,
        rows: NDArray[np.intp],
        frames: Array,
        name: str,
        *flags: str,
        lit: Array | None = None,
    ) -> None:
        if len(rows):
            self._models.replace_indices(self._triangles[rows])
            runs = _runs(self._owner[rows], self._style[rows])
            self._context.gl.polygon_offset = 0.0, _LIFT
            self._models.draw(runs, frames, name, *flags, lit=lit)
            self._context.gl.polygon_offset = 0.0, 0.0


def finer(drawing: Drawing) -> Drawing:
    """Return a drawing without large triangles."""
    static = drawing.static and _finer_group(drawing.static)
    return replace(drawing, static=static, movers=tuple(map(_finer_group, drawing.movers)))


def _finer_group(group: DrawGroup) -> DrawGroup:
    return replace(group, pieces=tuple(map(_finer_piece, group.pieces)))


def _finer_piece(piece: DrawPiece) -> DrawPiece:
    while 4 * len(piece.faces) <= _MOST and _longest(piece) > _SIDE:
        piece = _divided(piece)
    return piece


def _longest(piece: DrawPiece) -> float:
    corners = piece.vertices[piece.faces]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return float(sides.max(initial=0.0))


def _divided(piece: DrawPiece) -> DrawPiece:
    """Return a piece with every triangle cut into four."""
    faces = piece.faces.astype(np.int64)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    pairs, number = np.unique(edges, axis=0, return_inverse=True)
    ab, bc, ca = len(piece.vertices) + number.reshape(3, -1)
    a, b, c = faces.T
    quarters = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    cut = np.concatenate([np.stack(quarter, axis=1) for quarter in quarters])

    def with_middles(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.concatenate([values, values[pairs].mean(axis=1)]).astype(np.float32)

    return replace(
        piece,
        vertices=with_middles(piece.vertices),
        normals=with_middles(piece.normals),
        uv=None if piece.uv is None else with_middles(piece.uv),
        faces=cut.astype(np.int32),
    )


def _triangles(buffers: VertexBuffers) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """Return the corners (n, 3) of all triangles in full detail, and the chunk of each."""
    chunks = buffers.chunks
    runs = zip(chunks.first[:, 0].tolist(), chunks.count[:, 0].tolist(), strict=True)
    indices = [buffers.indices[first : first + count] for first, count in runs]
    return (
        np.concatenate(indices).reshape(-1, 3),
        np.repeat(np.arange(len(indices)), chunks.count[:, 0] // 3),
    )


def _moved(frames: Array, owner: NDArray[np.int32], points: Array) -> Array:
    out: Array = np.einsum("nij,nj->ni", frames[owner, :3, :3], points) + frames[owner, :3, 3]
    return out


def _runs(owner: NDArray[np.int32], style: NDArray[np.int32]) -> list[Runs]:
    """Return triangles that lie one after the other as runs of one owner and style."""
    changes = np.flatnonzero((np.diff(owner) != 0) | (np.diff(style) != 0)) + 1
    first = np.concatenate([[0], changes])
    count = np.diff(np.append(first, len(owner)))
    return [
        Runs(
            int(owner[start]),
            int(style[start]),
            np.array([12 * start], np.int64),
            np.array([3 * many], np.int32),
        )
        for start, many in zip(first.tolist(), count.tolist(), strict=True)
    ]
