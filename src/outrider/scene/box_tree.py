"""A tree of boxes around triangles sorted along a curve: no pointers, children by number."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled

LEAF = 4  # triangles in a leaf

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def places(
    vertices: Floats, faces: Ints, low: Floats, span: float
) -> NDArray[np.int64]:  # pragma: no cover - compiled
    """Return each triangle's place along a curve that fills space."""
    codes = np.empty(len(faces), np.int64)
    for f in range(len(faces)):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        code = np.int64(0)
        for k in range(3):
            middle = (vertices[a, k] + vertices[b, k] + vertices[c, k]) / 3.0
            share = min(max((middle - low[k]) / span, 0.0), 1.0)
            code |= _spread(np.int64(share * 2097151.0)) << k
        codes[f] = code
    return codes


@compiled
def have_area(
    vertices: Floats, faces: Ints, least: float
) -> NDArray[np.bool_]:  # pragma: no cover - compiled
    """Return which triangles are higher, over their longest edge, than the least height."""
    found = np.empty(len(faces), np.bool_)
    for f in range(len(faces)):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        square, ab, bc, ca = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            ab += (vertices[b, k] - vertices[a, k]) ** 2
            bc += (vertices[c, k] - vertices[b, k]) ** 2
            ca += (vertices[a, k] - vertices[c, k]) ** 2
            cross = (vertices[b, i] - vertices[a, i]) * (vertices[c, j] - vertices[a, j]) - (
                vertices[b, j] - vertices[a, j]
            ) * (vertices[c, i] - vertices[a, i])
            square += cross * cross
        found[f] = square > least * least * max(ab, bc, ca)
    return found


@compiled
def _spread(x: np.int64) -> np.int64:  # pragma: no cover - compiled
    """Put two empty bits behind each of the lowest 21."""
    x = (x | x << 32) & 0x1F00000000FFFF
    x = (x | x << 16) & 0x1F0000FF0000FF
    x = (x | x << 8) & 0x100F00F00F00F00F
    x = (x | x << 4) & 0x10C30C30C30C30C3
    return (x | x << 2) & 0x1249249249249249


@compiled
def boxes(vertices: Floats, faces: Ints) -> NDArray[np.float32]:  # pragma: no cover - compiled
    """Return the boxes of a full binary tree: node i has the children 2 i + 1 and 2 i + 2."""
    leaves = (len(faces) + LEAF - 1) // LEAF
    nodes = np.empty((2 * leaves - 1, 6), np.float32)
    for leaf in range(leaves):
        row = nodes[leaves - 1 + leaf]
        for k in range(3):
            low, high = np.inf, -np.inf
            for f in range(leaf * LEAF, min(leaf * LEAF + LEAF, len(faces))):
                for c in range(3):
                    value = vertices[faces[f, c], k]
                    low, high = min(low, value), max(high, value)
            # rounded outwards: single precision is enough for a first look
            row[k] = np.float32(low - 1e-6 * (abs(low) + 1e-3))
            row[k + 3] = np.float32(high + 1e-6 * (abs(high) + 1e-3))
    for i in range(leaves - 2, -1, -1):
        for k in range(3):
            nodes[i, k] = min(nodes[2 * i + 1, k], nodes[2 * i + 2, k])
            nodes[i, k + 3] = max(nodes[2 * i + 1, k + 3], nodes[2 * i + 2, k + 3])
    return nodes
