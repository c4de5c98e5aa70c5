"""Very large grounds as triangles in rings around a point, each twice as coarse."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.world.shapes import MappedField, Mesh

HALF = 96  # cells from the middle to the edge of each ring: a multiple of four

Numbers = NDArray[np.int64]


def level_of_detail_mesh(field: MappedField, x: float = 0.0, y: float = 0.0) -> Mesh:
    """Return all of a ground: as fine as it is around a place, coarser ring by ring beyond.

    Rings meet without gaps: on an outer edge, corners that the next ring lacks lie between those
    it has.
    """
    rows, columns = field.heights.shape
    middle = _snapped(x, field.size[0], rows), _snapped(y, field.size[1], columns)
    rings = []
    step, first = 1, True
    while True:
        rings.append(_ring(field, middle, step, first))
        if HALF * step >= 2 * max(rows, columns):
            break
        step, first = 2 * step, False
    starts = np.cumsum([0, *(len(ring.vertices) for ring in rings)])
    faces = np.concatenate([r.faces + s for r, s in zip(rings, starts[:-1], strict=True)])
    vertices = np.concatenate([ring.vertices for ring in rings])
    uv = vertices[:, :2] / np.array(field.size) + 0.5
    return Mesh(vertices, faces.astype(np.int32), uv=uv)


def _snapped(place: float, size: float, count: int) -> int:
    """Return the grid line nearest to a place that also the next ring has."""
    return 2 * round((place / size + 0.5) * (count - 1) / 2)


def _ring(field: MappedField, middle: tuple[int, int], step: int, whole: bool) -> Mesh:
    """Return one ring of cells ``step`` wide; the innermost is a whole square."""
    offset = np.arange(-HALF, HALF + 1) * step
    i, j = _snapped_to(middle[0], step) + offset, _snapped_to(middle[1], step) + offset
    rows, columns = (
        np.clip(line, 0, count - 1) for line, count in zip((i, j), field.heights.shape, strict=True)
    )
    heights = field.heights[np.ix_(rows, columns)].astype(np.float64)
    _straighten(heights)
    cell = [size / (n - 1) for size, n in zip(field.size, field.heights.shape, strict=True)]
    x, y = rows * cell[0] - field.size[0] / 2, columns * cell[1] - field.size[1] / 2
    vertices = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    return Mesh(vertices, _faces(rows, columns, i, j, middle, step, whole))


def _snapped_to(line: int, step: int) -> int:
    """Return a ring's middle: on the lines of this ring and, at its edge, of the next."""
    return int(np.floor(line / (2 * step))) * 2 * step


def _straighten(heights: Array) -> None:
    for edge in (heights[0], heights[-1], heights[:, 0], heights[:, -1]):
        edge[1:-1:2] = (edge[:-2:2] + edge[2::2]) / 2


def _faces(
    rows: Numbers,
    columns: Numbers,
    i: Numbers,
    j: Numbers,
    middle: tuple[int, int],
    step: int,
    whole: bool,
) -> NDArray[np.int32]:
    """Return two triangles per cell, without cells off the ground or in the ring within."""
    kept = (np.diff(rows)[:, None] > 0) & (np.diff(columns)[None, :] > 0)
    if not whole:
        half = step // 2
        low_i, low_j = (_snapped_to(m, half) - HALF * half for m in middle)
        inside_i = (i[:-1] >= low_i) & (i[1:] <= low_i + 2 * HALF * half)
        inside_j = (j[:-1] >= low_j) & (j[1:] <= low_j + 2 * HALF * half)
        kept &= ~(inside_i[:, None] & inside_j[None, :])
    n = len(columns)
    a, b = np.nonzero(kept)
    corner = (a * n + b).astype(np.int32)[:, None]
    return (corner + np.array([0, n, 1, n, n + 1, 1], np.int32)).reshape(-1, 3)
