from fractions import Fraction

import pytest

from outrider.core.clock import Schedule, to_ns, to_s
from outrider.core.errors import ConfigError


def test_seconds_and_nanoseconds_convert_without_loss() -> None:
    assert to_ns(0.0025) == 2_500_000
    assert to_s(to_ns(123.456)) == 123.456


@pytest.mark.parametrize("rate_hz", [50.0, 30.0, 7.0, 100 / 3, 400.0, 0.1])
def test_a_schedule_never_drifts_even_if_its_period_is_no_multiple_of_the_step(
    rate_hz: float,
) -> None:
    schedule = Schedule(rate_hz)
    step, due, last = 2_500_000, 0, 0
    steps = to_ns(1000 / rate_hz) // step
    for i in range(steps + 1):
        if schedule.due(i * step):
            due += 1
            last = i * step
    exact = Fraction(due - 1) / Fraction(rate_hz).limit_denominator(1_000_000)
    assert due == 1001 or (due == 1000 and steps * step < to_ns(1000 / rate_hz))
    assert 0 <= last - exact * 10**9 < step


def test_a_phase_shifts_all_due_times() -> None:
    schedule = Schedule(10.0, phase_ns=30_000_000)
    due = [t for t in range(0, 400_000_000, 10_000_000) if schedule.due(t)]
    assert due == [30_000_000, 130_000_000, 230_000_000, 330_000_000]


def test_due_times_that_were_missed_are_not_made_up_for() -> None:
    schedule = Schedule(100.0)
    assert schedule.due(0)
    assert schedule.due(55_000_000)
    assert not schedule.due(57_000_000)
    assert schedule.next_ns == 60_000_000


def test_a_schedule_goes_on_from_its_state() -> None:
    schedule = Schedule(3.0)
    start = schedule.get_state()
    for t in range(0, 10**10, 10**8):
        schedule.due(t)
    other = Schedule(3.0)
    other.set_state(schedule.get_state())
    assert other.next_ns == schedule.next_ns == 10_000_000_000
    schedule.set_state(start)
    assert schedule.due(0)
    assert schedule.next_ns == 333_333_333


@pytest.mark.parametrize("rate_hz", [0.0, 1e-9, -1.0, 1e9, float("inf"), float("nan")])
def test_an_impossible_rate_is_refused(rate_hz: float) -> None:
    with pytest.raises(ConfigError, match="a rate must lie between"):
        Schedule(rate_hz)


@pytest.mark.parametrize("seconds", [1e308, -1e308, float("inf"), float("nan")])
def test_a_time_that_no_integer_can_tell_is_one_sentence(seconds):
    with pytest.raises(ConfigError, match="is too long"):
        to_ns(seconds)
