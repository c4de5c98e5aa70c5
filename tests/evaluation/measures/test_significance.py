import numpy as np
import pytest

from outrider.evaluation.measures.significance import difference


@pytest.mark.parametrize("seed", range(5))
def test_scipys_welch_test_agrees(seed):
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(seed)
    a, b = random.normal(1, 0.1, 5), random.normal(1 + 0.2 * seed, 0.4, 8)
    expected = stats.ttest_ind(b, a, equal_var=False).pvalue
    assert difference(a, b).p == pytest.approx(expected, rel=1e-9)


def test_equal_runs_differ_surely_or_not_at_all():
    assert difference([1, 1, 1], [1, 1]).p == 1.0
    assert difference([1, 1, 1], [2, 2]).p == 0.0
    assert difference([1, 1], [2, 2]).significant


def test_one_run_says_nothing_about_chance():
    found = difference([2.0], [3.0])
    assert (found.value, found.percent, found.p) == (1.0, 50.0, None)
    assert not found.significant
