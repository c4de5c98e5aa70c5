"""Stereo visual odometry before a wall, with all that may go wrong."""

import numpy as np
import pytest
import two_eyes

from outrider.autonomy.odometry.spec import VisualSpec
from outrider.autonomy.odometry.visual import VisualOdometry
from outrider.messages.plain_values import pose_from

TEXTURE = two_eyes.texture()


def drive(places, dark=()):
    """Look from places (x ahead, y left); return poses by number, and health levels."""
    odometry = VisualOdometry(VisualSpec(inertial=False), ("odom", "base_link"))
    odometry.take("tf_static", two_eyes.frames(), 0)
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        odometry.take(port, info, 0)
    found, levels = {}, []
    for k, (x, y) in enumerate(places):
        now_ns = k * 50_000_000
        for port, shift in (("left", 0.0), ("right", two_eyes.BASELINE)):
            picture = two_eyes.wall(TEXTURE, -y + shift, 0.0, x, 5.0)
            if k in dark:
                picture = np.zeros_like(picture)
            for name, message in odometry.take(port, two_eyes.image(picture, now_ns), now_ns):
                if name == "odometry":
                    found[k] = pose_from(message.pose.pose)
        levels.append(odometry.health.level)
    return found, levels


def test_a_way_ahead_and_aside_is_followed() -> None:
    places = [(0.02 * k, 0.3 * np.sin(0.1 * k)) for k in range(60)]
    found, levels = drive(places)
    assert levels[-1] == "good"
    error = [np.linalg.norm(found[k].position - [*places[k], 0.0]) for k in found]
    assert max(error) < 0.03


def test_darkness_is_said_and_recovered_from() -> None:
    places = [(min(0.02 * k, 0.3), 0.0) for k in range(60)]
    found, levels = drive(places, dark=range(20, 50))
    assert set(levels[21:50]) == {"lost"}
    assert levels[-1] == "good"
    assert found[59].position == pytest.approx([0.3, 0.0, 0.0], abs=0.02)
    assert 30 not in found


def test_an_image_of_another_size_is_refused() -> None:
    odometry = VisualOdometry(VisualSpec(inertial=False), ("odom", "base_link"))
    odometry.take("tf_static", two_eyes.frames(), 0)
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        odometry.take(port, info, 0)
    small = two_eyes.image(np.zeros((two_eyes.HEIGHT, two_eyes.WIDTH), np.uint8), 0)
    small.height = 100
    small.data = small.data[: 100 * two_eyes.WIDTH]
    odometry.take("left", small, 0)
    odometry.take("right", small, 0)
    assert odometry.health.level == "lost"
    assert "640 x 480" in odometry.health.reason
