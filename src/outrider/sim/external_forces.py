"""External forces that act on bodies for a duration, and end before they would end the run."""

import logging
import math
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.state import State
from outrider.sim.rig import Rig
from outrider.world.assembly import WORLD

_LOG = logging.getLogger("outrider")
MOST = 1000  # at once: each costs time in every step
_TOO_FAST = 300.0  # m/s, well below the speed at which a run is given up as unstable
_KICK = 50.0  # m/s that a force may give to a model in one step
_SPIN_ARM = 0.2  # m: a torque may do what such a force does at this arm


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
        if len(self._all) >= MOST:
            raise ConfigError(f"there are {MOST} pushes already: clear some first")
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
        if self._all and (np.abs(rig.engine.state.bodies["velocity"]) > _TOO_FAST).any():
            self._end(rig, now_ns)
        for push, body in self._acting(rig, now_ns):
            _apply(push, rig, body)

    def _acting(self, rig: Rig, now_ns: int) -> list[tuple[ExternalForce, int]]:
        """Return what has begun to push, and on which body; links may be gone or fixed by now."""
        frames = rig.assembly.frames
        begun = (push for push in self._all if now_ns >= push.start_ns and push.link in frames)
        bodies = ((push, frames[push.link].body) for push in begun)
        return [(push, body) for push, body in bodies if body != WORLD]

    def _end(self, rig: Rig, now_ns: int) -> None:
        """End the pushes on what flies away."""
        for push, body in self._acting(rig, now_ns):
            if _flies(rig, body):
                self._all.remove(push)
                _LOG.warning(
                    "the push on '%s' was ended: it moves at more than %g m/s", push.link, _TOO_FAST
                )


def check_push(push: ExternalForce, rig: Rig, body: int) -> None:
    """Refuse a push that would end the run in a few steps."""
    bodies = rig.assembly.bodies
    mass = sum(b.inertial.mass for b in bodies if b.model == bodies[body].model)
    most = _KICK * mass / rig.step_s
    force, torque = math.hypot(*push.force), math.hypot(*push.torque)
    arm = math.hypot(*(push.point - bodies[body].inertial.pose.position))  # however it turns
    for what, size, unit, limit in (
        ("force", force, "N", most),
        ("torque", torque, "N m", most * _SPIN_ARM),
        ("point", arm * force, "N m", most * _SPIN_ARM),
    ):
        if not size <= limit:
            raise ConfigError(
                f"'{push.link}' cannot be pushed so: {what}: expected at most {limit:.3g} {unit}"
                f" for a model of {mass:.3g} kg, got {size:.3g} {unit}"
            )


def _flies(rig: Rig, body: int) -> bool:
    """Return whether a part of the model that a body belongs to is faster than anything drives."""
    bodies = rig.assembly.bodies
    rows = [row for row, b in enumerate(bodies) if b.model == bodies[body].model]
    return bool((np.abs(rig.engine.state.bodies["velocity"][rows]) > _TOO_FAST).any())


def _apply(push: ExternalForce, rig: Rig, body: int) -> None:
    turn = matrix_from_quaternion(rig.engine.state.bodies[body]["rotation"])
    load = rig.engine.loads.bodies[body]
    load["force"] += push.force
    load["torque"] += push.torque + np.cross(turn @ push.point, push.force)
