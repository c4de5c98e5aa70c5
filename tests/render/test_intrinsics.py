"""The lens, against OpenCV's own projection."""

import cv2
import numpy as np
import pytest

from outrider.core.errors import RenderError
from outrider.render.intrinsics import Intrinsics

BARREL = (-0.28, 0.09, 0.0008, -0.0005, -0.01)
PINCUSHION = (0.18, -0.05, 0.0, 0.001, 0.02)


@pytest.mark.parametrize("distortion", [BARREL, PINCUSHION, (0.0,) * 5])
def test_points_fall_where_opencv_projects_them(distortion):
    lens = Intrinsics(640, 480, 450.0, 460.0, 320.3, 238.1, distortion)
    random = np.random.default_rng(1)
    points = random.uniform([-1, -0.7, 1], [1, 0.7, 4], (200, 3))
    expected, _ = cv2.projectPoints(
        points, np.zeros(3), np.zeros(3), lens.matrix, np.array(distortion)
    )
    assert np.abs(lens.project(points) - expected[:, 0]).max() < 1e-9


@pytest.mark.parametrize("distortion", [BARREL, PINCUSHION])
def test_rays_through_pixels_come_back_to_them_within_a_millionth(distortion):
    lens = Intrinsics.from_fov(640, 480, 75.0, distortion)
    u, v = np.meshgrid(np.arange(0, 640, 7), np.arange(0, 480, 7))
    pixels = np.stack([u.ravel(), v.ravel()], 1).astype(float)
    places = lens.normalized(pixels)
    back = lens.project(np.column_stack([places, np.ones(len(places))]))
    assert np.abs(back - pixels).max() < 1e-6


def test_a_field_of_view_spans_the_pixels_edges():
    lens = Intrinsics.from_fov(1024, 768, 66.0)
    assert lens.fx == pytest.approx(788.4, abs=0.1)  # as the Bumblebee2's figures say
    left = lens.normalized(np.array([[-0.5, 383.5]]))[0, 0]
    assert np.degrees(np.arctan(left)) == pytest.approx(-33.0)


def test_what_lies_behind_has_no_pixel():
    assert np.isnan(Intrinsics.from_fov(64, 48, 60.0).project(np.array([[0, 0, -1.0]]))).all()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Intrinsics.from_fov(640, 480, 180.0), "field of view"),
        (lambda: Intrinsics.from_fov(640, 480, 0.0), "field of view"),
        (lambda: Intrinsics.from_fov(640, 480, float("nan")), "field of view"),
        (lambda: Intrinsics.from_fov(0, 480, 60.0), "1 to 8192 pixels"),
        (lambda: Intrinsics.from_fov(20000, 20000, 60.0), "1 to 8192 pixels"),
        (lambda: Intrinsics(640, 480, float("inf"), 400.0, 0, 0), "finite"),
        (lambda: Intrinsics.from_fov(640, 480, 90.0, (-2.0, 0, 0, 0, 0)).plane, "folds"),
    ],
)
def test_impossible_lenses_are_refused_in_one_sentence(make, says):
    with pytest.raises(RenderError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)
