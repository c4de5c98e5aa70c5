"""Which chunks are visible, and at which level of detail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.render.gl.vertex_buffers import Chunks

MOST_OFF_PX = 1.0  # of a coarser version on the image, by a figure that is twice too careful
Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Frustum:
    """Where a camera is, and the planes (k, 4) around all that it may see."""

    eye: Array
    planes: Array


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Triangles to draw with one style in one frame: starts in bytes, and counts of indices."""

    owner: int
    style: int
    starts: NDArray[np.int64]
    counts: NDArray[np.int32]


def boxes_in_world(chunks: Chunks, frames: Array) -> tuple[Array, Array]:
    """Return middles and half sizes (n, 3) of upright boxes around chunks that moved.

    ``frames`` (m, 4, 4) are the owners' frames; the last one belongs to what never moves.
    """
    middle, half = (chunks.low + chunks.high) / 2, (chunks.high - chunks.low) / 2
    owner = chunks.owner
    rotation = frames[owner, :3, :3]
    moved: Array = np.einsum("nij,nj->ni", rotation, middle) + frames[owner, :3, 3]
    return moved, np.einsum("nij,nj->ni", np.abs(rotation), half)


def inside(planes: Array, middle: Array, half: Array, way: Array | None = None) -> Flags:
    """Return which boxes reach into the space above all planes (k, 4), going some way (n, 3)."""
    height = middle @ planes[:, :3].T + planes[:, 3] + half @ np.abs(planes[:, :3]).T
    if way is not None:
        height += np.maximum(way @ planes[:, :3].T, 0.0)
    return np.asarray((height >= 0).all(axis=1))


def frustum(clip_from_world: Array) -> Array:
    """Return the six planes (6, 4) of what a projection keeps; depth runs from 0 to 1."""
    x, y, z, w = clip_from_world
    planes: Array = np.stack([w + x, w - x, w + y, w - y, z, w - z])
    return planes


def coarsest(chunks: Chunks, rows: Rows, allowed: Array) -> Rows:
    """Return for each chunk the coarsest version that is off by no more than allowed, in m."""
    fits = chunks.error[rows] <= allowed[:, None]
    return np.asarray(fits.sum(axis=1) - 1, np.int64)


def runs_of(chunks: Chunks, rows: Rows, versions: Rows) -> list[Runs]:
    """Group chunks, in the order given, by owner and style."""
    kinds = chunks.owner[rows].astype(np.int64) * 65536 + chunks.style[rows]
    _, first = np.unique(kinds, return_index=True)
    out = []
    for kind in kinds[np.sort(first)]:
        own = kinds == kind
        row, version = rows[own], versions[own]
        starts = chunks.first[row, version] * 4
        counts = chunks.count[row, version].astype(np.int32)
        out.append(Runs(int(chunks.owner[row[0]]), int(chunks.style[row[0]]), starts, counts))
    return out


def seen(
    chunks: Chunks, middle: Array, half: Array, clip_from_world: Array, eye: Array, focal: float
) -> list[Runs]:
    """Return what a camera sees, the nearest first; ``focal`` in pixels."""
    rows = np.nonzero(inside(frustum(clip_from_world), middle, half))[0]
    gap = np.maximum(np.abs(eye - middle[rows]) - half[rows], 0.0)
    distance = np.sqrt((gap * gap).sum(axis=1))
    order = np.argsort(distance, kind="stable")
    rows, distance = rows[order], distance[order]
    return runs_of(chunks, rows, coarsest(chunks, rows, distance * (MOST_OFF_PX / focal)))
