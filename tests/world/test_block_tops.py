import numpy as np
import pytest

from outrider.world.block_tops import block_tops


@pytest.mark.parametrize("shape", [(2, 2), (9, 10), (33, 20)])
def test_the_top_of_a_block_is_as_high_as_its_highest_corner(shape: tuple[int, int]) -> None:
    heights = 1000.0 + np.random.default_rng(2).random(shape)
    tops = block_tops(heights)
    assert tops.shape == (-(-(shape[0] - 1) // 8), -(-(shape[1] - 1) // 8))
    for i in range(tops.shape[0]):
        for j in range(tops.shape[1]):
            highest = heights[8 * i : 8 * i + 9, 8 * j : 8 * j + 9].max()
            assert highest <= tops[i, j] < highest + 2e-4
