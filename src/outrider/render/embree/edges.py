"""Anti-aliasing where it is needed: pixels on the edges of objects, shadows and creases."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.scene.surface import Floats32

Ints = NDArray[np.int32]
_BENT = np.float32(0.97)  # cosine between normals of neighbours: below, there is a crease
_JUMP = np.float32(0.1)  # share of the depth: beyond, one thing stands before another


def sub_pixels(samples: int) -> Floats32:
    """Return points (n, 2) in a pixel, from -0.5 to 0.5: no two in a row or column."""
    i = np.arange(samples)
    across = (i + 0.5) / samples
    down = np.array([_reversed_bits(n) for n in range(samples)]) + 0.5 / samples
    return np.stack([across - 0.5, down - down.mean()], axis=1).astype(np.float32)


def _reversed_bits(number: int) -> float:
    share, digit = 0.0, 0.5
    while number:
        share, digit, number = share + digit * (number & 1), digit / 2, number >> 1
    return share


def list_edges(
    shapes: Ints,
    depth: Floats32,
    normals: Floats32,
    lit: NDArray[np.uint8],
    holes: NDArray[np.uint8],
    rows: slice,
) -> Ints:
    """Return the pixels (n, 2: row, column) of some rows whose neighbours show something else."""
    marked = np.zeros((rows.stop - rows.start, shapes.shape[1]), np.uint8)
    _mark(
        shapes=shapes,
        depth=depth,
        normals=normals,
        lit=lit,
        holes=holes,
        first=rows.start,
        end=rows.stop,
        out=marked,
    )
    found = np.argwhere(marked).astype(np.int32)
    found[:, 0] += rows.start
    return found


def outlines(front: Ints, rows: slice) -> Ints:
    """Return the pixels (n, 2) of some rows on the outline of what is transparent in front."""
    before = max(rows.start - 1, 0)
    near = front[before : rows.stop + 1]
    marked = np.zeros(near.shape, np.bool_)
    for one, other in (
        (np.s_[:, 1:], np.s_[:, :-1]),
        (np.s_[1:], np.s_[:-1]),
    ):
        differ = near[one] != near[other]
        marked[one] |= differ
        marked[other] |= differ
    own = marked[rows.start - before : rows.stop - before]
    found: Ints = np.argwhere(own).astype(np.int32)
    found[:, 0] += rows.start
    return found


@compiled_nogil
def _mark(
    shapes: Ints,
    depth: Floats32,
    normals: Floats32,
    lit: NDArray[np.uint8],
    holes: NDArray[np.uint8],
    first: int,
    end: int,
    out: NDArray[np.uint8],
) -> None:  # pragma: no cover - compiled
    """Mark pixels of rows; ``out`` begins with the first of them."""
    h, w = shapes.shape
    for y in range(max(first - 1, 0), end):
        for x in range(w):
            beside = y >= first and x + 1 < w
            if beside and _differ(shapes, depth, normals, lit, holes, (y, x), (y, x + 1)):
                out[y - first, x] = out[y - first, x + 1] = 1
            if y + 1 < h and _differ(shapes, depth, normals, lit, holes, (y, x), (y + 1, x)):
                if y >= first:
                    out[y - first, x] = 1
                if y + 1 < end:
                    out[y + 1 - first, x] = 1


@compiled_inline
def _differ(
    shapes: Ints,
    depth: Floats32,
    normals: Floats32,
    lit: NDArray[np.uint8],
    holes: NDArray[np.uint8],
    one: tuple[int, int],
    other: tuple[int, int],
) -> bool:  # pragma: no cover - compiled
    (y, x), (j, i) = one, other
    shape = shapes[y, x]
    if shape != shapes[j, i]:
        return True
    if shape < 0 or holes[shape]:
        return False  # among leaves every pixel is an edge: only where they end counts
    if lit[y, x] != lit[j, i]:
        return True
    along = (
        normals[y, x, 0] * normals[j, i, 0]
        + normals[y, x, 1] * normals[j, i, 1]
        + normals[y, x, 2] * normals[j, i, 2]
    )
    if along < _BENT:
        return True
    return bool(abs(depth[y, x] - depth[j, i]) > _JUMP * min(depth[y, x], depth[j, i]))


@compiled_nogil
def sample_points(
    plane: Floats32, pixels: Ints, offsets: Floats32
) -> Floats32:  # pragma: no cover - compiled
    """Return the image points of samples in pixels, between those of the pixels' centres."""
    h, w = plane.shape[0], plane.shape[1]
    count = offsets.shape[0]
    out = np.empty((pixels.shape[0] * count, 2), np.float32)
    for p in range(pixels.shape[0]):
        y, x = pixels[p, 0], pixels[p, 1]
        x0, y0 = min(x, max(w - 2, 0)), min(y, max(h - 2, 0))
        x1, y1 = min(x0 + 1, w - 1), min(y0 + 1, h - 1)
        for s in range(count):
            for k in range(2):
                right = plane[y, x1, k] - plane[y, x0, k]
                down = plane[y1, x, k] - plane[y0, x, k]
                out[p * count + s, k] = (
                    plane[y, x, k] + offsets[s, 0] * right + offsets[s, 1] * down
                )
    return out


@compiled_nogil
def average(
    colour: Floats32, pixels: Ints, count: int, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write the means of so many colours each into pixels; no sample counts for more than white."""
    for p in range(pixels.shape[0]):
        for c in range(3):
            total = np.float32(0.0)
            for s in range(count):
                total += colour[p * count + s, c]
            out[pixels[p, 0], pixels[p, 1], c] = total / np.float32(count)
