"""Collisions for display: dots at contacts, and a warning when a robot hits something."""

import numpy as np

from outrider.scenarios.conditions import robots_hit
from outrider.sim.collisions import Collision
from outrider.sim.outputs import GROUND
from outrider.sim.simulation import Simulation
from outrider.ui.editor_state import EditorState
from outrider.ui.link.frame import packed
from outrider.world.assembly import WORLD

_KEY = "contacts"
_SHOWN_NS = 3_000_000_000  # how long a contact stays marked
_QUIET_NS = 1_000_000_000  # between two warnings of the same two things
_MOST = 50


class Contacts:
    """Looks at the collisions that are new, and draws those of the last three seconds."""

    def __init__(self, editor: EditorState) -> None:
        self._desk = editor
        self._seen = 0
        self._warned: dict[str, int] = {}  # what was said, and when

    def look(self) -> None:
        """Mark and report what happened since the last time."""
        simulation = self._desk.session.simulation
        new = simulation.collisions.since(self._seen)
        self._seen = simulation.collisions.total
        for collision in new[-_MOST:]:
            for robot in robots_hit(simulation, collision):
                self._warn(robot, collision)
        self._mark(simulation)

    def _warn(self, robot: str, collision: Collision) -> None:
        sides = (collision.first, collision.second)
        other = next((side for side in sides if side.split("/")[0] != robot), robot)
        said = f"{robot} hit {other}"
        last_ns = self._warned.get(said)
        if last_ns is None or not 0 <= collision.time_ns - last_ns < _QUIET_NS:
            self._warned[said] = collision.time_ns
            self._desk.journal.write("warning", f"{said} with {collision.impulse:.2g} N s")

    def _mark(self, simulation: Simulation) -> None:
        frame = self._desk.frame
        if frame is None:
            return
        last = list(simulation.collisions)[-_MOST:]
        age_ns = (frame.time_ns - c.time_ns for c in last)
        points = [
            c.point
            for c, age in zip(last, age_ns, strict=True)
            if age <= _SHOWN_NS and _worth_a_mark(simulation, c)
        ]
        self._desk.draw(_KEY, _marks(points) if points else None)


def _worth_a_mark(simulation: Simulation, collision: Collision) -> bool:
    """Return whether it is more than an object coming to rest on the ground."""
    if GROUND not in (collision.first, collision.second):
        return True
    assembly = simulation.rig.assembly
    models = {assembly.models[assembly.bodies[b].model] for b in collision.bodies if b != WORLD}
    return not models.isdisjoint(simulation.robots)


def _marks(points: list[np.ndarray]) -> bytes:
    head = {
        "k": "marks",
        "id": _KEY,
        "n": len(points),
        "radius": 0.05,
        "over": True,
        "colour": "#ff3b3b",
    }
    return packed(head, np.array(points, np.float32))
