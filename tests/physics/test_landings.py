"""Landings that went wrong once; ``python -m tools.landings`` draws hundreds."""

import numpy as np
import pytest
from landing import Fall, Faller

from outrider.vehicles.robot import load_robot


@pytest.mark.parametrize(
    ("robot", "ground", "engine", "seed"),
    [
        ("tank", "hills field", "mujoco", 1034),  # before: the gun went in by half a metre
        ("tank", "steep hills", "mujoco", 1116),  # then: it swung on its gun for ever
        ("tracked_ugv", "rough", "bullet", 3087),  # before: belts were held down from below
    ],
)
def test_a_robot_that_fell_fast_rests_on_the_ground(
    robot: str, ground: str, engine: str, seed: int
) -> None:
    if engine == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    fall = Fall.drawn(np.random.default_rng(seed))
    ended = Faller(load_robot(robot), ground, fall, engine).run()
    assert ended.right, ended.told()
