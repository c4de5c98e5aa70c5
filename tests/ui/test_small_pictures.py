"""Pictures of materials: small ones first, which keep what the large ones are like."""

import io

import numpy as np
import pytest
from PIL import Image

from outrider.ui.stage.materials import MaterialList
from outrider.world.materials import Material


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))


def gallery_of(image, path):
    image.save(path)
    materials = MaterialList()
    looks = materials.looks(Material(texture=str(path)))
    return materials, looks["texture"]


def test_a_large_picture_has_a_small_one_of_the_same_colours(tmp_path):
    pixels = np.zeros((600, 1200, 3), np.uint8)
    pixels[:, :600] = [200, 40, 40]
    pixels[:, 600:] = [30, 60, 220]
    materials, key = gallery_of(Image.fromarray(pixels), tmp_path / "two.png")
    for _ in range(2):  # made, then from disk
        small = materials.small(key)
        assert small.mime == "image/jpeg"
        shown = np.asarray(Image.open(io.BytesIO(small.data))).astype(int)
        assert shown.shape == (128, 256, 3)
        assert shown[64, 30] == pytest.approx([200, 40, 40], abs=6)
        assert shown[64, 220] == pytest.approx([30, 60, 220], abs=6)


def test_holes_stay_holes(tmp_path):
    pixels = np.full((512, 512, 4), 255, np.uint8)
    pixels[:256, :, 3] = 0
    materials, key = gallery_of(Image.fromarray(pixels), tmp_path / "leaf.png")
    small = materials.small(key)
    assert small.mime == "image/png"
    assert np.asarray(Image.open(io.BytesIO(small.data)))[10, 10, 3] == 0


def test_a_picture_that_is_small_or_broken_stays_as_it_is(tmp_path):
    tiny = Image.fromarray(np.zeros((8, 8, 3), np.uint8))
    materials, key = gallery_of(tiny, tmp_path / "tiny.png")
    assert materials.small(key) == materials.picture(key)
    broken = tmp_path / "broken.png"
    broken.write_bytes((tmp_path / "tiny.png").read_bytes()[:60])
    key = materials.looks(Material(texture=str(broken)))["texture"]
    assert materials.small(key).data == broken.read_bytes()
    assert materials.small("no such key") is None
