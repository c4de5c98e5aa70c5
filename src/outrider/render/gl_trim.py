"""Leaf cards without their largest empty part: most of a card's picture is often holes.

One cut is made: more of them cost more triangles than they save pixels.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.geometry import Piece
from outrider.render.light import CUT
from outrider.render.textures import texture_of

_ANGLES = np.deg2rad(np.arange(0, 360, 45))
_AWAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)  # ways that the cut may face
_WORTH = 0.05  # share of the card that it takes off at least
_CELLS = (np.indices((64, 64)).reshape(2, -1).T + 0.5) / 64  # a card, to measure shares of it


def trimmed(piece: Piece) -> Piece:
    """Return a piece whose cards end where their picture does; other pieces as they are."""
    if piece.uv is None or not _within(piece.uv):
        return piece
    away, most = _cut(piece.material.texture, piece.material.colour[3])
    height = most - piece.uv[piece.faces] @ np.array(away)
    some = (height >= 0).any(axis=1)
    corners = np.eye(3)[None].repeat(some.sum(), axis=0)  # shares of a triangle's own corners
    return _rebuilt(piece, piece.faces[some], _clipped(corners, height[some]))


def _within(uv: NDArray[np.float32]) -> bool:
    """Say whether a picture is used once: copies of it have no corners to cut."""
    return bool(uv.min(initial=0.0) > -1e-6 and uv.max(initial=0.0) < 1 + 1e-6)


@lru_cache(maxsize=256)
def _cut(path: str, share: float) -> tuple[tuple[float, float], float]:
    """Return the way that the cut faces, and how far out it lies: outside, the picture is empty."""
    reach = _reach(path, share)
    gone = (reach < _CELLS @ _AWAY.T).mean(axis=0)
    best = int(gone.argmax())
    away = float(_AWAY[best, 0]), float(_AWAY[best, 1])
    return away, float(reach[best]) if gone[best] > _WORTH else np.inf


def _reach(path: str, share: float) -> Array:
    """Return how far the solid part of a picture goes each way, in texture places."""
    solid = texture_of(path).levels[0][..., 3] * (share / 255) >= CUT
    height, width = solid.shape
    row, column = np.nonzero(solid)
    if not len(row):
        return np.full(len(_AWAY), np.inf)
    middle = np.stack([(column + 0.5) / width, 1 - (row + 0.5) / height], axis=1)
    between = np.abs(_AWAY) @ [1.5 / width, 1.5 / height]  # what is between texels is smooth
    return np.asarray((middle @ _AWAY.T).max(axis=0) + between)


def _clipped(corners: Array, height: Array) -> Array:
    """Cut polygons (n, m, 3) off where the height (n, m) of their corners is below nought.

    Polygons are convex; each has one corner more then, the last one repeated where it has fewer.
    """
    n, m, _ = corners.shape
    after, other = np.roll(corners, -1, axis=1), np.roll(height, -1, axis=1)
    crosses = (height >= 0) != (other >= 0)
    share = np.where(crosses, height / np.where(crosses, height - other, 1.0), 0.0)[..., None]
    found = np.stack([corners, corners + share * (after - corners)], axis=2).reshape(n, 2 * m, 3)
    kept = np.stack([height >= 0, crosses], axis=2).reshape(n, 2 * m)
    order = np.argsort(~kept, axis=1, kind="stable")[:, : m + 1]
    last = np.minimum(np.arange(m + 1), kept.sum(axis=1)[:, None] - 1)
    order = np.take_along_axis(order, last, axis=1)
    return np.take_along_axis(found, order[..., None], axis=1)


def _rebuilt(piece: Piece, faces: NDArray[np.integer], corners: Array) -> Piece:
    """Return a piece of polygons (n, m, 3) within faces (n, 3), as triangles."""
    n, m, _ = corners.shape
    numbers = np.arange(n * m).reshape(n, m)
    fans = np.stack(
        [numbers[:, :1].repeat(m - 2, axis=1), numbers[:, 1:-1], numbers[:, 2:]], axis=2
    )
    real = (corners[:, 2:] != corners[:, 1:-1]).any(axis=2)

    def at(values: NDArray[np.float32]) -> NDArray[np.float32]:
        found = np.einsum("nmk,nkj->nmj", corners, values[faces])
        return np.asarray(found.reshape(n * m, -1), np.float32)

    assert piece.uv is not None
    return replace(
        piece, vertices=at(piece.vertices), normals=at(piece.normals), uv=at(piece.uv),
        faces=fans[real].astype(piece.faces.dtype),
    )  # fmt: skip
