"""A topic at a lower rate than its messages come."""

import pytest

from outrider.bus.thinning import Thinning


@pytest.mark.parametrize("step_ms", [1, 2.5, 3, 7, 10])
def test_the_rate_is_right_whether_or_not_the_step_divides_the_period(step_ms):
    thinning = Thinning(100.0)
    times = [round(i * step_ms * 1e6) for i in range(round(10_000 / step_ms))]
    passed = [time_ns for time_ns in times if thinning.due(time_ns)]
    assert len(passed) == pytest.approx(1000, abs=1)
    late = [time_ns % 10_000_000 for time_ns in passed]
    assert max(late) < step_ms * 1e6


def test_nothing_is_held_back_at_rate_zero_nor_after_time_went_back():
    assert all(Thinning(0.0).due(time_ns) for time_ns in (5, 5, 3))
    thinning = Thinning(10.0)
    assert [thinning.due(t * 10**6) for t in (0, 50, 100, 0, 50, 100)] == [
        True,
        False,
        True,
        True,
        False,
        True,
    ]
