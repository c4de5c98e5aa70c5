"""Scripted objects: placed at the corners of their path, moved by the engine in between."""

from itertools import pairwise

import numpy as np

from outrider.core.clock import to_s
from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array, Pose
from outrider.physics.health import check_bounds
from outrider.sim.simulation import Simulation
from outrider.specs.world import ObjectSpec, PathSpec

_STILL = np.zeros(3)
_NEVER_S = float("inf")
_SHORTEST_S = 0.001  # of a leg: no step may be spent on turning at corners without end


class PathDriver(DeclaredState):
    """Moves one object; its pose is a function of time alone."""

    state_fields = ("_next_leg", "_corner_s")

    def __init__(self, item: ObjectSpec, path: PathSpec, body: int) -> None:
        self._body = body
        self._rotation = item.pose.pose().rotation
        self._speed = path.speed
        self._loop = path.loop
        self._legs = list(pairwise(_corners(item.name, path)))
        self._restart()

    def __call__(self, simulation: Simulation) -> None:
        """Turn the object at a corner."""
        if simulation.steps == 0:
            self._restart()
        now_s = to_s(simulation.time_ns)
        if now_s >= self._corner_s:
            pose, velocity = self._turn(now_s)
            simulation.rig.engine.place(self._body, pose, velocity, _STILL)

    def _restart(self) -> None:
        self._next_leg = 0  # counts on from round to round
        self._corner_s = 0.0 if self._legs else _NEVER_S

    def _turn(self, now_s: float) -> tuple[Pose, Array]:
        """Go on to the leg that the object is on now, which may be some corners ahead."""
        while True:
            if self._next_leg >= len(self._legs) and not self._loop:
                self._corner_s = _NEVER_S
                return Pose(self._legs[-1][1], self._rotation), _STILL
            leg = self._legs[self._next_leg % len(self._legs)]
            self._next_leg += 1
            way, began_s = leg[1] - leg[0], self._corner_s
            length = float(np.linalg.norm(way))
            self._corner_s += length / self._speed
            if now_s < self._corner_s:
                velocity = way * (self._speed / length)
                place = leg[0] + velocity * (now_s - began_s)
                return Pose(place, self._rotation), velocity


def _corners(name: str, path: PathSpec) -> list[Array]:
    """Return the points that are not almost where the one before is."""
    corners: list[Array] = []
    for point in map(np.array, [*path.points, *path.points[: path.loop]]):
        check_bounds(name, point)
        if not corners or np.linalg.norm(point - corners[-1]) > path.speed * _SHORTEST_S:
            corners.append(point)
    return corners
