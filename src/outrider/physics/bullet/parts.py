"""How many parts a step is taken in: more for who would go deep into something, or tumbles fast.

Triangles hold from both sides. What is more than half through one after a step is pushed out below
it, and stays there. Bullet's gyroscopic forces are those of the step's start: a robot that tumbles
gains energy with the square of its spin times the step, until nothing holds it. A body of one piece
gains less, and stays in bounds.
"""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.physics.bullet.model import BodyTree, BulletModel, Owner, pybullet
from outrider.world.assembly import WORLD
from outrider.world.state import Records

_DEEP = 0.005  # m that a body may go in by in a whole step
_PART = 0.003  # m that it goes in a part of a step, otherwise
_MOST = 400  # parts: six times the speed of a fall from 300 m
_FAST = 0.02  # m in a step: who is slower is not looked at
_GAIN = 1.0  # rad^2/s, spin squared times step: energy grows by a tenth in a second or so
_REACH = 0.5  # m from the middle of who tumbles to what hits first


class StepParts:
    """Looks before each step who is fast, and what is in the way."""

    def __init__(self, model: BulletModel, dt: float, client: int) -> None:
        self._moving = [tree for tree in model.trees if not tree.scripted]
        self._roots = np.array([tree.rows[0] for tree in self._moving], np.intp)
        self._owners, self._dt, self._client = model.owners, dt, client

    def count(self, bodies: Records) -> int:
        """Return 1, or how many parts keep fast bodies in bounds and out of what is ahead."""
        roots = bodies[self._roots]
        spins = _lengths(roots["angular_velocity"])
        ways = (_lengths(roots["velocity"]) + _REACH * spins) * self._dt
        most = 1.0
        for row in np.flatnonzero(ways > _FAST):
            tree, way = self._moving[row], float(ways[row])
            deep = _way_in(tree, self._owners, bodies, self._dt, way, self._client)
            gain = float(spins[row]) ** 2 * self._dt if tree.links else 0.0
            most = max(most, deep / _PART, gain / _GAIN)
        return min(_MOST, math.ceil(most))


def _way_in(
    tree: BodyTree,
    owners: dict[tuple[int, int], Owner],
    bodies: Records,
    dt: float,
    way: float,
    client: int,
) -> float:
    """Return how far a tree goes towards what it would be deep inside of after a step, or 0."""
    most = 0.0
    for other in _near(tree, owners, way, client):
        for point in pybullet.getClosestPoints(tree.handle, other, way, physicsClientId=client):
            own, met = owners[point[1], point[3]], owners[point[2], point[4]]
            speed = _speed(bodies, met.body, point[6]) - _speed(bodies, own.body, point[5])
            closing = float(speed @ point[7]) * dt  # the normal points from the other to this one
            if closing - point[8] > _DEEP:
                most = max(most, closing)
    return most


def _near(
    tree: BodyTree, owners: dict[tuple[int, int], Owner], way: float, client: int
) -> list[int]:
    """Return the other bodies, by Bullet's numbers, whose boxes are within a way of the tree's."""
    links = [link for handle, link in owners if handle == tree.handle]
    if not links:
        return []
    boxes = np.array(
        [pybullet.getAABB(tree.handle, link, physicsClientId=client) for link in links]
    )
    low, high = boxes[:, 0].min(axis=0) - way, boxes[:, 1].max(axis=0) + way
    found = pybullet.getOverlappingObjects(low.tolist(), high.tolist(), physicsClientId=client)
    return sorted({handle for handle, _ in found or ()} - {tree.handle})


def _lengths(vectors: Array) -> Array:
    lengths: Array = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _speed(bodies: Records, number: int, point: tuple[float, ...]) -> Array:
    """Return the velocity that a body has at a point; the world rests."""
    if number == WORLD:
        return np.zeros(3)
    body = bodies[number]
    turned: Array = np.cross(body["angular_velocity"], point - body["position"])
    return body["velocity"] + turned  # type: ignore[no-any-return]
