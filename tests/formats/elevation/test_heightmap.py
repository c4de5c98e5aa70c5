"""Height maps out of images: any size, no stretching, the top is north."""

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import FormatError
from outrider.formats.elevation import heightmap
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.world.tessellate import heightfield_height


def save(tmp_path, levels, name="map.png"):
    path = tmp_path / name
    Image.fromarray(levels).save(path)
    return path


def height(found, x, y):
    return float(heightfield_height(found.field, np.array([x]), np.array([y]))[0])


def test_the_top_of_the_image_is_north_and_its_left_west(tmp_path):
    levels = np.zeros((3, 5), np.uint8)
    levels[0, 0], levels[0, -1], levels[-1, 0] = 255, 51, 102
    found = read_heightmap(save(tmp_path, levels), (8.0, 4.0, 10.0))
    assert found.field.heights.shape == (5, 3)
    assert found.field.size == (8.0, 4.0)
    assert height(found, -4, 2) == pytest.approx(10.0)
    assert height(found, 4, 2) == pytest.approx(2.0)
    assert height(found, -4, -2) == pytest.approx(4.0)
    assert height(found, 4, -2) == 0.0


def test_heights_are_not_stretched_to_what_the_image_uses(tmp_path):
    """Gazebo's rule: pixel / 255 * size z, so an image up to 127 gives half the height."""
    found = read_heightmap(save(tmp_path, np.full((17, 17), 127, np.uint8)), (1.0, 1.0, 10.0))
    np.testing.assert_allclose(found.field.heights, 10.0 * 127 / 255)


@pytest.mark.parametrize("shape", [(2, 2), (17, 17), (100, 37), (129, 129), (1, 2)])
def test_any_size_of_image_will_do(tmp_path, shape):
    levels = np.zeros(shape, np.uint8)
    if min(shape) < 2:
        with pytest.raises(FormatError, match=r"map\.png: a height map needs at least 2 x 2"):
            read_heightmap(save(tmp_path, levels), (1.0, 1.0, 1.0))
        return
    found = read_heightmap(save(tmp_path, levels), (1.0, 1.0, 1.0))
    assert found.field.heights.shape == shape[::-1]


@pytest.mark.parametrize("suffix", ["png", "tiff"])
def test_sixteen_bits_give_steps_of_a_65535th(tmp_path, suffix):
    levels = np.array([[0, 1], [32768, 65535]], np.uint16)
    found = read_heightmap(save(tmp_path, levels, f"map.{suffix}"), (1.0, 1.0, 65.535))
    np.testing.assert_allclose(found.field.heights, [[32.768, 0.0], [65.535, 0.001]])


def test_a_coloured_image_gives_its_red_and_says_so(tmp_path):
    levels = np.zeros((2, 2, 3), np.uint8)
    levels[..., 0] = 51
    found = read_heightmap(save(tmp_path, levels), (1.0, 1.0, 5.0))
    np.testing.assert_allclose(found.field.heights, 1.0)
    assert "its red was taken" in found.notes[0]
    grey = np.full((2, 2, 3), 51, np.uint8)
    assert read_heightmap(save(tmp_path, grey), (1.0, 1.0, 5.0)).notes == ()


def test_more_heights_than_a_world_can_hold_are_reduced_on_the_same_ground(tmp_path, monkeypatch):
    monkeypatch.setattr(heightmap, "MAX_POINTS", 1000)
    ramp = np.tile(np.arange(0, 250, dtype=np.uint8), (100, 1))
    found = read_heightmap(save(tmp_path, ramp), (249.0, 99.0, 255.0))
    assert found.field.heights.size <= 1000
    assert "250 x 100 heights were reduced to" in found.notes[0]
    for x in (-124.5, 0.0, 77.7, 124.5):
        assert height(found, x, 3.0) == pytest.approx(x + 124.5)


def test_an_image_needs_a_size_and_a_size_must_have_extent(tmp_path):
    path = save(tmp_path, np.zeros((2, 2), np.uint8))
    with pytest.raises(FormatError, match=r"map\.png: an image has no size of its own"):
        read_heightmap(path)
    for size in ((0.0, 1.0, 1.0), (1.0, float("nan"), 1.0), (1.0, 1.0, -2.0)):
        with pytest.raises(FormatError, match="size must be above 0"):
            read_heightmap(path, size)


def test_missing_and_foreign_files_end_in_a_sentence(tmp_path):
    with pytest.raises(FormatError, match=r"gone\.png: there is no such image"):
        read_heightmap(tmp_path / "gone.png", (1.0, 1.0, 1.0))
    with pytest.raises(FormatError, match=r"gone\.asc: there is no such height map"):
        read_heightmap(tmp_path / "gone.asc")
    (tmp_path / "map.png").write_text("hello")
    with pytest.raises(FormatError, match=r"map\.png: not an image"):
        read_heightmap(tmp_path / "map.png", (1.0, 1.0, 1.0))
