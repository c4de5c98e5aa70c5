import pytest

from outrider.core.errors import ConfigError
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.differential import DifferentialSpec
from outrider.vehicles.drivetrain import make_drivetrain

HUSKY = DifferentialSpec(
    left=("fl", "rl"), right=("fr", "rr"), track=0.555, track_multiplier=2.0, wheel_radius=0.1651
)


def test_the_wheels_run_at_v_minus_and_plus_half_omega_tau():
    targets = make_drivetrain(HUSKY).targets(DriveCommand(0.5, 0.4))
    left, right = (0.5 - 0.4 * 1.11 / 2) / 0.1651, (0.5 + 0.4 * 1.11 / 2) / 0.1651
    assert targets.wheel_speeds == pytest.approx((left, left, right, right), rel=1e-15)
    assert (targets.speed, targets.yaw_rate, targets.steering) == (0.5, 0.4, ())


def test_left_joints_come_before_right_ones():
    assert make_drivetrain(HUSKY).driven == ("fl", "rl", "fr", "rr")


def test_a_left_turn_on_the_spot_runs_the_left_wheels_backwards():
    left, _, right, _ = make_drivetrain(HUSKY).targets(DriveCommand(0.0, 1.0)).wheel_speeds
    assert left == -right
    assert left < 0


@pytest.mark.parametrize(("speed", "yaw_rate"), [(0.5, 0.4), (-0.3, 1.0), (0.0, -2.0), (1.0, 0.0)])
def test_wheel_travel_gives_back_the_motion_that_made_it(speed, yaw_rate):
    drivetrain = make_drivetrain(HUSKY)
    travel = [w * 0.7 for w in drivetrain.targets(DriveCommand(speed, yaw_rate)).wheel_speeds]
    distance, turn = drivetrain.motion(travel, ())
    assert (distance, turn) == pytest.approx((speed * 0.7, yaw_rate * 0.7), abs=1e-15)


def test_motion_takes_the_mean_of_each_side():
    distance, turn = make_drivetrain(HUSKY).motion([1.0, 3.0, 4.0, 4.0], ())
    assert distance == pytest.approx(3.0 * 0.1651)
    assert turn == pytest.approx(2.0 * 0.1651 / 1.11)


def test_a_side_without_joints_is_refused():
    with pytest.raises(ConfigError, match="both left and right"):
        make_drivetrain(DifferentialSpec(left=("fl",)))
