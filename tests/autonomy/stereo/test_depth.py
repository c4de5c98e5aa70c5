"""Depth of a wall whose distance is known."""

import numpy as np
import pytest
import two_eyes

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.stereo.depth import StereoDepth
from outrider.autonomy.stereo.spec import DepthSpec


def test_a_wall_is_where_it_is() -> None:
    depth = StereoDepth(DepthSpec(shrink=1), "base_link")
    depth.take("tf_static", two_eyes.frames(), 0)
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        depth.take(port, info, 0)
    texture = two_eyes.texture()
    left, right = (two_eyes.wall(texture, x, 0.0, 0.0, 3.0) for x in (0.0, two_eyes.BASELINE))
    depth.take("left", two_eyes.image(left, 0), 0)
    ((_, message),) = depth.take("right", two_eyes.image(right, 0), 0)
    xyz = read_cloud(message).xyz  # x ahead
    assert len(xyz) > 5000
    assert np.median(xyz[:, 0]) == pytest.approx(3.0, abs=0.03)
    assert np.percentile(abs(xyz[:, 0] - 3.0), 90) < 0.1


def test_images_without_camera_info_are_not_used(caplog: pytest.LogCaptureFixture) -> None:
    depth = StereoDepth(DepthSpec(), "base_link")
    depth.take("tf_static", two_eyes.frames(), 0)
    blank = np.zeros((two_eyes.HEIGHT, two_eyes.WIDTH), np.uint8)
    for k in range(3):
        for port in ("left", "right"):
            assert not list(depth.take(port, two_eyes.image(blank, k), k))
    assert sum("without CameraInfo" in r.getMessage() for r in caplog.records) == 1
