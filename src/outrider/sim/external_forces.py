"""External forces that act on bodies for a duration."""

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.state import State
from outrider.sim.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class ExternalForce:
    """A force and a torque in world axes, at a point fixed in a body."""

    link: str  # model/link: what it is called when the world is built anew
    force: Array
    torque: Array
    point: Array  # in the frame of the body
    start_ns: int
    end_ns: int


_NO_PUSH = ExternalForce("", np.zeros(3), np.zeros(3), np.zeros(3), 0, 0)  # what one looks like


class ExternalForces:
    """All current and future forces; expired ones are removed."""

    def __init__(self) -> None:
        self._all: list[ExternalForce] = []

    def __len__(self) -> int:
        return len(self._all)

    def add(self, push: ExternalForce) -> None:
        """Push for a while."""
        self._all.append(push)

    def clear(self, link: str = "") -> int:
        """Push a link (or nothing at all) no longer; return how many ended."""
        kept = [push for push in self._all if link and push.link != link]
        gone, self._all = len(self._all) - len(kept), kept
        return gone

    def get_state(self) -> State:
        """Return all of them."""
        return State(all=[State.of(push) for push in self._all])

    def set_state(self, state: State) -> None:
        """Push so from now on."""
        self._all = [push.record(_NO_PUSH) for push in state.parts("all")]

    def apply(self, rig: Rig) -> None:
        """Add the forces of this step to the loads."""
        now_ns = rig.engine.state.time_ns
        self._all = [push for push in self._all if now_ns < push.end_ns]
        for push in self._all:
            frame = rig.assembly.frames.get(push.link)
            if now_ns >= push.start_ns and frame is not None and frame.body >= 0:
                _apply(push, rig, frame.body)


def _apply(push: ExternalForce, rig: Rig, body: int) -> None:
    turn = matrix_from_quaternion(rig.engine.state.bodies[body]["rotation"])
    load = rig.engine.loads.bodies[body]
    load["force"] += push.force
    load["torque"] += push.torque + np.cross(turn @ push.point, push.force)
