"""A place is known again whichever way the robot faces."""

import numpy as np
import pytest
import room

from outrider.autonomy.slam.scan_context import describe, distance
from outrider.core.frames import Pose


def test_the_same_place_turned_looks_alike_and_tells_the_turn() -> None:
    first = describe(room.scan_points(Pose(), 1))
    second = describe(room.scan_points(Pose.from_rpy([0.1, 0, 0], [0, 0, np.radians(90)]), 2))
    unlike, turned = distance(first, second)
    assert unlike < 0.1
    assert turned == pytest.approx(np.radians(90), abs=np.radians(7))


def test_another_place_looks_different() -> None:
    first = describe(room.scan_points(Pose(), 1))
    same, _ = distance(first, describe(room.scan_points(Pose([0.2, 0.1, 0.0]), 2)))
    other, _ = distance(first, describe(room.scan_points(Pose([7.0, 4.5, 0.0]), 2)))
    assert same < 0.6 * other
