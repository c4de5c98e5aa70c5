import statistics

import numpy as np
import pytest

from outrider.core.seeds import generator
from outrider.sweeps.falsify.search import Search
from outrider.sweeps.spec import Limit
from outrider.sweeps.verdict import Verdict, judge

PLANTED, RADIUS = np.array([0.83, 0.21, 0.68, 0.35]), 0.12  # about one point in 900 fails
NOMINAL = np.full(4, 0.5)


def verdict(point):
    left = float(np.linalg.norm(point - PLANTED)) - RADIUS
    return Verdict(left < 0, left)


def runs_until_failure(seed):
    search = Search(NOMINAL, generator(seed, "test"))
    for done in range(0, 10_000, 12):
        points = search.propose(12)
        verdicts = [verdict(point) for point in points]
        for number, found in enumerate(verdicts):
            if found.failed:
                return done + number + 1
        search.learn(points, verdicts)
    return 10_000


def test_the_adaptive_search_finds_a_planted_failure_in_fewer_runs_than_a_grid():
    """The coarsest grid that cannot miss the region, walked through in order or at random."""
    axis = np.arange(RADIUS / 2, 1.0, RADIUS)  # in four dimensions half a cell's diagonal
    grid = np.stack(np.meshgrid(*[axis] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    failing = [number for number, point in enumerate(grid) if verdict(point).failed]
    by_chance = (len(grid) + 1) / (len(failing) + 1)  # expected, in random order
    needed = [runs_until_failure(seed) for seed in range(20)]
    assert statistics.median(needed) < min(failing[0], by_chance) / 2
    assert max(needed) < by_chance


def test_the_smallest_failure_comes_near_the_edge_of_the_planted_region():
    search = Search(NOMINAL, generator(1, "test"))
    failing = []
    for _ in range(25):
        points = search.propose(12)
        verdicts = [verdict(point) for point in points]
        failing += [p for p, v in zip(points, verdicts, strict=True) if v.failed]
        search.learn(points, verdicts)
    least = float(np.linalg.norm(PLANTED - NOMINAL)) - RADIUS
    smallest = min(search.size(point) for point in failing)
    assert least <= smallest < least + 0.05


def test_a_search_is_repeated_by_its_seed():
    first, again, other = (Search(NOMINAL, generator(s, "x")) for s in (1, 1, 2))
    points = first.propose(8)
    assert np.array_equal(points, again.propose(8))
    assert not np.array_equal(points, other.propose(8))


@pytest.mark.parametrize(
    ("value", "failed", "margin"), [(0.5, False, 0.5), (1.5, True, -0.5), (-0.2, True, -0.2)]
)
def test_a_limit_says_whether_a_run_failed_and_by_how_much(value, failed, margin):
    line = {"completed": True, "result": {"speed": value}}
    found = judge(line, Limit(figure="speed", least=0.0, most=1.0))
    assert (found.failed, found.margin) == (failed, pytest.approx(margin))


def test_without_a_limit_a_run_fails_that_is_not_completed():
    expectations = [{"value": 3.0, "least": 2.5, "most": 10.0}, {"value": 1.0, "least": 0.9}]
    line = {"completed": False, "result": {"expectations": expectations}}
    assert judge(line, None) == Verdict(True, pytest.approx(0.1))
    assert judge({"completed": True, "result": {}}, None) == Verdict(False, None)
