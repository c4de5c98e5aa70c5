"""Solids with right-angled faces only (walls, steps, kerbs), decomposed into boxes."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.mesh import Piece
from outrider.physics.colliders.primitives import axes_of, frame
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Box

MOST_CELLS = 200_000
MOST_BOXES = 400


def boxes(piece: Piece) -> list[tuple[Box, Pose]] | None:
    """Return boxes that fill a closed piece exactly, or None if it is not made of boxes."""
    if not piece.closed or piece.volume <= 0:
        return None
    axes = axes_of(piece)
    if axes is None:
        return None
    lines = [_lines(piece.vertices @ axis, piece.size) for axis in axes]
    if np.prod([len(line) - 1 for line in lines]) > MOST_CELLS:
        return None
    filled = _filled(piece, axes, lines)
    found = _merged(filled)
    if found is None:
        return None
    made = [_box(axes, lines, low, high) for low, high in found]
    total = sum(float(np.prod(box.size)) for box, _ in made)
    return made if abs(total - piece.volume) < 1e-4 * piece.volume else None


def _lines(values: Array, size: float) -> Array:
    """Return the different coordinates along one axis, those that are nearly equal as one."""
    ordered = np.sort(values)
    fresh = np.ones(len(ordered), bool)
    fresh[1:] = np.diff(ordered) > 1e-6 * size
    return ordered[fresh]


def _filled(piece: Piece, axes: Array, lines: list[Array]) -> NDArray[np.bool_]:
    """Return which cells between the lines are inside: their way out meets a back side first."""
    middles = [(line[1:] + line[:-1]) / 2 for line in lines]
    grid = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1)
    points = (grid.reshape(-1, 3) @ axes).astype(np.float32)
    way = np.tile(axes[2].astype(np.float32), (len(points), 1))
    surface = Surface([Geometry(piece.mesh())])
    hits = surface.cast(points, way, np.full(len(points), 1e9, np.float32))
    inside: NDArray[np.bool_] = (hits.shape >= 0) & (np.einsum("ij,ij->i", hits.normal, way) > 0)
    return inside.reshape(grid.shape[:3])


def _merged(filled: NDArray[np.bool_]) -> list[tuple[tuple[int, ...], tuple[int, ...]]] | None:
    """Return blocks of filled cells, each as large as it can grow, from corner to corner."""
    left = filled.copy()
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    while left.any():
        if len(found) == MOST_BOXES:
            return None
        low = tuple(int(k) for k in np.unravel_index(int(np.argmax(left)), left.shape))
        high = [k + 1 for k in low]
        for axis in range(3):
            while high[axis] < left.shape[axis] and _next(left, low, high, axis).all():
                high[axis] += 1
        left[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] = False
        found.append((low, tuple(high)))
    return found


def _next(
    left: NDArray[np.bool_], low: tuple[int, ...], high: list[int], axis: int
) -> NDArray[np.bool_]:
    """Return the layer of cells that a block would grow into."""
    where: list[slice | int] = [slice(a, b) for a, b in zip(low, high, strict=True)]
    where[axis] = high[axis]
    layer: NDArray[np.bool_] = left[tuple(where)]
    return layer


def _box(
    axes: Array, lines: list[Array], low: tuple[int, ...], high: tuple[int, ...]
) -> tuple[Box, Pose]:
    start = np.array([line[k] for line, k in zip(lines, low, strict=True)])
    end = np.array([line[k] for line, k in zip(lines, high, strict=True)])
    x, y, z = (float(edge) for edge in end - start)
    return Box((x, y, z)), frame(axes, (start + end) / 2 @ axes)
