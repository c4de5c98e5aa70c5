"""Height fields: triangles that are worked out when they are asked for, from the heights alone.

A triangle's number is its cell's row and column and which half it is, cut as wheels, rays and
pictures have it (``heightfield_mesh``). Under the surface all is ground: what gets there comes up.
"""

import numpy as np

from outrider.core.address import doubles, floats
from outrider.core.compiled import compiled_inline as inline
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.records import Ints
from outrider.world.block_tops import BLOCK

_ROW = 24  # bits below a row's number: the whole fits into a float's 53
_COLUMN = (1 << _ROW) - 1
_X, _Y, _DX, _DY, _LOW = range(5)  # the first corner, the size of a cell, the height that is 0


@inline
def _grid(record: Ints) -> Array:  # pragma: no cover - compiled
    return doubles(record[records.GRID], 5)


@inline
def _height(record: Ints, n: int) -> float:  # pragma: no cover - compiled
    """Return height n, over the lowest."""
    if record[records.SINGLE]:
        found = np.float64(floats(record[records.HEIGHTS], n + 1)[n])
    else:
        found = doubles(record[records.HEIGHTS], n + 1)[n]
    over: float = found - _grid(record)[_LOW]
    return over


@inline
def _put(record: Ints, i: int, j: int, out: Array) -> None:  # pragma: no cover - compiled
    """Write where the corner of row i (along x) and column j (along y) is."""
    grid = _grid(record)
    out[0], out[1] = grid[_X] + i * grid[_DX], grid[_Y] + j * grid[_DY]
    out[2] = _height(record, i * record[records.COLUMNS] + j)


@compiled
def load_cell(record: Ints, f: int, corners: Array) -> None:  # pragma: no cover - compiled
    """Fill in the corners of a triangle."""
    i, j, half = f >> _ROW, (f & _COLUMN) >> 1, f & 1
    _put(record, i + half, j, corners[0])
    _put(record, i + 1, j + half, corners[1])
    _put(record, i, j + 1, corners[2])


@compiled
def far_corner(record: Ints, f: int, c: int, out: Array) -> bool:  # pragma: no cover - compiled
    """Write the far corner of the triangle beyond the edge from corner c to c + 1, if there is."""
    i, j = f >> _ROW, (f & _COLUMN) >> 1
    if f & 1:
        i, j = (i + 2, j) if c == 0 else (i, j + 2) if c == 1 else (i, j)
    else:
        i, j = (i + 1, j - 1) if c == 0 else (i + 1, j + 1) if c == 1 else (i - 1, j + 1)
    if i < 0 or j < 0 or i >= record[records.ROWS] or j >= record[records.COLUMNS]:
        return False
    _put(record, i, j, out)
    return True


@compiled
def triangle_over(record: Ints, point: Array) -> int:  # pragma: no cover - compiled
    """Return the triangle on the vertical line through a point, or -1 beside the field."""
    grid, rows, columns = _grid(record), record[records.ROWS], record[records.COLUMNS]
    u, v = (point[0] - grid[_X]) / grid[_DX], (point[1] - grid[_Y]) / grid[_DY]
    if not (0.0 <= u <= rows - 1 and 0.0 <= v <= columns - 1):
        return -1
    i, j = min(int(u), rows - 2), min(int(v), columns - 2)
    far = 1 if u - i + v - j > 1.0 else 0
    return int(i << _ROW | j << 1 | far)


@compiled
def within(record: Ints, low: Array, high: Array) -> bool:  # pragma: no cover - compiled
    """Return whether a box lies over or under the field, and no part of it beside."""
    grid, rows, columns = _grid(record), record[records.ROWS], record[records.COLUMNS]
    x, y = grid[_X] + (rows - 1) * grid[_DX], grid[_Y] + (columns - 1) * grid[_DY]
    return bool(low[0] >= grid[_X] and high[0] <= x and low[1] >= grid[_Y] and high[1] <= y)


@compiled
def next_run(
    record: Ints, low: Array, high: Array, stack: Ints
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return the next triangles, from and up to, whose block of cells reaches up to a box; or 0, 0.

    They are a row of one block. The stack's first number counts those that were looked at, from 1.
    """
    grid, rows, columns = _grid(record), record[records.ROWS], record[records.COLUMNS]
    first_i, last_i = _cells(low[0] - grid[_X], high[0] - grid[_X], grid[_DX], rows)
    first_j, last_j = _cells(low[1] - grid[_Y], high[1] - grid[_Y], grid[_DY], columns)
    if last_i < first_i or last_j < first_j:
        return 0, 0
    across = (columns - 2) // BLOCK + 1
    tops = floats(record[records.TOPS], across * ((rows - 2) // BLOCK + 1))
    per_row = last_j // BLOCK - first_j // BLOCK + 1
    while stack[0] <= (last_i - first_i + 1) * per_row:
        row = (stack[0] - 1) // per_row
        i, block = first_i + row, first_j // BLOCK + stack[0] - 1 - row * per_row
        stack[0] += 1
        if tops[i // BLOCK * across + block] - grid[_LOW] >= low[2]:
            start, end = max(first_j, block * BLOCK), min(last_j, block * BLOCK + BLOCK - 1)
            return i << _ROW | start << 1, i << _ROW | end + 1 << 1
    return 0, 0


@compiled
def _cells(
    low: float, high: float, cell: float, corners: int
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return the first and last cell that a stretch of a line meets; none: 0 and -1."""
    if not (high >= 0.0 and low <= (corners - 1) * cell):
        return 0, -1
    return int(max(low / cell, 0.0)), int(min(high / cell, corners - 2.0))
