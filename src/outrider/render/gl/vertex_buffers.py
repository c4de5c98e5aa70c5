"""The triangles of a drawing in two buffers, cut into chunks that can be left out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.geometry import DrawGroup, Drawing, DrawPiece
from outrider.render.gl.chunks import Cut, cut_up
from outrider.render.light import linear_of
from outrider.render.relief import relief_height
from outrider.render.texture.mipmaps import texture_of
from outrider.render.transparent import is_transparent

STATIC = -1
VERTEX = np.dtype(
    [
        ("position", np.float32, (3,)),
        ("normal", np.float16, (4,)),
        ("uv", np.float32, (2,)),
        ("colour", np.float16, (4,)),  # square roots of linear light, and opacity
        ("label", np.int32),
    ]
)


@dataclass(frozen=True, slots=True)
class DrawStyle:
    """What is drawn in one go."""

    texture: str = ""  # none
    cut_out: bool = False
    detail: str = ""
    detail_repeat: tuple[float, float] = (1.0, 1.0)
    covers: bool = True  # whether depth and labels show it
    relief: float = 0.0  # how high the ground's relief is, a factor; 0 for none
    relief_exponent: float = 0.0  # of its spectrum
    returns_infrared: bool = True
    absorbs_infrared: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """Runs of triangles (n,), each with a box and coarser versions of itself."""

    owner: NDArray[np.int32]  # row of the drawing's movers, or STATIC
    style: NDArray[np.int32]
    low: Array  # (n, 3), in the owner's frame
    high: Array
    first: NDArray[np.int64]  # (n, levels), in the index buffer
    count: NDArray[np.int64]
    error: Array  # (n, levels), m that the version is off at most


_NO_CHUNKS = Chunks(
    np.zeros(0, np.int32),
    np.zeros(0, np.int32),
    np.zeros((0, 3)),
    np.zeros((0, 3)),
    np.zeros((0, 1), np.int64),
    np.zeros((0, 1), np.int64),
    np.zeros((0, 1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class VertexBuffers:
    """All that the drawing calls read."""

    vertices: NDArray[np.void]
    indices: NDArray[np.uint32]
    styles: list[DrawStyle]
    chunks: Chunks
    relief_seed: int | None


def vertex_buffers_of(drawing: Drawing) -> VertexBuffers:
    """Return the triangles of a drawing, ready for the graphics memory."""
    builder = _Builder(drawing.relief_seed)
    if drawing.static:
        builder.add(STATIC, drawing.static)
    for owner, group in enumerate(drawing.movers):
        builder.add(owner, group)
    return builder.buffers()


class _Builder:
    """Puts meshes one behind the other."""

    def __init__(self, relief_seed: int | None) -> None:
        self._relief_seed = relief_seed
        self._styles: dict[DrawStyle, int] = {}
        self._vertices = [np.zeros(0, VERTEX)]
        self._cuts: list[Cut] = []
        self._owners: list[NDArray[np.int32]] = []  # two columns: owner and style

    def add(self, owner: int, group: DrawGroup) -> None:
        """Add the pieces of one frame, those of the same style together."""
        by_style: dict[DrawStyle, list[DrawPiece]] = {}
        for piece in group.pieces:
            seed = self._relief_seed if owner == STATIC else None
            by_style.setdefault(_style(piece, seed), []).append(piece)
        for style, pieces in by_style.items():
            number = self._styles.setdefault(style, len(self._styles))
            self._add(owner, number, pieces)

    def _add(self, owner: int, style: int, pieces: list[DrawPiece]) -> None:
        vertices = np.concatenate([_vertices(piece) for piece in pieces])
        starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces[:-1])])
        faces = np.concatenate([p.faces + s for p, s in zip(pieces, starts, strict=True)])
        cut = cut_up(np.ascontiguousarray(vertices["position"]), faces)
        self._vertices.append(vertices)
        self._cuts.append(cut)
        self._owners.append(np.tile(np.array([owner, style], np.int32), (len(cut.low), 1)))

    def buffers(self) -> VertexBuffers:
        """Return everything added, with indices counted from the first vertex of all."""
        vertices, cuts = self._vertices, self._cuts
        if not cuts:
            return VertexBuffers(vertices[0], np.zeros(0, np.uint32), [], _NO_CHUNKS, None)
        before = np.cumsum([len(v) for v in vertices])[:-1]
        indices = [c.indices + np.uint32(n) for c, n in zip(cuts, before, strict=True)]
        starts = np.cumsum([0, *(len(run) for run in indices[:-1])])
        owners = np.concatenate(self._owners)
        chunks = Chunks(
            owners[:, 0].copy(),
            owners[:, 1].copy(),
            np.concatenate([c.low for c in cuts]),
            np.concatenate([c.high for c in cuts]),
            np.concatenate([c.first + s for c, s in zip(cuts, starts, strict=True)]),
            np.concatenate([c.count for c in cuts]),
            np.concatenate([c.error for c in cuts]),
        )
        return VertexBuffers(
            np.concatenate(vertices),
            np.concatenate(indices),
            list(self._styles),
            chunks,
            self._relief_seed,
        )


def _style(piece: DrawPiece, seed: int | None) -> DrawStyle:
    """Return how a piece is drawn, with the relief that it has below its mesh."""
    style = replace(
        _look(piece),
        returns_infrared=piece.returns_infrared,
        absorbs_infrared=piece.absorbs_infrared,
    )
    height = relief_height(piece, seed)
    if not height or style.cut_out:
        return style
    return replace(style, relief=height, relief_exponent=piece.material.roughness.slope)


def _look(piece: DrawPiece) -> DrawStyle:
    material = piece.material
    if piece.uv is None:
        return DrawStyle(covers=piece.covers)
    if is_transparent(piece):
        return DrawStyle(material.texture, covers=piece.covers)
    holes = texture_of(material.texture).cut_out
    if not material.detail:
        return DrawStyle(material.texture, holes)
    return DrawStyle(material.texture, holes, material.detail, material.detail_repeat)


def _vertices(piece: DrawPiece) -> NDArray[np.void]:
    out = np.zeros(len(piece.vertices), VERTEX)
    out["position"] = piece.vertices
    out["normal"][:, :3] = piece.normals
    if piece.uv is not None:
        out["uv"] = piece.uv * [1, -1] + [0, 1]  # rows are stored from the top
    colour = np.ones(3) if piece.uv is not None else linear_of(np.array(piece.material.colour[:3]))
    out["colour"][:, :3] = np.sqrt(np.clip(colour, 0, 1))
    out["colour"][:, 3] = piece.material.colour[3]
    out["label"] = piece.label
    return out
