import pytest
from tools.scheduler_simulation import Costs, simulate

IDEAL = Costs(run_s=4.0, spread=0.0, build_s=0.0, head_s=0.0, life_s=1e18)


def test_without_overhead_the_work_is_shared_evenly():
    found = simulate(1000, 10, IDEAL)
    assert found.wall_s == pytest.approx(1000 * 4.0 / 10)
    assert found.busy == pytest.approx(1.0)


def test_more_workers_than_the_head_can_feed_wait_for_it():
    slow_head = Costs(run_s=1.0, spread=0.0, build_s=0.0, head_s=0.1, life_s=1e18)
    found = simulate(5000, 100, slow_head)  # it feeds ten
    assert found.wall_s == pytest.approx(5000 * 0.1, rel=0.01)
    assert found.busy == pytest.approx(0.1, rel=0.02)


def test_runs_of_workers_that_die_are_done_again():
    mortal = Costs(run_s=10.0, spread=0.0, build_s=0.0, head_s=0.0, life_s=100.0)
    found = simulate(4000, 20, mortal)
    tries = 1 / 0.904837418  # a run outlives its worker with 1 - exp(-10 / 100)
    assert found.repeated == pytest.approx(4000 * (tries - 1), rel=0.1)
