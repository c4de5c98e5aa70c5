"""How walkers move: towards where they want to go, and out of the way of others.

The forces are those of Helbing and Molnar's social force model (Physical Review E 51, 1995), for
circles instead of points; a share of each points to the right, so that two who meet pass.
"""

from dataclasses import dataclass

import numpy as np

from outrider.actors.ground_height import followed
from outrider.actors.surroundings import ROBOT, Circles, Feelers, Ground
from outrider.core.frames import Array

RELAXATION_S = 0.5  # until most of the wanted velocity is reached
_STRENGTH, _ROBOT_STRENGTH = 4.0, 9.0  # m/s^2 where circles touch
_REACH, _REACH_ASIDE = 0.35, 1.0  # m over which pushes away, and to the right, fall to 37 %
_BEHIND = 0.3  # of the strength, of what one does not see
_ASIDE = 0.35  # of the push that points to the right
_FASTER = 1.5  # times their speed, at most
_TURN = 5.0  # rad/s
_FEELER = 0.5  # m above the ground, where they feel for what stands in the way
_STANDING = 0.1  # m/s below which they keep their heading


@dataclass(slots=True)
class WalkerMotion:
    """Where walkers are: their places (n, 2) on the ground, and their gait."""

    place: Array
    velocity: Array
    height: Array
    yaw: Array
    phase: Array

    @classmethod
    def at(cls, starts: Array, heights: Array) -> "WalkerMotion":
        """Return walkers that stand at x, y, yaw (n, 3)."""
        n = len(starts)
        place, yaw = starts[:, :2].copy(), starts[:, 2].copy()
        return cls(place, np.zeros((n, 2)), heights.copy(), yaw, np.zeros(n))

    @property
    def speed(self) -> Array:
        """How fast they are."""
        speed: Array = np.hypot(self.velocity[:, 0], self.velocity[:, 1])
        return speed

    @property
    def roots(self) -> Array:
        """The points on the ground where they stand (n, 3)."""
        return np.column_stack([self.place, self.height])

    def go(self, velocity: Array, ground: Ground, seconds: float) -> None:
        """Move at a velocity (n, 2), on the ground, and look where they go."""
        self.velocity = velocity
        self.place = self.place + velocity * seconds
        self.height = followed(ground, self.place, self.height, seconds)
        heading = np.arctan2(velocity[:, 1], velocity[:, 0])
        off = np.remainder(heading - self.yaw + np.pi, 2 * np.pi) - np.pi
        most = _TURN * seconds * (self.speed > _STANDING)
        self.yaw = self.yaw + np.clip(off, -most, most)


def stepped(
    motion: WalkerMotion, wanted: Array, own: Circles, others: Circles, most: Array, seconds: float
) -> Array:
    """Return velocities after some time: nearer to those wanted, pushed by others."""
    force = (wanted - motion.velocity) / RELAXATION_S + pushes(own, others)
    velocity = motion.velocity + force * seconds
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    slowed: Array = velocity * np.minimum(1.0, _FASTER * most / np.maximum(speed, 1e-9))[:, None]
    return slowed


def kept_off(
    motion: WalkerMotion, velocity: Array, radius: float, feelers: Feelers, seconds: float
) -> Array:
    """Return velocities without the part that leads into what stands in the way: they slide on."""
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    ahead = velocity / np.maximum(speed, 1e-9)[:, None]
    rays = np.column_stack([ahead, np.zeros(len(ahead))])
    origins = motion.roots + np.array([0.0, 0.0, _FEELER])
    distances, normals = feelers(origins, rays, radius + speed * seconds)
    flat = normals[:, :2] / np.maximum(np.linalg.norm(normals[:, :2], axis=1), 1e-9)[:, None]
    into = (velocity * flat).sum(axis=1)  # normals may point either way
    slid: Array = velocity - np.where(np.isinf(distances), 0.0, into)[:, None] * flat
    return slid


def pushes(own: Circles, others: Circles) -> Array:
    """Return the acceleration (n, 2) by which each keeps away from all others.

    x and y are tables of their own, a row for each other: side by side they take thrice as long.
    """
    x, y = (own.centres[:, k] - others.centres[:, k, None] for k in range(2))
    distance = np.maximum(np.hypot(x, y), 1e-6)
    x, y = x / distance, y / distance
    strength = np.where(others.owners == ROBOT, _ROBOT_STRENGTH, _STRENGTH)[:, None]
    strength = strength * _seen(own, x, y) * (own.owners != others.owners[:, None])
    gap = np.maximum(distance - own.radii - others.radii[:, None], -_REACH)
    back = strength * np.exp(-gap / _REACH)
    aside = _ASIDE * strength * np.exp(-gap / _REACH_ASIDE)
    # what is to the right of the way towards the other: the normal after a quarter to the left
    return np.stack([(back * x - aside * y).sum(axis=0), (back * y + aside * x).sum(axis=0)], 1)


def _seen(own: Circles, x: Array, y: Array) -> Array:
    """Return how much each minds each other: less what is behind it."""
    speed = np.hypot(own.velocities[:, 0], own.velocities[:, 1])
    heading = own.velocities / np.maximum(speed, 1e-9)[:, None]
    ahead = -(x * heading[:, 0] + y * heading[:, 1])
    seen: Array = np.where(speed > _STANDING, _BEHIND + (1 - _BEHIND) * (1 + ahead) / 2, 1)
    return seen
