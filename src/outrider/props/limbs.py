"""How wood grows: a trunk, limbs out of it, twigs out of those."""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.props.patches import Patch, joined, tube


@dataclass(frozen=True, slots=True)
class Order:
    """One order of branching: how many limbs each limb of the order before bears, and how."""

    count: int
    length: float  # share of the parent's length
    angle_deg: float  # from the parent's direction
    first: float = 0.4  # from where along the parent on, as a share
    lift: float = 0.1  # how much it bends up (or down) per piece
    wiggle: float = 0.15  # how much it bends anywhere
    radius: float = 0.55  # share of the parent's at that place
    pieces: int = 3
    sides: int = 5
    taper: float = 0.3  # radius at the tip, as a share of that at the root
    shrink: float = 0.4  # how much shorter limbs at the parent's tip are


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A piece of wood: points (n, 3) from root to tip, with radii."""

    points: Array
    radii: Array
    sides: int
    order: int

    @property
    def length(self) -> float:
        """How long it is, along its points."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    @property
    def triangles(self) -> int:
        """How many triangles its bark has."""
        return 2 * self.sides * (len(self.points) - 1)

    def at(self, share: float) -> tuple[Array, Array, float]:
        """Return the place, direction and radius at a share of its length."""
        position = share * (len(self.points) - 1)
        piece = min(int(position), len(self.points) - 2)
        t = position - piece
        a, b = self.points[piece], self.points[piece + 1]
        radius = self.radii[piece] * (1 - t) + self.radii[piece + 1] * t
        return a * (1 - t) + b * t, _unit(b - a), float(radius)

    def bark(self) -> Patch:
        """Return its surface."""
        return tube(self.points, self.radii, self.sides, (0.6, 0.9))


def grow_trunk(random: np.random.Generator, height: float, radius: float, order: Order) -> Limb:
    """Return a trunk that widens to its roots, a little below the ground."""
    limb = _grown(random, np.zeros(3), np.array([0.0, 0.0, 1.0]), height, radius, order, 0)
    points = np.concatenate([[[0.0, 0.0, -0.15]], limb.points])
    radii = np.concatenate([[limb.radii[0] * 1.45], limb.radii])
    radii[1] *= 1.2
    return Limb(points, radii, order.sides, 0)


def grow_limbs(
    random: np.random.Generator, parents: list[Limb], order: Order, rank: int
) -> list[Limb]:
    """Return the limbs of one order: around each parent by the golden angle, up to its tip."""
    limbs = []
    for parent in parents:
        turn = random.uniform(0, 2 * math.pi)
        for k in range(order.count):
            share = order.first + (1 - order.first) * (k + random.uniform(0.2, 0.8)) / order.count
            root, along, thick = parent.at(min(share, 0.985))
            turn += 2.39996 + random.normal(0, 0.25)
            bend = math.radians(order.angle_deg) * random.uniform(0.8, 1.2)
            direction = _leaning(along, turn, bend)
            length = parent.length * order.length * random.uniform(0.8, 1.15)
            length *= 1 - order.shrink * (share - order.first) / max(1e-9, 1 - order.first)
            limbs.append(_grown(random, root, direction, length, thick * order.radius, order, rank))
    return limbs


def wood(limbs: list[Limb]) -> Patch:
    """Return the bark of all limbs."""
    return joined(limb.bark() for limb in limbs)


def scaled(limbs: list[Limb], factor: Array) -> list[Limb]:
    """Return limbs stretched along x, y and z; their thickness stays."""
    return [Limb(limb.points * factor, limb.radii, limb.sides, limb.order) for limb in limbs]


def _grown(
    random: np.random.Generator,
    root: Array,
    direction: Array,
    length: float,
    radius: float,
    order: Order,
    rank: int,
) -> Limb:
    """Return a limb that bends piece by piece."""
    points, along = [root], direction
    for _ in range(order.pieces):
        points.append(points[-1] + along * length / order.pieces)
        along = _unit(along + random.normal(0, order.wiggle, 3) + [0.0, 0.0, order.lift])
    radii = radius * np.linspace(1.0, order.taper, order.pieces + 1)
    return Limb(np.array(points), radii, order.sides, rank)


def _leaning(along: Array, turn: float, bend: float) -> Array:
    """Return a direction bent away from another one, to the side that ``turn`` names."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(along[2]) > 0.7 else np.array([0.0, 0.0, 1.0])
    across = _unit(np.cross(along, helper))
    other = np.cross(along, across)
    side = across * math.cos(turn) + other * math.sin(turn)
    leaning: Array = along * math.cos(bend) + side * math.sin(bend)
    return leaning


def _unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-12 else np.array([0.0, 0.0, 1.0])
