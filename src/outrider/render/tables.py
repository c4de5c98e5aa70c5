"""A drawing as flat arrays, for compiled code: all groups one after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray
from outrider.render.geometry import DrawGroup, Drawing, DrawPiece
from outrider.render.light import DETAIL_TURN, linear_of
from outrider.render.texture.derivatives import slopes_of
from outrider.render.texture.mipmaps import Texture, texture_of
from outrider.render.texture.planes import write_linear
from outrider.scene.surface import Floats32
from outrider.world.materials import OPAQUE

Ints = NDArray[np.int32]


class Tables(NamedTuple):
    """Shapes are numbered through all groups; ``first_shape`` says where a group's begin."""

    normals: Floats32  # (n, 3), of vertices, in the frame of their group
    uv: Floats32  # (n, 2)
    faces: Ints  # (m, 3), into the vertices
    slopes: Floats32  # (m, 6): how u, then v change over a face, per metre of x, y, z
    first_face: NDArray[np.int64]  # per shape
    colour: Floats32  # (shapes, 4), linear
    texture: Ints  # per shape, -1 for none
    detail: Ints  # the same
    detail_repeat: Floats32  # (shapes, 2)
    detail_turn: Floats32  # (2,): DETAIL_TURN; in a kernel it would be kept on disk with it
    holes: NDArray[np.uint8]  # per shape: whether some of it is not there
    label: Ints  # per shape
    group: Ints  # per shape
    first_shape: Ints  # per group
    texels: NDArray[np.uint16]  # (k, 4): the levels of all textures, linear, each with a border
    first_level: Ints  # per texture, and one more
    level_start: NDArray[np.int64]  # per level, into the texels
    level_size: Ints  # (levels, 2): height, width without the border


def tables_of(drawing: Drawing) -> Tables:
    """Return the arrays of a drawing."""
    groups = groups_of(drawing)
    pieces = [piece for group in groups for piece in group.pieces]
    drawn = [p.material for p in pieces if p.uv is not None]
    paths = list(dict.fromkeys([m.texture for m in drawn] + [m.detail for m in drawn if m.detail]))
    textures = [texture_of(path) for path in paths]
    vertex = np.cumsum([0, *(len(p.vertices) for p in pieces)])
    looks = np.array([_look(p) for p in pieces], np.float32).reshape(-1, 4)
    which = [paths.index(p.material.texture) if p.uv is not None else -1 for p in pieces]
    holes = [looks[i, 3] >= OPAQUE and _cut_out(w, textures) for i, w in enumerate(which)]
    counts = [len(group.pieces) for group in groups]
    texels, first_level, level_start, level_size = _texels(textures)
    return Tables(
        normals=_joined([p.normals for p in pieces], (0, 3), np.float32),
        uv=_joined([_texture_coordinates(p) for p in pieces], (0, 2), np.float32),
        faces=_joined(
            [p.faces + v for p, v in zip(pieces, vertex[:-1], strict=True)], (0, 3), np.int32
        ),
        slopes=_joined([slopes_of(p) for p in pieces], (0, 6), np.float32),
        first_face=np.cumsum([0, *(len(p.faces) for p in pieces)])[:-1].astype(np.int64),
        colour=looks,
        texture=np.array(which, np.int32),
        detail=np.array([_detail(p, paths) for p in pieces], np.int32),
        detail_repeat=np.array([p.material.detail_repeat for p in pieces], np.float32).reshape(
            -1, 2
        ),
        detail_turn=np.array(DETAIL_TURN, np.float32),
        holes=np.array(holes, np.uint8),
        label=np.array([p.label for p in pieces], np.int32),
        group=np.repeat(np.arange(len(groups)), counts).astype(np.int32),
        first_shape=np.cumsum([0, *counts])[:-1].astype(np.int32),
        texels=texels,
        first_level=first_level,
        level_start=level_start,
        level_size=level_size,
    )


def groups_of(drawing: Drawing) -> list[DrawGroup]:
    """Return the static group, if there is one, and all movers."""
    return [*([drawing.static] if drawing.static else []), *drawing.movers]


def _cut_out(texture: int, textures: list[Texture]) -> bool:
    return texture >= 0 and textures[texture].cut_out


def _detail(piece: DrawPiece, paths: list[str]) -> int:
    used = piece.uv is not None and piece.material.detail
    return paths.index(piece.material.detail) if used else -1


def _look(piece: DrawPiece) -> list[float]:
    r, g, b, opacity = piece.material.colour
    if piece.uv is not None:
        return [1.0, 1.0, 1.0, opacity]
    return [*linear_of(np.clip([r, g, b], 0.0, 1.0)).tolist(), opacity]


def _texture_coordinates(piece: DrawPiece) -> Floats32:
    return np.zeros((len(piece.vertices), 2), np.float32) if piece.uv is None else piece.uv


def _joined(parts: list[NDArray[np.generic]], empty: tuple[int, int], dtype: type) -> AnyArray:
    if not parts:
        return np.zeros(empty, dtype)
    return np.ascontiguousarray(np.concatenate(parts), dtype)


def _texels(
    textures: list[Texture],
) -> tuple[NDArray[np.uint16], Ints, NDArray[np.int64], Ints]:
    levels = [level for texture in textures for level in texture.levels] or [_NO_TEXTURE]
    first = np.cumsum([0, *(len(texture.levels) for texture in textures)]).astype(np.int32)
    sizes = np.array([level.shape[:2] for level in levels], np.int32)
    starts = np.cumsum([0, *np.prod(sizes + 2, axis=1)])
    texels = np.empty((starts[-1], 4), np.uint16)
    for level, start, end in zip(levels, starts[:-1], starts[1:], strict=True):
        write_linear(level, texels[start:end])
    return texels, first, starts[:-1].astype(np.int64), sizes


_NO_TEXTURE = np.zeros((1, 1, 4), np.uint8)
