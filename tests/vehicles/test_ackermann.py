import math
from dataclasses import replace

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.vehicles.ackermann import Ackermann, AckermannSpec
from outrider.vehicles.command import DriveCommand

L, T_STEER, T_DRIVE, R = 0.255, 0.16, 0.17, 0.0325
TWO = AckermannSpec(
    driven=("rl", "rr"),
    steer_left="sl",
    steer_right="sr",
    wheelbase=L,
    steer_track=T_STEER,
    drive_track=T_DRIVE,
    wheel_radius=R,
    max_steering_rad=0.57,
)
FOUR = replace(TWO, driven=("rl", "rr", "fl", "fr"), max_steering_rad=1.5)
ANGLES = [-0.55, -0.2, -1e-6, 1e-6, 0.1, 0.4, 0.55]


def axles_meet(steering):
    """Intersect the axle lines of both steered wheels with the rear axle, independently."""
    for angle, y in zip(steering, (T_STEER / 2, -T_STEER / 2), strict=True):
        # the axle runs along (-sin, cos) from (L, y); it crosses x = 0 at L / sin
        yield y + L / math.sin(angle) * math.cos(angle)


@pytest.mark.parametrize("angle", ANGLES)
def test_cotangents_of_outer_and_inner_angle_differ_by_track_over_wheelbase(angle):
    left, right = Ackermann(TWO).targets(DriveCommand(1.0, 0.0, angle)).steering
    assert 1 / math.tan(right) - 1 / math.tan(left) == pytest.approx(T_STEER / L, rel=1e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_the_inner_wheel_turns_further(angle):
    left, right = Ackermann(TWO).targets(DriveCommand(1.0, 0.0, angle)).steering
    inner, outer = (left, right) if angle > 0 else (right, left)
    assert abs(inner) > abs(angle) > abs(outer)


@pytest.mark.parametrize("angle", ANGLES)
def test_all_axles_meet_in_the_turning_centre(angle):
    for crossing in axles_meet(Ackermann(TWO).targets(DriveCommand(1.0, 0.0, angle)).steering):
        assert crossing == pytest.approx(L / math.tan(angle), rel=1e-9)


def test_a_car_that_drives_straight_steers_straight():
    assert Ackermann(TWO).targets(DriveCommand(1.0)).steering == (0.0, 0.0)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("speed", [1.0, -0.5])
def test_every_driven_wheel_follows_its_own_circle_at_the_car_s_yaw_rate(angle, speed):
    targets = Ackermann(FOUR).targets(DriveCommand(speed, 0.0, angle))
    r = L / math.tan(angle)
    omega = speed / r
    assert targets.yaw_rate == pytest.approx(omega)
    places = [(0, T_DRIVE / 2), (0, -T_DRIVE / 2), (L, T_STEER / 2), (L, -T_STEER / 2)]
    headings = [0.0, 0.0, *targets.steering]
    for spin, (x, y), heading in zip(targets.wheel_speeds, places, headings, strict=True):
        velocity = np.array([speed - omega * y, omega * x])
        rolling = np.array([math.cos(heading), math.sin(heading)]) * spin * R
        assert velocity == pytest.approx(rolling, abs=1e-12)  # so no wheel slips sideways


def test_a_centre_inside_the_inner_wheel_turns_it_past_a_right_angle():
    left, right = Ackermann(FOUR).targets(DriveCommand(1.0, 0.0, 1.4)).steering
    assert L / math.tan(1.4) < T_STEER / 2
    assert left > math.pi / 2 > right > 0


@pytest.mark.parametrize(("speed", "yaw_rate"), [(1.0, 0.5), (-1.0, 0.5), (0.6, -0.9)])
def test_a_twist_is_driven_at_its_yaw_rate_forwards_and_backwards(speed, yaw_rate):
    targets = Ackermann(TWO).targets(DriveCommand(speed, yaw_rate))
    assert (targets.speed, targets.yaw_rate) == pytest.approx((speed, yaw_rate), rel=1e-14)


def test_steering_stops_at_its_limit_and_the_yaw_rate_with_it():
    targets = Ackermann(TWO).targets(DriveCommand(0.5, 10.0))
    assert targets.yaw_rate == pytest.approx(0.5 * math.tan(0.57) / L)
    assert targets == Ackermann(TWO).targets(DriveCommand(0.5, 0.0, 0.9))


def test_a_standing_car_told_to_turn_keeps_the_steering_it_had():
    car = Ackermann(TWO)
    assert car.targets(DriveCommand(0.0, 1.0)).steering == (0.0, 0.0)
    assert car.resolve(DriveCommand(0.0, 1.0), DriveCommand()).steering == 0.0
    assert car.resolve(DriveCommand(0.0, 1.0), DriveCommand(1.0, 0.0, 0.3)).steering == 0.3


@pytest.mark.parametrize("spec", [TWO, FOUR])
@pytest.mark.parametrize("angle", [*ANGLES, 0.0])
def test_wheel_travel_and_steering_give_back_the_motion(spec, angle):
    car = Ackermann(spec)
    targets = car.targets(DriveCommand(0.8, 0.0, angle))
    distance, turn = car.motion([w * 0.3 for w in targets.wheel_speeds], targets.steering)
    assert distance == pytest.approx(0.24, rel=1e-14)
    assert turn == pytest.approx(0.24 * math.tan(angle) / L, rel=1e-12)


def test_three_driven_wheels_are_refused():
    with pytest.raises(ConfigError, match=r"2 joints .* or 4 .* got 3"):
        Ackermann(AckermannSpec(driven=("a", "b", "c"), steer_left="l", steer_right="r"))


def test_a_car_without_a_steered_wheel_is_refused():
    with pytest.raises(ConfigError, match="steer_left and steer_right"):
        Ackermann(AckermannSpec(driven=("a", "b"), steer_left="l"))
