import math

import pytest

from outrider.vehicles.command import CommandInput, DriveCommand

S = 1_000_000_000


def test_a_robot_that_was_told_nothing_stands():
    assert CommandInput(0.25).newest(100 * S) == DriveCommand(0.0, 0.0, None)


def test_a_command_holds_up_to_its_time_out_and_not_a_nanosecond_longer():
    commands = CommandInput(0.25)
    commands.twist(0.5, 0.1, S)
    assert commands.newest(S + 250_000_000) == DriveCommand(0.5, 0.1)
    assert commands.newest(S + 250_000_001) == DriveCommand(0.0, 0.0)


def test_a_time_out_of_zero_never_comes():
    commands = CommandInput(0.0)
    commands.speed(0.5, 0)
    assert commands.newest(10**18).speed == 0.5


def test_after_the_time_out_a_car_keeps_its_steering():
    commands = CommandInput(0.5)
    commands.steering(0.3, 0)
    commands.speed(1.0, 0)
    assert commands.newest(S) == DriveCommand(0.0, 0.0, 0.3)


def test_steering_does_not_keep_an_old_speed_alive():
    commands = CommandInput(0.5)
    commands.speed(1.0, 0)
    commands.steering(0.3, S // 2)
    assert commands.newest(S // 2) == DriveCommand(1.0, 0.0, 0.3)
    assert commands.newest(S // 2 + 1) == DriveCommand(0.0, 0.0, 0.3)


def test_a_twist_takes_the_place_of_steering_and_steering_that_of_a_twist():
    commands = CommandInput(0.0)
    commands.steering(0.3, 0)
    commands.twist(1.0, 0.2, 0)
    assert commands.newest(0) == DriveCommand(1.0, 0.2, None)
    commands.steering(-0.1, 0)
    assert commands.newest(0) == DriveCommand(1.0, 0.0, -0.1)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_values_that_are_no_finite_numbers_are_counted_and_change_nothing(bad):
    commands = CommandInput(0.25)
    commands.twist(0.5, 0.1, 0)
    commands.twist(bad, 0.0, S // 5)
    commands.twist(0.0, bad, S // 5)
    commands.speed(bad, S // 5)
    commands.steering(bad, S // 5)
    assert commands.ignored == 4
    assert commands.newest(S // 5) == DriveCommand(0.5, 0.1)
    assert commands.newest(S // 4 + 1).speed == 0.0  # nor do they renew the time-out


def test_who_sends_what_is_not_finite_is_told_once(capsys, monkeypatch):
    monkeypatch.setattr("outrider.core.process.notices._said", set())
    commands = CommandInput(0.25)
    for _ in range(3):
        commands.twist(math.nan, 0.0, 0)
    assert capsys.readouterr().err.count("not finite was ignored") == 1


def test_two_infinities_that_cancel_are_no_command():
    commands = CommandInput(0.0)
    commands.twist(math.inf, -math.inf, 0)
    assert commands.ignored == 1


def test_large_values_whose_sum_overflows_are_still_finite():
    commands = CommandInput(0.0)
    commands.twist(1.5e308, 1.5e308, 0)
    assert commands.ignored == 0


def test_a_command_is_forgotten_with_the_state_that_had_it():
    commands = CommandInput(0.0)
    start = commands.get_state()
    commands.speed(1.0, 0)
    commands.steering(0.3, 0)
    commands.set_state(start)
    assert commands.newest(0) == DriveCommand()
