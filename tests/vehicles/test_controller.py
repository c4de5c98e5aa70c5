import math

import pytest

from outrider.core.errors import ConfigError
from outrider.specs.robot import Limits
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.controller import Controller
from outrider.vehicles.differential import DifferentialSpec
from outrider.vehicles.drivetrain import make_drivetrain
from outrider.vehicles.spec import RobotSpec

DT_NS, DT = 100_000_000, 0.1
CAR = AckermannSpec(
    driven=("rl", "rr"), steer_left="sl", steer_right="sr", wheelbase=0.255, max_steering_rad=0.5
)
CART = DifferentialSpec(left=("l",), right=("r",), track=0.5, wheel_radius=0.1)


def controller(drivetrain, timeout_s=0.25, **limits):
    spec = RobotSpec("robot", "", drivetrain, command_timeout_s=timeout_s, limits=Limits(**limits))
    return Controller(spec, make_drivetrain(drivetrain))


def speeds(control, steps, start=0):
    return [control.update((start + i) * DT_NS, DT).speed for i in range(steps)]


def test_it_speeds_up_then_brakes_within_the_limits_after_the_time_out():
    control = controller(CART, acceleration=2.0)
    control.input.twist(0.5, 0.0, 0)
    # the command is valid at 0, 0.1 and 0.2 s
    assert speeds(control, 6) == pytest.approx([0.2, 0.4, 0.5, 0.3, 0.1, 0.0], abs=1e-15)


def test_wheel_speeds_follow_the_limited_command_not_the_wanted_one():
    control = controller(CART, speed=0.3)
    control.input.twist(1.0, 0.4, 0)
    assert control.update(0, DT).wheel_speeds == pytest.approx((2.0, 4.0))


def test_the_same_answer_comes_back_while_nothing_changes():
    control = controller(CART, timeout_s=0.0)
    control.input.twist(0.5, 0.1, 0)
    control.update(0, DT)
    settled = control.update(1, DT)
    assert control.update(2, DT) is settled
    control.input.twist(0.5, 0.2, 3)
    assert control.update(3, DT).yaw_rate == 0.2


def test_a_step_of_no_time_does_not_lose_a_command():
    control = controller(CART, timeout_s=0.0, acceleration=1.0)
    speeds(control, 3)
    control.input.twist(0.5, 0.0, 0)
    assert control.update(0, 0.0).speed == 0.0
    assert control.update(0, DT).speed == pytest.approx(0.1)


def test_a_car_that_speeds_up_slowly_drives_the_commanded_circle_from_the_start():
    control = controller(CAR, acceleration=1.0)
    control.input.twist(1.0, 0.8, 0)
    first = control.update(0, DT)
    assert first.speed == pytest.approx(0.1)
    assert first.yaw_rate / first.speed == pytest.approx(0.8)


def test_a_car_keeps_its_steering_while_it_brakes_after_the_time_out():
    control = controller(CAR, acceleration=5.0)
    control.input.twist(1.0, 0.8, 0)
    speeds(control, 3)
    angles = control.update(2 * DT_NS, DT).steering
    assert angles[0] > angles[1] > 0
    for step in range(3, 9):
        targets = control.update(step * DT_NS, DT)
        assert targets.steering == angles
    assert targets.speed == 0.0


def test_stop_holds_zero_at_once_until_another_state_is_set():
    control = controller(CAR, timeout_s=0.0, acceleration=1.0)
    start = control.get_state()
    control.input.steering(0.3, 0)
    control.input.speed(1.0, 0)
    speeds(control, 20)
    steering = control.update(0, DT).steering
    control.stop()
    assert control.update(0, DT).wheel_speeds == (0.0, 0.0)
    assert control.update(0, DT).steering == steering  # a servo holds its place
    control.input.speed(1.0, 0)
    assert control.update(0, DT).speed == 0.0
    control.set_state(start)
    assert control.update(0, DT).steering == (0.0, 0.0)
    control.input.speed(1.0, 0)
    assert control.update(0, DT).speed == pytest.approx(0.1)


def test_values_that_are_not_finite_never_reach_the_wheels():
    control = controller(CAR)
    control.input.twist(1.0, 0.2, 0)
    before = control.update(0, DT)
    control.input.twist(math.nan, math.inf, 0)
    assert control.update(0, DT) == before
    assert control.input.ignored == 1


@pytest.mark.parametrize("limit", ["yaw_rate", "yaw_acceleration"])
def test_yaw_limits_for_a_car_are_refused_rather_than_ignored(limit):
    with pytest.raises(ConfigError, match="max_steering_rad"):
        controller(CAR, **{limit: 1.0})
