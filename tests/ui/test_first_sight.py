"""What a visitor sees first: the robot, wherever it stands, in the editor's own colours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor_bench import START_MS, Editor, Seat, running

# the usual place to look from, 3.6 m behind and above the robot, is on the other side of a wall
ROOM = """\
world:
  name: room
  ground: {type: flat, size: [24, 24], material: concrete}
  objects:
    - {name: behind, shape: {type: box, size: [0.1, 12, 3]}, pose: {x: -0.8}}
    - {name: beside, shape: {type: box, size: [12, 0.1, 3]}, pose: {y: -0.8}}
robots: [{model: jackal}]
duration_s: null
"""

_WALLS = """() => {
  const s = window.outriderStage, at = s.motion.pose(s.cameras.root).position.clone();
  at.z += 0.3;
  return s.picture.hides(at, s.cameras.perspective.position);
}"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    place: Path = tmp_path_factory.mktemp("room")
    (place / "room.yaml").write_text(ROOM)
    with running("room.yaml", cwd=place) as found:
        yield found


@pytest.fixture(scope="module")
def seat(browser: Any, editor: Editor) -> Iterator[Seat]:
    found = Seat(browser, editor.address)
    yield found
    assert found.errors == []


def test_no_wall_hides_the_robot_at_first(seat: Seat) -> None:
    seat.frames(3)
    position = seat.state()["position"]
    assert position[0] > -0.75
    assert position[1] > -0.75
    assert not seat.page.evaluate(_WALLS)


def test_no_wall_hides_the_robot_after_another_camera(seat: Seat) -> None:
    for camera in ("top", "orbit"):
        seat.insist(
            seat.page.locator(f'[data-camera="{camera}"]').click,
            lambda wanted=camera: seat.shows(f"s => s.camera === '{wanted}'"),
        )
    seat.frames(3)
    assert not seat.page.evaluate(_WALLS)


def test_the_page_has_its_own_colours(seat: Seat) -> None:
    primary = "getComputedStyle(document.body).getPropertyValue('--q-primary')"
    assert seat.page.evaluate(primary) == "#ff8a3d"


def test_on_a_phone_a_program_is_as_wide_as_the_window(browser: Any, editor: Editor) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(START_MS)
    page.add_init_script("window.outriderQuality = 'low'")
    page.goto(editor.address)
    page.locator(".q-tab", has_text="Code").click()
    page.wait_for_function(
        "document.querySelector('.or-code-editor')?.getBoundingClientRect().width > 380"
    )
    page.close()
