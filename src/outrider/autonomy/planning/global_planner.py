"""The global planner: a path through free and unknown space, around known obstacles."""

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.planning.costmap import INSCRIBED, CostMap, inflate
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.search_kernels import cheapest_way
from outrider.autonomy.planning.spec import GlobalPlannerSpec, InflationSpec
from outrider.core.frames import Array

_MOST_CELLS = 20_000_000


class GlobalPlanner:
    """Plans on a window of the map that contains both start and goal."""

    def __init__(
        self, spec: GlobalPlannerSpec, footprint: FootprintSpec, inflation: InflationSpec
    ) -> None:
        self._spec = spec
        self._footprint = footprint
        self._inflation = inflation
        self.costmap: CostMap | None = None

    def plan(self, grid: GridMap, start: Array, goal: Array) -> Array | None:
        """Return positions (n, 2) from start to goal (x, y each); None if there is no path."""
        window, origin = _window(grid, start, goal, self._spec.margin)
        resolution = grid.resolution
        costs = inflate(window >= 65, resolution, self._footprint, self._inflation)
        self.costmap = CostMap(costs, resolution, origin)
        price = 1.0 + self._spec.obstacle_price * (costs / 252.0) ** 2
        price[window < 0] += self._spec.unknown_price
        price[costs >= INSCRIBED] = np.inf
        first = self.costmap.cell(*start)
        _leave(price, first)
        last = _nearest_free(
            price, self.costmap.cell(*goal), round(self._spec.goal_slack / resolution)
        )
        if last is None:
            return None
        columns = price.shape[1]
        way = cheapest_way(
            price,
            first[0] * columns + first[1],
            last[0] * columns + last[1],
            self._spec.algorithm != "dijkstra",
        )
        if not len(way):
            return None
        cells = np.stack([way // columns, way % columns], axis=1)
        return smooth(self.costmap.place(cells))


def smooth(path: Array, rounds: int = 3) -> Array:
    """Return a path with rounded corners and the same ends."""
    out = path.copy()
    for _ in range(rounds * 2 if len(path) > 2 else 0):
        out[1:-1] = 0.25 * out[:-2] + 0.5 * out[1:-1] + 0.25 * out[2:]
    return out


def _window(
    grid: GridMap, start: Array, goal: Array, margin: float
) -> tuple[NDArray[np.int8], Array]:
    """Return the part of a map around start and goal; unknown outside the map."""
    resolution = grid.resolution
    rows, columns = grid.values.shape
    corner = np.round(grid.origin[:2] / resolution).astype(np.int64)
    low = np.floor((np.minimum(start, goal) - margin) / resolution).astype(np.int64)
    high = np.ceil((np.maximum(start, goal) + margin) / resolution).astype(np.int64)
    known_low, known_high = corner, corner + np.array([columns, rows])
    if (known_high - known_low).prod() < _MOST_CELLS // 4:  # the whole map may offer a way round
        low, high = np.minimum(low, known_low), np.maximum(high, known_high)
    width, height = (high - low).tolist()
    window = np.full((height, width), -1, np.int8)
    a, b = np.maximum(low, known_low), np.minimum(high, known_high)
    if (a < b).all():
        window[a[1] - low[1] : b[1] - low[1], a[0] - low[0] : b[0] - low[0]] = grid.values[
            a[1] - corner[1] : b[1] - corner[1], a[0] - corner[0] : b[0] - corner[0]
        ]
    return window, low.astype(np.float64) * resolution


def _leave(price: NDArray[np.float64], cell: tuple[int, int]) -> None:
    """Let a robot that is too close to an obstacle drive out, at a cost."""
    row, column = cell
    near = price[max(0, row - 6) : row + 7, max(0, column - 6) : column + 7]
    near[np.isinf(near)] = 100.0


def _nearest_free(
    price: NDArray[np.float64], cell: tuple[int, int], reach: int
) -> tuple[int, int] | None:
    row, column = cell
    if np.isfinite(price[row, column]):
        return cell
    r0, c0 = max(0, row - reach), max(0, column - reach)
    free = np.argwhere(np.isfinite(price[r0 : row + reach + 1, c0 : column + reach + 1]))
    if not len(free):
        return None
    far = ((free + np.array([r0 - row, c0 - column])) ** 2).sum(axis=1)
    best = free[int(far.argmin())] + np.array([r0, c0])
    return int(best[0]), int(best[1])
