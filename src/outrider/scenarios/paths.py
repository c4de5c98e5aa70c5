"""Scripted objects: placed at the corners of their path, carried on by the engine between."""

from itertools import pairwise

import numpy as np

from outrider.core.clock import to_s
from outrider.core.frames import Array, Pose
from outrider.formats.world_file import ObjectSpec, PathSpec
from outrider.sim.simulation import Simulation

_STILL = np.zeros(3)


class PathDriver:
    """Moves one object; where it is follows from the time alone."""

    def __init__(self, item: ObjectSpec, path: PathSpec, body: int) -> None:
        self._body = body
        self._rotation = item.pose.pose().rotation
        corners = [np.array(point) for point in path.points]
        if path.loop:
            corners.append(corners[0])
        # a leg of no length would have no direction
        self._legs = [(a, b) for a, b in pairwise(corners) if not np.array_equal(a, b)]
        self._speed = path.speed
        self._loop = path.loop
        self._restart()

    def __call__(self, simulation: Simulation) -> None:
        """Turn the object at a corner."""
        if simulation.steps == 0:
            self._restart()
        if self._legs and simulation.time_ns * 1e-9 >= self._corner_s:
            self._turn(simulation)

    def _restart(self) -> None:
        self._next = 0  # leg to begin at the next corner
        self._corner_s = 0.0

    def _turn(self, simulation: Simulation) -> None:
        """Go on to the leg that the object is on now, which may be some corners ahead."""
        now_s = to_s(simulation.time_ns)
        while now_s >= self._corner_s:
            if self._next == len(self._legs):
                if not self._loop:
                    self._place(simulation, self._legs[-1][1], _STILL)
                    self._corner_s = float("inf")
                    return
                self._next = 0
            began_s, (start, end) = self._corner_s, self._legs[self._next]
            self._corner_s += float(np.linalg.norm(end - start)) / self._speed
            self._next += 1
        velocity = (end - start) / np.linalg.norm(end - start) * self._speed
        self._place(simulation, start + velocity * (now_s - began_s), velocity)

    def _place(self, simulation: Simulation, position: Array, velocity: Array) -> None:
        pose = Pose(position, self._rotation)
        simulation.rig.engine.place(self._body, pose, velocity, _STILL)
