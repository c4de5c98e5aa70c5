"""Lines through a grid against a slow version that tries every cell."""

from fractions import Fraction

import numpy as np

from outrider.autonomy.mapping.grid import LogOddsGrid
from outrider.autonomy.mapping.ray_kernels import trace_free
from outrider.autonomy.mapping.spec import OddsSpec


def crossed(a, b, size, cell=Fraction(1)):
    """All cells whose inside a segment crosses, by clipping it against each of them."""
    found = set()
    (x0, y0), (x1, y1) = a, b
    for j in range(size):
        for i in range(size):
            t0, t1 = Fraction(0), Fraction(1)
            for p, d, low in ((x0, x1 - x0, i), (y0, y1 - y0, j)):
                if d == 0:
                    if not low <= p < low + 1:
                        t0, t1 = Fraction(1), Fraction(0)
                    continue
                u, v = (low - p) / d, (low + 1 - p) / d
                t0, t1 = max(t0, min(u, v)), min(t1, max(u, v))
            if t0 < t1 or (t0 == t1 == 0 and (i, j) == (int(x0), int(y0))):
                found.add((j, i))
    return found


def test_lines_cross_the_cells_of_an_exact_version() -> None:
    random = np.random.default_rng(3)
    for _ in range(60):
        ends = random.integers(0, 14 * 64, (2, 2))
        a, b = ([Fraction(int(v) * 2 + 1, 128) for v in end] for end in ends)
        cells = np.zeros((14, 14), np.float32)
        blocked = np.zeros((15, 15), np.int32)[:14, :14]
        blocked[-1, -1] = 1
        target = np.array([[float(b[0]), float(b[1])]])
        trace_free(cells, float(a[0]), float(a[1]), target, 1.0, blocked, 1.0, -9.0)
        found = {tuple(c) for c in np.argwhere(cells < 0).tolist()}
        assert found - {(13, 13)} == crossed(a, b, 14) - {(13, 13)}


def test_a_cell_seen_twice_by_one_look_counts_once() -> None:
    grid = LogOddsGrid(0.1, OddsSpec(hit=1.0, miss=0.5), (4.0, 4.0))
    hits = np.array([[1.01, 0.02], [1.02, 0.03], [1.05, 0.05]])
    ends = np.array([[0.95, 0.05], [0.95, 0.06], [0.95, 0.04]])
    grid.look(np.array([0.05, 0.05]), hits, ends)
    column, row = ((np.array([1.05, 0.05]) - grid.origin) / 0.1).astype(int)
    assert grid.cells[row, column] == 1.0
    assert grid.cells[row, column - 3] == -0.5
    assert np.count_nonzero(grid.cells) == 11


def test_a_moved_grid_keeps_what_is_still_inside() -> None:
    grid = LogOddsGrid(0.5, OddsSpec(), (4.0, 4.0))
    grid.cells[:] = np.arange(64).reshape(8, 8)
    before = grid.cells.copy()
    grid.recentre(np.array([1.0, -0.5]))
    assert (grid.cells[1:, :6] == before[:7, 2:]).all()
    assert grid.cells[0].max() == 0.0
    grid.cover(np.array([-9.0, -9.0]), np.array([9.0, 9.0]))
    assert (grid.origin < -9.0).all()
    assert grid.cells.max() == before[:7, 2:].max()
