"""Low stones on ground that is made up."""

import numpy as np

from outrider.autonomy.segmentation.bumps import bumps
from outrider.core.frames import Array
from outrider.core.seeds import generator


def ground(slope: float, noise: float = 0.004) -> Array:
    """Return points 2 cm apart on a slope, as exact as those of a stereo camera nearby."""
    x, y = (v.ravel() for v in np.meshgrid(np.arange(0.5, 2.0, 0.02), np.arange(-1.0, 1.0, 0.02)))
    return np.stack([x, y, slope * x + generator(1, "ground").normal(0.0, noise, len(x))], axis=1)


def with_stone(points: Array, height: float) -> tuple[Array, Array]:
    """Return the points with a stone of 12 cm at (1.2, 0.1), and where its upper half is."""
    off = np.hypot(points[:, 0] - 1.2, points[:, 1] - 0.1) / 0.06
    rise = height * np.sqrt(np.clip(1.0 - off * off, 0.0, 1.0))
    raised = points + rise[:, None] * [0.0, 0.0, 1.0]
    return raised, rise > 0.9 * height


def test_a_stone_higher_than_the_clearance_stands_out_and_the_ground_does_not() -> None:
    for slope in (0.0, 0.4):
        points, top = with_stone(ground(slope), 0.07)
        found = bumps(points, 0.05, 2.0)
        assert found[top].all()
        assert not found[np.hypot(points[:, 0] - 1.2, points[:, 1] - 0.1) > 0.07].any()


def test_a_stone_that_fits_below_the_robot_is_ground() -> None:
    points, _ = with_stone(ground(0.0), 0.03)
    assert not bumps(points, 0.05, 2.0).any()


def test_the_foot_of_a_ramp_is_no_stone() -> None:
    points = ground(0.0)
    points[:, 2] += np.tan(np.radians(20.0)) * np.maximum(points[:, 0] - 1.2, 0.0)
    assert not bumps(points, 0.05, 2.0).any()


def test_few_points_tell_no_ground() -> None:
    assert not bumps(np.array([[1.0, 0.0, 0.0], [1.0, 0.05, 0.3]]), 0.05, 2.0).any()
    assert not bumps(np.empty((0, 3)), 0.05, 2.0).any()
