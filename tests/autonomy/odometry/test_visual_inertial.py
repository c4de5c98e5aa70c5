"""Stereo odometry with an IMU and wheels: it goes on in the dark, and says so."""

import logging

import numpy as np
import pytest
import room
import two_eyes

from outrider.autonomy.odometry.spec import VisualSpec
from outrider.autonomy.odometry.visual import VisualOdometry
from outrider.messages.plain_values import pose_from

TEXTURE = two_eyes.texture()
SPEED, START_S = 0.3, 1.2


def place(t: float) -> float:
    return SPEED * max(0.0, t - START_S)


def component() -> VisualOdometry:
    odometry = VisualOdometry(VisualSpec(), ("odom", "base_link"))
    odometry.take("tf_static", two_eyes.frames(), 0)
    odometry.take("tf_static", room.frames_message(), 0)
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        odometry.take(port, info, 0)
    return odometry


def drive(odometry: VisualOdometry, seconds: float, dark=(9e9, 9e9), silent=(9e9, 9e9)):
    """Feed a drive ahead; return poses and health levels by time."""
    found, levels = {}, {}
    for k in range(round(seconds * 50)):
        t, now_ns = k / 50, k * 20_000_000
        speed = SPEED if t > START_S else 0.0
        said = list(odometry.take("wheels", room.wheel_message(now_ns, speed), now_ns))
        said += odometry.take("imu", room.imu_message(now_ns), now_ns)
        if k % 5 == 0 and not silent[0] <= t < silent[1]:
            for port, shift in (("left", 0.0), ("right", two_eyes.BASELINE)):
                picture = two_eyes.wall(TEXTURE, shift, 0.0, place(t), 5.0)
                if dark[0] <= t < dark[1]:
                    picture = np.zeros_like(picture)
                said += odometry.take(port, two_eyes.image(picture, now_ns), now_ns)
        for name, message in said:
            if name == "odometry":
                found[t] = pose_from(message.pose.pose).position
        levels[t] = odometry.health
    return found, levels


def test_it_begins_once_the_imu_has_stood_still() -> None:
    found, levels = drive(component(), 1.6)
    assert min(found) >= 1.0
    assert "to be at rest" in levels[0.5].reason
    assert levels[1.5].level == "good"


@pytest.mark.parametrize("way", ["dark", "silent"])
def test_two_seconds_without_sight_are_bridged_and_said(way: str) -> None:
    found, levels = drive(component(), 5.0, **{way: (2.0, 4.0)})
    assert levels[3.5].level == "poor"
    assert "by gyroscope and wheels" in levels[3.5].reason
    assert found[3.9] == pytest.approx([place(3.9), 0.0, 0.0], abs=0.08)
    last = max(found)
    assert levels[last].level == "good"
    assert found[last] == pytest.approx([place(last), 0.0, 0.0], abs=0.08)


def test_images_that_jump_back_in_time_begin_a_new_map(caplog: pytest.LogCaptureFixture) -> None:
    odometry = component()
    drive(odometry, 2.0)
    with caplog.at_level(logging.WARNING):
        for port in ("left", "right"):
            picture = two_eyes.wall(TEXTURE, 0.0, 0.0, 0.2, 5.0)
            odometry.take(port, two_eyes.image(picture, 500_000_000), 0)
    assert [r.getMessage() for r in caplog.records].count(
        "visual odometry: images jumped back in time; the local map is restarted"
    ) == 1


def test_readings_that_are_no_numbers_or_of_nowhere_are_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    odometry = component()
    spoiled = room.imu_message(0)
    spoiled.angular_velocity.z = float("nan")
    lost = room.imu_message(0)
    lost.header.frame_id = "imu_of_another"
    wheels = room.wheel_message(0, float("inf"))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            odometry.take("imu", spoiled, 0)
            odometry.take("imu", lost, 0)
            odometry.take("wheels", wheels, 0)
    said = [r.getMessage() for r in caplog.records]
    assert len(said) == 3  # each once
    assert any("not a number" in text for text in said)
    assert any("imu_of_another" in text for text in said)
