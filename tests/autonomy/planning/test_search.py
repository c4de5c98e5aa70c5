"""The global plan against an independent search."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import lil_matrix
from scipy.sparse.csgraph import dijkstra

from outrider.autonomy.mapping.map_files import GridMap
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.autonomy.planning.global_planner import GlobalPlanner
from outrider.autonomy.planning.search_kernels import cheapest_way
from outrider.autonomy.planning.spec import GlobalPlannerSpec, InflationSpec


def cost_of(way: np.ndarray, price: np.ndarray) -> float:
    columns = price.shape[1]
    total = 0.0
    for a, b in pairwise(way):
        (r0, c0), (r1, c1) = divmod(int(a), columns), divmod(int(b), columns)
        total += np.hypot(r1 - r0, c1 - c0) * 0.5 * (price[r0, c0] + price[r1, c1])
    return total


def cheapest(price: np.ndarray, start: int, goal: int) -> float:
    rows, columns = price.shape
    graph = lil_matrix((price.size, price.size))
    for r in range(rows):
        for c in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                i, j = r + dr, c + dc
                if 0 <= i < rows and 0 <= j < columns and np.isfinite(price[r, c] + price[i, j]):
                    length = np.hypot(dr, dc) * 0.5 * (price[r, c] + price[i, j])
                    graph[r * columns + c, i * columns + j] = length
    return float(dijkstra(graph.tocsr(), directed=False, indices=start)[goal])


@pytest.mark.parametrize("guided", [True, False])
def test_ways_are_the_cheapest_there_are(guided: bool) -> None:
    random = np.random.default_rng(5)
    for _ in range(12):
        price = 1.0 + 4.0 * random.random((14, 17))
        price[random.random(price.shape) < 0.3] = np.inf
        price[0, 0] = price[-1, -1] = 1.0
        way = cheapest_way(price, 0, price.size - 1, guided)
        best = cheapest(price, 0, price.size - 1)
        if len(way):
            assert cost_of(way, price) == pytest.approx(best, rel=1e-12)
            assert np.isfinite(price.ravel()[way]).all()
        else:
            assert best == np.inf


def planner() -> GlobalPlanner:
    return GlobalPlanner(GlobalPlannerSpec(), FootprintSpec(), InflationSpec())


def test_unknown_space_may_be_crossed_and_a_known_wall_may_not() -> None:
    values = np.full((80, 80), -1, np.int8)
    values[:60, 40] = 100  # a wall with a gap at its upper end
    plan = planner().plan(
        GridMap(values, 0.1, np.zeros(3)), np.array([1.0, 2.0]), np.array([7.0, 2.0])
    )
    assert plan is not None
    assert np.hypot(*(plan[-1] - [7.0, 2.0])) < 0.1
    crossing = plan[np.abs(plan[:, 0] - 4.05).argmin()]
    assert crossing[1] > 6.2 or crossing[1] < -0.2  # around one end or the other


def test_no_way_out_of_a_closed_yard() -> None:
    values = np.zeros((60, 60), np.int8)
    values[10, 10:50] = values[49, 10:50] = values[10:50, 10] = values[10:50, 49] = 100
    plan = planner().plan(
        GridMap(values, 0.1, np.zeros(3)), np.array([3.0, 3.0]), np.array([5.7, 5.7])
    )
    assert plan is None
