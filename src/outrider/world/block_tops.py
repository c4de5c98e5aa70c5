"""The highest points of blocks of a height field's cells: what is above them touches none."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

BLOCK = 8  # cells of a block, along x and along y

Tops = NDArray[np.float32]


def no_tops(shape: tuple[int, ...]) -> Tops:
    """Return a field's blocks before any of its rows was seen."""
    return np.full([-(-(n - 1) // BLOCK) for n in shape], -np.inf, np.float32)


def raise_tops(tops: Tops, rows: NDArray[np.float32], first: int) -> None:
    """Work some rows into the highest points of all blocks they are a part or a border of."""
    across = tops.shape[1]
    per_row = np.full((len(rows), across), -np.inf, np.float32)
    for j in range(across):
        per_row[:, j] = rows[:, j * BLOCK : (j + 1) * BLOCK + 1].max(axis=1)
    number = first + np.arange(len(rows))
    for block in (number // BLOCK, (number - 1) // BLOCK):
        inside = (block >= 0) & (block < len(tops))
        np.maximum.at(tops, block[inside], per_row[inside])


def block_tops(heights: Array) -> Tops:
    """Return the tops of a whole field, rounded up."""
    tops = no_tops(heights.shape)
    raise_tops(tops, np.nextafter(heights.astype(np.float32), np.float32(np.inf)), 0)
    return tops
