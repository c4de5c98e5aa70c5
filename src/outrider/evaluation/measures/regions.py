"""Connected regions of a grid."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled


def regions(
    cells: NDArray[np.bool_], *, corners: bool = True
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the label of each cell's region (0: none) and the number of cells per label.

    Cells belong together that touch by a side or, with ``corners``, by a corner.
    """
    labels = np.zeros(cells.shape, np.int32)
    count = _label(cells, labels, np.empty(cells.size, np.int64), corners)
    return labels, np.bincount(labels.ravel(), minlength=count + 1)


@compiled
def _label(
    cells: NDArray[np.bool_], labels: NDArray[np.int32], queue: NDArray[np.int64], corners: bool
) -> int:  # pragma: no cover - compiled
    rows, columns = cells.shape
    count = 0
    for seed in range(rows * columns):
        if not cells[seed // columns, seed % columns] or labels[seed // columns, seed % columns]:
            continue
        count += 1
        labels[seed // columns, seed % columns] = count
        queue[0] = seed
        done, known = 0, 1
        while done < known:
            row, column = queue[done] // columns, queue[done] % columns
            done += 1
            for r in range(max(0, row - 1), min(rows, row + 2)):
                for c in range(max(0, column - 1), min(columns, column + 2)):
                    side = corners or r == row or c == column
                    if side and cells[r, c] and labels[r, c] == 0:
                        labels[r, c] = count
                        queue[known] = r * columns + c
                        known += 1
    return count
