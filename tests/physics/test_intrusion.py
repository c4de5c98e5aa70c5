"""The measure of how deep ground reaches into bodies, against what can be worked out."""

import numpy as np
import pytest
from intrusion import intrusion

from outrider.core.frames import Pose
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cylinder, Sphere

FLOOR = np.array([[[-9.0, -9, 0], [9, -9, 0], [0, 9, 0]]])


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        (Box((0.4, 0.3, 0.2)), 0.1),
        (Sphere(0.2), 0.2),
        (Capsule(0.1, 0.4), 0.3),
        (Cylinder(0.2, 0.5), 0.25),
    ],
)
def test_a_floor_is_as_deep_in_a_body_as_this_is_in_the_floor(shape, half):
    sunk, above = (Pose([0.1, 0.2, half + z]) for z in (-0.003, 0.001))
    assert intrusion(Geometry(shape), sunk, FLOOR) == pytest.approx(0.003, abs=1e-6)
    assert intrusion(Geometry(shape), above, FLOOR) == 0.0


def test_what_stands_right_through_a_plate_is_half_of_it_deep():
    needle = np.array([[[0.01, 0.02, -1.0], [0.01, 0.02, 1.0], [0.0101, 0.02, 0.0]]])
    assert intrusion(Geometry(Box((0.5, 0.3, 0.006))), Pose(), needle) == pytest.approx(0.003)
