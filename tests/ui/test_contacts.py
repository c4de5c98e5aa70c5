"""Collisions in the editor, without a browser."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outrider.scenarios.load import loads
from outrider.scenarios.run import Run
from outrider.ui import editing
from outrider.ui.editor_state import EditorState
from outrider.ui.link.frame import take_frame
from outrider.ui.options import EditorOptions
from outrider.ui.views.contacts import Contacts

WALL_AHEAD = """\
world:
  name: yard
  ground: {type: flat, size: [24, 24], material: concrete}
  objects:
    - {name: wall, shape: {type: box, size: [0.3, 8, 1.2]}, pose: {x: 1}, material: brick}
robots: [{model: jackal}]
duration_s: null
"""


@pytest.fixture
def editor(tmp_path: Path) -> EditorState:
    return EditorState(Run(loads(WALL_AHEAD), speed=0.0), EditorOptions(projects=tmp_path))


def drive(editor: EditorState, speed: float, seconds: float) -> None:
    simulation = editor.session.simulation
    for _ in range(round(seconds / 0.0025)):
        simulation.robots["jackal"].drive(speed, 0.0)
        simulation.step()
    editor.frame = take_frame(editor.run.runner)


def warnings(editor: EditorState) -> list[str]:
    return [entry.text for entry in editor.journal.since(0) if entry.level == "warning"]


class Marks(dict[str, np.ndarray]):
    """What somebody who comes now is shown over the scene: kinds, and where."""

    def offer(self, kind: str, message: bytes) -> None:
        (length,) = struct.unpack_from("<I", message)
        head: dict[str, Any] = json.loads(message[4 : 4 + length])
        rest = np.frombuffer(message[4 + length :], np.float32, 3 * head["n"])
        self[kind] = rest.reshape(-1, 3)


def marks(editor: EditorState) -> Marks:
    found = Marks()
    editor.tell_all(found)  # type: ignore[arg-type]
    return found


def test_a_robot_that_hits_something_is_warned_of_and_marked_where_it_hit(
    editor: EditorState,
) -> None:
    contacts = Contacts(editor)
    drive(editor, 1.0, 1.0)
    contacts.look()
    contacts.look()
    assert len(warnings(editor)) == 1  # not again for the same impact
    assert warnings(editor)[0].startswith("jackal hit wall with ")
    points = marks(editor)["contacts"]
    np.testing.assert_allclose(points[:, 0], 0.85, atol=0.02)  # the wall's near side
    drive(editor, -0.5, 3.2)
    contacts.look()
    assert "contacts" not in marks(editor)


def test_a_thing_that_comes_to_rest_on_the_ground_is_no_collision(editor: EditorState) -> None:
    editor.session.apply(editing.added_primitive(editor.session, "box", "jackal", (-2.0, 0.0)))
    editor.session.apply(editing.moved(editor.session, "box", z=0.5))
    drive(editor, 0.0, 0.5)
    Contacts(editor).look()
    assert editor.session.simulation.collisions.total > 0
    assert warnings(editor) == []
    assert "contacts" not in marks(editor)
