"""Pictures on a ground: by height, over all of it, and in copies of a given size."""

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import ConfigError
from outrider.formats.height_blend import PaintLayer, painted
from outrider.formats.sdf.read import read_sdf
from outrider.loader.library import resolve_world_spec
from outrider.loader.world import build_world
from outrider.world.shapes import HeightField

RED, BLUE = (200, 20, 20), (20, 20, 200)


@pytest.fixture
def pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path / "cache"))
    for name, colour in (("red", RED), ("blue", BLUE)):
        Image.new("RGB", (8, 8), colour).save(tmp_path / f"{name}.png")
    ramp = np.tile(np.linspace(0, 255, 33, dtype=np.uint8), (33, 1))  # rises to the east
    Image.fromarray(ramp).save(tmp_path / "ramp.png")
    return tmp_path


def test_a_ramp_is_red_below_and_blue_above_and_mixed_between(pictures):
    ramp = HeightField(np.linspace(0, 10, 11)[:, None] * np.ones((1, 11)), (20.0, 20.0))
    layers = [
        PaintLayer(str(pictures / "red.png")),
        PaintLayer(str(pictures / "blue.png"), 1.0, 4.0, 2.0),
    ]
    pixels = np.asarray(Image.open(painted(ramp, layers)).convert("RGB"), float)
    row, width = pixels[len(pixels) // 2], pixels.shape[1]
    assert row[int(0.39 * width)] == pytest.approx(RED)  # 3.9 m high
    assert row[int(0.61 * width)] == pytest.approx(BLUE)
    assert row[width // 2] == pytest.approx(np.add(RED, BLUE) / 2, abs=2)
    assert painted(ramp, layers) == painted(ramp, layers)


def test_north_is_up_and_copies_have_their_size(pictures):
    half = np.zeros((8, 8, 3), np.uint8)
    half[:4] = 255  # the northern half of each copy is white
    Image.fromarray(half).save(pictures / "half.png")
    ramp = HeightField(np.ones((2, 3)) * [0.0, 0.0, 5.0], (10.0, 10.0))  # rises to the north
    layers = [
        PaintLayer(str(pictures / "half.png"), 5.0),
        PaintLayer(str(pictures / "red.png"), 1.0, 4.0),
    ]
    pixels = np.asarray(Image.open(painted(ramp, layers)).convert("RGB"))
    side = len(pixels)
    assert tuple(pixels[2, 5]) == RED  # the top row is the north, which is high
    column = pixels[:, 5, 0]
    white = [column[int((1 - y / 10.0) * side)] for y in (1.2, 3.8, 6.2)]
    assert white == [0, 255, 0]


def test_a_world_file_paints_its_ground_by_height_or_by_one_picture(pictures):
    ground = {"type": "heightmap", "file": "ramp.png", "size": [20, 20, 10]}
    layers = [{"texture": "red.png"}, {"texture": "blue.png", "from_height": 5}]

    def look(**more):
        spec = resolve_world_spec({"name": "w", "ground": ground | more}, pictures, "w")
        return build_world(spec).models[0].links[0].visuals[0].material

    by_height = look(layers=layers)
    pixels = np.asarray(Image.open(by_height.texture).convert("RGB"))
    assert tuple(pixels[0, 0]) == RED
    assert tuple(pixels[0, -1]) == BLUE
    assert by_height.texture_size == 0.0  # once over all of it
    whole = look(texture="red.png")
    assert (whole.texture, whole.texture_size) == (str(pictures / "red.png"), 0.0)
    with pytest.raises(ConfigError, match="either a 'texture' or 'layers'"):
        look(texture="red.png", layers=layers)


def test_the_blends_of_an_sdf_height_map_are_mixed(pictures):
    look = "".join(
        f"<texture><diffuse>{name}.png</diffuse><size>2</size></texture>"
        for name in ("red", "blue")
    )
    shape = f"""<geometry><heightmap><uri>ramp.png</uri><size>20 20 10</size>{look}
      <blend><min_height>5</min_height><fade_dist>1</fade_dist></blend></heightmap></geometry>"""
    path = pictures / "w.sdf"
    path.write_text(
        f"<sdf version='1.6'><world name='w'><model name='m'><static>1</static><link name='l'>"
        f"<visual name='v'>{shape}</visual></link></model></world></sdf>"
    )
    found = read_sdf(path, env={})
    material = found.world.models[0].links[0].visuals[0].material
    pixels = np.asarray(Image.open(material.texture).convert("RGB"))
    assert tuple(pixels[0, 0]) == RED
    assert tuple(pixels[0, -1]) == BLUE
    assert any("2 textures are blended by height" in note for note in found.notes)
