"""Textures with holes and veils in a real browser: cut or blended, as cameras see them."""

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from editor_bench import Seat
from PIL import Image

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]

WORLD = """\
world:
  name: panes
  ground: {type: flat, size: [40, 40], material: concrete}
  objects:
    - {name: wall, shape: {type: box, size: [0.2, 12, 6]}, pose: {x: 4, z: 3}, colour: [0.9, 0.9, 0.9, 1]}
    - {name: faint, shape: {type: box, size: [0.01, 1, 1]}, pose: {x: 2, y: 1.5, z: 1.5}, texture: faint.png}
    - {name: dense, shape: {type: box, size: [0.01, 1, 1]}, pose: {x: 2, y: 0, z: 1.5}, texture: dense.png}
    - {name: leaf, shape: {type: box, size: [0.01, 1, 1]}, pose: {x: 2, y: -1.5, z: 1.5}, texture: leaf.png}
    - {name: glass, shape: {type: box, size: [0.01, 1, 1]}, pose: {x: 2, y: 3, z: 1.5}, colour: [0, 0, 0, 0.3]}
robots:
  - {model: jackal, pose: {x: -8, y: -8}}
duration_s: null
"""  # noqa: E501 - one object a line
FAINT, DENSE = 77, 153  # below and above one half, of 255


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("panes")
    for name, opacity in (("faint", FAINT), ("dense", DENSE)):
        veil = np.zeros((16, 16, 4), np.uint8)
        veil[..., 3] = opacity
        Image.fromarray(veil).save(place / f"{name}.png")
    leaf = np.zeros((16, 16, 4), np.uint8)
    leaf[:, :8, 3] = 255
    Image.fromarray(leaf).save(place / "leaf.png")
    (place / "yard.yaml").write_text(WORLD)
    return place


def brightness(seat: Seat, y: float) -> float:
    """Return how bright the picture is where a point of the panes' plane is seen, 0 to 255."""
    place = f"s => s.cameras.camera.position.clone().set(2, {y}, 1.5)"
    across, down = seat.settled(place)
    data = seat.page.evaluate("window.outriderStage.snapshot()")
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))).convert("L"))
    box: dict[str, Any] = seat.page.locator(".or-stage canvas").bounding_box()
    column = round((across - box["x"]) / box["width"] * picture.shape[1])
    row = round((down - box["y"]) / box["height"] * picture.shape[0])
    return float(picture[row, column])


def test_veils_are_blended_and_leaves_cut(seat: Seat) -> None:
    seat.page.evaluate(
        "() => { const s = window.outriderStage; s.setCamera('orbit');"
        " s.picture.setView({ shadows: false });"
        " s.cameras.orbit.target.set(2, 0, 1.5); s.cameras.perspective.position.set(-3, 0, 1.5); }"
    )
    wall = brightness(seat, 0.75)
    assert wall > 100
    for y, opacity in ((1.5, FAINT), (0.0, DENSE)):  # both sides of a pane are looked through
        shown = brightness(seat, y) / wall
        assert shown == pytest.approx((1 - opacity / 255) ** 2, abs=0.06)
    # a pane that is clear by its material is as opaque as it says, not twice
    assert brightness(seat, 3.0) / wall == pytest.approx(0.7, abs=0.06)
    halves = sorted([brightness(seat, -1.25) / wall, brightness(seat, -1.75) / wall])
    assert halves == pytest.approx([0.0, 1.0], abs=0.06)
    assert not seat.errors
