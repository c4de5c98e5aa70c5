"""What the registration of a scan is believed to know."""

import numpy as np
import pytest

from outrider.autonomy.odometry.scan_map import believed
from outrider.core.frames import Array


def _information(normals: Array) -> Array:
    """Return that of points right around the robot, known to a centimetre along their normals."""
    information = np.eye(6)
    information[3:, 3:] = normals.T @ normals * 1e4
    return information


def test_a_plane_tells_next_to_nothing_of_motion_along_it() -> None:
    noisy = np.random.default_rng(1).normal(0.0, np.radians(2.0), (5000, 3))
    noisy[:, 2] = 1.0
    seeming = _information(noisy)
    real = believed(seeming, 3.1)
    assert (np.linalg.eigvalsh(real[3:, 3:])[:2] < 0.06 * np.diag(seeming)[3:5]).all()
    assert real[5, 5] == pytest.approx(seeming[5, 5], rel=0.01)


def test_walls_are_believed() -> None:
    walls = _information(np.repeat(np.eye(3), [300, 300, 1000], axis=0))
    assert believed(walls, 3.1) == pytest.approx(walls, rel=0.02)
