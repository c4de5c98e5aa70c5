import pytest

from outrider.specs.robot import Limits
from outrider.vehicles.limits import Limiter

HUSKY = Limits(speed=1.0, acceleration=3.0, yaw_rate=2.0, yaw_acceleration=6.0)


def speeds(limiter, wanted, dt, count):
    return [limiter.limit(wanted, 0.0, dt)[0] for _ in range(count)]


def test_speed_rises_by_acceleration_times_dt_up_to_the_limit():
    # by hand, rule of diff_drive_controller: v = clamp(v0 + clamp(v - v0, -3 dt, 3 dt), -1, 1)
    expected = [0.15, 0.30, 0.45, 0.60, 0.75, 0.90, 1.0, 1.0]
    assert speeds(Limiter(HUSKY), 5.0, 0.05, 8) == pytest.approx(expected, rel=1e-14)


def test_slowing_down_and_turning_round_are_limited_as_speeding_up_is():
    limiter = Limiter(HUSKY)
    speeds(limiter, 1.0, 0.1, 4)
    assert speeds(limiter, 0.0, 0.1, 5) == pytest.approx([0.7, 0.4, 0.1, 0.0, 0.0], abs=1e-15)
    speeds(limiter, 0.5, 0.1, 2)
    assert speeds(limiter, -0.5, 0.1, 4) == pytest.approx([0.2, -0.1, -0.4, -0.5], abs=1e-15)


def test_yaw_rate_has_its_own_limits():
    limiter = Limiter(HUSKY)
    results = [limiter.limit(0.1, -9.0, 0.1) for _ in range(5)]
    assert [yaw for _, yaw in results] == pytest.approx([-0.6, -1.2, -1.8, -2.0, -2.0])
    assert [speed for speed, _ in results] == [0.1] * 5


@pytest.mark.parametrize("steps", [1, 3, 10, 1000])
def test_the_same_time_gives_the_same_speed_at_any_step(steps):
    assert speeds(Limiter(HUSKY), 1.0, 0.2 / steps, steps)[-1] == pytest.approx(0.6, rel=1e-13)


def test_limits_of_zero_limit_nothing():
    assert Limiter(Limits()).limit(1e6, -1e6, 1e-9) == (1e6, -1e6)


def test_a_speed_limit_alone_acts_at_once():
    assert Limiter(Limits(speed=2.0)).limit(-5.0, 7.0, 0.01) == (-2.0, 7.0)


@pytest.mark.parametrize("limits", [HUSKY, Limits()])
def test_no_time_means_no_change(limits):
    limiter = Limiter(limits)
    assert limiter.limit(1.0, 1.0, 0.0) == (0.0, 0.0)
    assert not limiter.settled


def test_it_settles_on_the_command_exactly():
    limiter = Limiter(HUSKY)
    assert speeds(limiter, 0.7, 0.1, 3)[-1] == 0.7
    assert not limiter.settled
    limiter.limit(0.7, 0.0, 0.1)
    assert limiter.settled


def test_stopping_comes_to_rest_at_once():
    limiter = Limiter(HUSKY)
    speeds(limiter, 1.0, 0.1, 9)
    limiter.stop()
    assert limiter.limit(0.0, 0.0, 1e-3) == (0.0, 0.0)
