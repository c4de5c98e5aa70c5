"""Between two states a body moves and rotates evenly, whoever asks."""

import math

import numpy as np
import pytest

from outrider.scene.past_poses import enter_leg, poses_at, sine_and_versine
from outrider.world.state import BODY


@pytest.mark.parametrize("angle", [0.0, 1e-7, 0.4, 3.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_rotation_is_even_and_goes_the_shorter_way(angle, sign):
    bodies = np.zeros((3, 1), BODY)
    bodies["rotation"][1, 0] = 0.0, 0.0, 0.0, 1.0
    half = angle / 2  # about z
    bodies["rotation"][2, 0] = 0.0, 0.0, sign * math.sin(half), sign * math.cos(half)
    bodies["position"][2, 0] = 4.0, 0.0, 0.0
    times = np.array([0, 1000, 2000])
    wanted = np.array([500, 1000, 1250, 1750, 2500])
    shares = np.array([0.0, 0.0, 0.25, 0.75, 1.0])
    position, rotation = np.empty((5, 3)), np.empty((5, 4))
    poses_at((bodies, times, 1, 2), 0, wanted, position, rotation)
    assert position[:, 0] == pytest.approx(4.0 * shares)
    found = 2 * np.arctan2(rotation[:, 2], rotation[:, 3])
    assert found == pytest.approx(angle * shares, abs=1e-12)
    turns, places = np.empty((3, 3, 3)), np.empty((2, 3))
    full = enter_leg(bodies[1, 0], bodies[2, 0], turns, places)
    for share, yaw in zip(shares, found, strict=True):
        sine, versine = sine_and_versine(share * full)
        matrix = turns[0] + sine * turns[1] + versine * turns[2]
        assert math.atan2(matrix[1, 0], matrix[0, 0]) == pytest.approx(yaw, abs=1e-7)
