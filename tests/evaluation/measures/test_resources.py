import time

import pytest

from outrider.evaluation.measures.rates import real_time_factor
from outrider.evaluation.measures.resources import COLUMNS, ResourceWatch, resource_figures


def test_a_busy_process_uses_its_processor_and_is_looked_at_again_and_again():
    watch = ResourceWatch(lambda: 7.0, period_s=0.1)
    watch.start()
    end_s = time.perf_counter() + 1.0
    while time.perf_counter() < end_s or len(watch.rows) < 2:
        sum(range(1000))
    rows = watch.stop()
    figures = resource_figures(rows)
    assert figures["samples"] == len(rows) >= 2
    assert figures["cpu_percent"] > 5  # of one core; others may want it, too
    assert figures["memory_mb"] > 20
    assert figures["memory_max_mb"] > figures["memory_mb"] - 1e-6  # a mean is rounded
    assert figures["threads"] >= 2
    assert all(len(row) == len(COLUMNS) and row[1] == 7.0 for row in rows)


def test_a_run_shorter_than_a_second_still_has_figures():
    watch = ResourceWatch(lambda: 0.0, period_s=100.0)
    watch.start()
    assert len(watch.stop()) == 1
    assert resource_figures([]) == {}


def test_equation_2_sums_before_it_divides():
    runs = [{"sim_time_s": 10, "wall_time_s": 5}, {"sim_time_s": 10, "wall_time_s": 15}]
    assert real_time_factor(runs) == pytest.approx(1.0)
    assert real_time_factor([]) == 0.0
