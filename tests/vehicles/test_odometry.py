import math

import pytest

from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.differential import DifferentialSpec
from outrider.vehicles.drivetrain import make_drivetrain
from outrider.vehicles.odometry import WheelOdometry

CART = make_drivetrain(
    DifferentialSpec(
        left=("l1", "l2"),
        right=("r1", "r2"),
        track=0.37559,
        track_multiplier=1.5,
        wheel_radius=0.098,
    )
)
CAR = make_drivetrain(
    AckermannSpec(driven=("rl", "rr"), steer_left="sl", steer_right="sr", wheelbase=0.255)
)
CIRCLE = DriveCommand(0.5, 0.25)  # radius 2 m to the left


def drive(odometry, drivetrain, command, duration, intervals):
    targets = drivetrain.targets(command)
    odometry.set_state(WheelOdometry(drivetrain).get_state())
    for i in range(intervals + 1):
        t = duration * i / intervals
        angles = [spin * t for spin in targets.wheel_speeds]
        odometry.update(angles, targets.steering, duration / intervals)


@pytest.mark.parametrize("drivetrain", [CART, CAR], ids=["cart", "car"])
@pytest.mark.parametrize("intervals", [1, 2, 3, 7, 100, 20_000])
def test_a_full_circle_ends_where_it_began_whatever_the_number_of_intervals(drivetrain, intervals):
    odometry = WheelOdometry(drivetrain)
    drive(odometry, drivetrain, CIRCLE, 2 * math.pi / 0.25, intervals)
    assert math.hypot(odometry.x, odometry.y) < 1e-12
    assert odometry.yaw == pytest.approx(2 * math.pi, abs=1e-12)


@pytest.mark.parametrize("drivetrain", [CART, CAR], ids=["cart", "car"])
@pytest.mark.parametrize("intervals", [1, 5, 333])
def test_a_quarter_circle_ends_at_its_radius_ahead_and_aside(drivetrain, intervals):
    odometry = WheelOdometry(drivetrain)
    drive(odometry, drivetrain, CIRCLE, math.pi / 2 / 0.25, intervals)
    assert (odometry.x, odometry.y) == pytest.approx((2.0, 2.0), abs=1e-12)
    assert (odometry.speed, odometry.yaw_rate) == pytest.approx((0.5, 0.25), rel=1e-9)


@pytest.mark.parametrize("yaw_rate", [0.0, 1e-12, 1e-7, 1.9999e-4, 2.0001e-4])
def test_almost_straight_is_as_exact_as_any_arc(yaw_rate):
    odometry = WheelOdometry(CART)
    drive(odometry, CART, DriveCommand(1.0, yaw_rate), 1.0, 1)
    assert odometry.x == pytest.approx(1.0 - yaw_rate**2 / 6, abs=1e-15)
    assert odometry.y == pytest.approx(yaw_rate / 2, abs=1e-12)


def test_backwards_on_the_same_steering_returns_on_the_same_arc():
    odometry = WheelOdometry(CAR)
    for angle in (0.0, 20.0, 31.0, 0.0):
        odometry.update([angle * 0.97, angle * 1.03], CAR.wheel_angles(0.4), 0.1)
    assert (odometry.x, odometry.y, odometry.yaw) == pytest.approx((0, 0, 0), abs=1e-15)
    assert odometry.speed < 0


def test_the_first_update_only_notes_where_the_wheels_stand():
    odometry = WheelOdometry(CART)
    odometry.update([50.0, 50.0, -30.0, -30.0], (), 0.1)
    assert (odometry.x, odometry.y, odometry.yaw, odometry.speed) == (0, 0, 0, 0)


def test_turning_on_the_spot_counts_the_effective_track():
    odometry = WheelOdometry(CART)
    odometry.update([0.0] * 4, (), 0.1)
    odometry.update([-1.0, -1.0, 1.0, 1.0], (), 0.1)
    assert (odometry.x, odometry.y) == (0.0, 0.0)
    assert odometry.yaw == pytest.approx(2 * 0.098 / (0.37559 * 1.5))


def test_steering_that_turns_evenly_counts_with_its_mean():
    odometry = WheelOdometry(CAR)
    odometry.update([0.0, 0.0], CAR.wheel_angles(0.0), 0.1)
    odometry.update([1.0, 1.0], CAR.wheel_angles(0.2), 0.1)
    assert odometry.yaw == pytest.approx(0.1 * 0.1 * 1.0, rel=0.01)  # radius 0.1 m, curvature 0.1


def test_the_state_of_a_start_is_the_origin_without_a_jump():
    odometry = WheelOdometry(CART)
    drive(odometry, CART, CIRCLE, 1.0, 3)
    odometry.set_state(WheelOdometry(CART).get_state())
    odometry.update([100.0] * 4, (), 0.1)
    assert (odometry.x, odometry.y, odometry.yaw, odometry.yaw_rate) == (0, 0, 0, 0)
