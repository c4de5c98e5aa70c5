"""Two eyes, known geometry."""

import numpy as np
import pytest
import two_eyes

from outrider.autonomy.stereo.rig import StereoRig
from outrider.core.errors import AutonomyError


def test_points_are_found_again_from_pixels_and_disparity() -> None:
    rig = StereoRig.of(*two_eyes.infos())
    points = np.random.default_rng(1).uniform([-2, -1, 1], [2, 1, 20], (50, 3))
    pixels, disparity = rig.project(points)
    assert rig.points(pixels, disparity) == pytest.approx(points, rel=1e-9)
    # a point 10 m ahead, baseline 0.12 m, focal length 400: 4.8 pixels
    assert rig.project(np.array([[0.0, 0.0, 10.0]]))[1][0] == pytest.approx(4.8)


def test_a_right_eye_without_baseline_is_refused() -> None:
    left, _ = two_eyes.infos()
    with pytest.raises(AutonomyError, match="baseline"):
        StereoRig.of(left, left)


def test_distortion_is_taken_out() -> None:
    cv2 = pytest.importorskip("cv2")
    left, right = two_eyes.infos(distortion=(-0.2, 0.05, 0.0, 0.0, 0.0))
    rig = StereoRig.of(left, right)
    # a ray that hits the rectified pixel (520, 390) is drawn where the lens puts it
    ray = np.array([[(520 - rig.cx) / rig.focal, (390 - rig.cy) / rig.focal, 1.0]])
    K = np.asarray(left.k).reshape(3, 3)
    bent, _ = cv2.projectPoints(ray, np.zeros(3), np.zeros(3), K, np.asarray(left.d))
    picture = np.zeros((480, 640), np.uint8)
    x, y = np.round(bent.ravel()).astype(int)
    picture[y - 1 : y + 2, x - 1 : x + 2] = 255
    found = rig.rectify(picture, 0)
    rows, columns = np.nonzero(found > 120)
    assert np.hypot(columns.mean() - 520, rows.mean() - 390) < 1.5
    assert np.hypot(x - 520, y - 390) > 10
