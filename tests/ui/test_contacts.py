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
from outrider.ui.desk import Desk
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
def desk(tmp_path: Path) -> Desk:
    return Desk(Run(loads(WALL_AHEAD), speed=0.0), EditorOptions(projects=tmp_path))


def drive(desk: Desk, speed: float, seconds: float) -> None:
    simulation = desk.session.simulation
    for _ in range(round(seconds / 0.0025)):
        simulation.robots["jackal"].drive(speed, 0.0)
        simulation.step()
    desk.frame = take_frame(desk.run.runner)


def warnings(desk: Desk) -> list[str]:
    return [entry.text for entry in desk.journal.since(0) if entry.level == "warning"]


class Marks(dict[str, np.ndarray]):
    """What somebody who comes now is shown over the scene: kinds, and where."""

    def offer(self, kind: str, message: bytes) -> None:
        (length,) = struct.unpack_from("<I", message)
        head: dict[str, Any] = json.loads(message[4 : 4 + length])
        rest = np.frombuffer(message[4 + length :], np.float32, 3 * head["n"])
        self[kind] = rest.reshape(-1, 3)


def marks(desk: Desk) -> Marks:
    found = Marks()
    desk.tell_all(found)  # type: ignore[arg-type]
    return found


def test_a_robot_that_hits_something_is_warned_of_and_marked_where_it_hit(desk: Desk) -> None:
    contacts = Contacts(desk)
    drive(desk, 1.0, 1.0)
    contacts.look()
    contacts.look()
    assert len(warnings(desk)) == 1  # not again for the same impact
    assert warnings(desk)[0].startswith("jackal hit wall with ")
    points = marks(desk)["contacts"]
    np.testing.assert_allclose(points[:, 0], 0.85, atol=0.02)  # the wall's near side
    drive(desk, -0.5, 3.2)
    contacts.look()
    assert "contacts" not in marks(desk)


def test_a_thing_that_comes_to_rest_on_the_ground_is_no_collision(desk: Desk) -> None:
    desk.session.apply(editing.added_primitive(desk.session, "box", "jackal", (-2.0, 0.0)))
    desk.session.apply(editing.moved(desk.session, "box", z=0.5))
    drive(desk, 0.0, 0.5)
    Contacts(desk).look()
    assert desk.session.simulation.collisions.total > 0
    assert warnings(desk) == []
    assert "contacts" not in marks(desk)
