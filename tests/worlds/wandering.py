"""A Jackal that drives on and turns away from what it sees ahead: it finds room anywhere."""

import numpy as np

from outrider.core.frames import matrix_from_quaternion
from outrider.physics.colliders.distance import nearest
from outrider.scene.triangles import triangles
from outrider.world.assembly import WORLD

SPEED, TURN = 1.0, 1.5  # m/s, rad/s
LOOK = 1.0  # m from its middle: it turns where less is free
DROP = 0.45  # m: ground so much higher or lower ahead is none to drive on
EVERY_S = 0.1  # between two looks
FANS = np.radians([0.0, -15.0, 15.0, -30.0, 30.0])
TOUCHED = 0.06  # m: so near is what it bumps into to something seen


class Wanderer:
    """Drives a simulation's Jackal; ``way`` are the metres it went over ground."""

    def __init__(self, simulation):
        self.simulation, self.way = simulation, 0.0
        self._handle = simulation.robots["jackal"]
        self._itself = simulation.rig.assembly.models.index("jackal")
        self._side = 0.0

    def drive(self, metres, seconds):
        """Go on until so many metres are behind, or the time is over."""
        steps = max(1, round(EVERY_S / self.simulation.rig.step_s))
        for _ in range(round(seconds / EVERY_S)):
            speed, turn = self._command()
            for _ in range(steps):
                before = self._handle.pose.position[:2].copy()
                self._handle.drive(speed, turn)
                self.simulation.step()
                self.way += float(np.linalg.norm(self._handle.pose.position[:2] - before))
                self._bumped()
            assert self._height() < DROP, "it has left the ground"
            if self.way >= metres:
                return

    def _command(self):
        free = self._free()
        if free.min() >= LOOK:
            self._side = 0.0
            return SPEED, 0.0
        if not self._side:
            self._side = 1.0 if free[[2, 4]].sum() >= free[[1, 3]].sum() else -1.0
        return 0.0, self._side * TURN

    def _free(self):
        """Return how far it is free in a few directions ahead: nothing met, and ground below."""
        pose, scene = self._handle.pose, self.simulation.rig.scene
        ways = np.array([[np.cos(a), np.sin(a), 0.0] for a in FANS])
        found = np.full(len(ways), 10.0)
        for height in (0.1, 0.25):
            start = pose.apply(np.tile([0.0, 0.0, height], (len(ways), 1)))
            turned = ways @ matrix_from_quaternion(pose.rotation).T
            met = scene.cast(start, turned, 10.0, self.simulation.state, self._itself)
            found = np.minimum(found, met.distance)
        ahead = pose.apply(ways * LOOK)
        below = scene.ground_below(ahead, float(pose.position[2]) + 1.0)
        off = np.abs(below - ahead[:, 2])
        found[~(off < DROP)] = 0.0  # not a number: no ground at all
        return found

    def _height(self):
        place = self._handle.pose.position
        below = self.simulation.rig.scene.ground_below(place[None], float(place[2]) + 0.5)[0]
        return abs(float(place[2] - below)) if np.isfinite(below) else np.inf

    def _bumped(self):
        """Whatever it bumps into must be seen there."""
        met = [
            c.point
            for c in self.simulation.rig.engine.contacts()
            if WORLD in (c.first, c.second) and "jackal/" in c.first_name + c.second_name
        ]
        if met:
            assert nearest(np.array(met), self._seen()).max() < TOUCHED, "an invisible wall"

    def _seen(self):
        if not hasattr(self, "_corners"):
            parts = self.simulation.rig.assembly.static
            self._corners = np.concatenate([_triangles_of(part) for part in parts])
        return self._corners


def _triangles_of(part):
    return np.concatenate(
        [
            g.pose.apply(mesh.vertices)[mesh.faces]
            for g in part.visuals or part.colliders
            for mesh in [triangles(g.shape)]
        ]
    )
