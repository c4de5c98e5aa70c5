import numpy as np

from outrider.physics.colliders.coarse_ground import coarsened
from outrider.world.shapes import HeightField


def _field(cells: int, height_of: object) -> HeightField:
    x = np.linspace(-10, 10, cells + 1)
    return HeightField(height_of(x[:, None], x[None, :]), (20.0, 20.0))  # type: ignore[operator]


def test_smooth_ground_is_coarsened_within_five_millimetres() -> None:
    fine = _field(400, lambda x, y: 0.3 * np.sin(x / 2) * np.cos(y / 3))
    coarse = coarsened(fine)
    assert coarse.heights.shape == (134, 134)
    x, y = np.meshgrid(np.linspace(-10, 10, 134), np.linspace(-10, 10, 134), indexing="ij")
    true = 0.3 * np.sin(x / 2) * np.cos(y / 3)
    assert np.abs(coarse.heights - true).max() < 0.005


def test_ground_with_steps_keeps_every_height() -> None:
    kerb = _field(400, lambda x, y: np.where(x > 0.31, 0.1, 0.0) + 0.0 * y)
    assert coarsened(kerb) is kerb


def test_coarse_ground_stays_as_it_is() -> None:
    field = _field(40, lambda x, y: np.sin(x) + 0.0 * y)
    assert coarsened(field) is field
