from dataclasses import replace

import pytest

from outrider.core.errors import ConfigError
from outrider.vehicles.belt import TrackSpec
from outrider.vehicles.command import DriveCommand
from outrider.vehicles.drivetrain import make_drivetrain
from outrider.vehicles.tracked import TrackedSpec

BELT = TrackSpec("left_sprocket", "left", 0.2, 0.0, -0.25, 0.25, radius=0.09, width=0.1)
OTHER = replace(BELT, sprocket="right_sprocket", y=-0.2)
SPEC = TrackedSpec(left=BELT, right=OTHER, track=0.4, track_multiplier=1.5)


def test_a_sprocket_turns_at_belt_speed_over_radius():
    drivetrain = make_drivetrain(SPEC)
    targets = drivetrain.targets(DriveCommand(0.9, 0.5))
    assert targets.wheel_speeds == pytest.approx(((0.9 - 0.15) / 0.09, (0.9 + 0.15) / 0.09))
    assert drivetrain.driven == ("left_sprocket", "right_sprocket")
    assert drivetrain.steered == ()


def test_belts_of_different_radius_still_drive_straight():
    drivetrain = make_drivetrain(replace(SPEC, right=replace(OTHER, radius=0.18)))
    travel = drivetrain.targets(DriveCommand(1.0, 0.0)).wheel_speeds
    assert travel[0] == pytest.approx(2 * travel[1])
    assert drivetrain.motion(travel, ()) == pytest.approx((1.0, 0.0))


def test_a_missing_belt_is_refused():
    with pytest.raises(ConfigError, match="a belt under both"):
        make_drivetrain(TrackedSpec(left=BELT))
