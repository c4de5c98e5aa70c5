"""Bushes and tufts of grass: cutouts without colliders, except for a bush's stems."""

import math

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.props.finishes import finish
from outrider.props.leaves import cards, standing_cards
from outrider.props.patches import Patch, joined, tube
from outrider.props.prop import Prop
from outrider.props.textures.images import texture
from outrider.props.textures.leaves import BUSH, GRASS, tuft, twig
from outrider.props.textures.outline import CORNERS
from outrider.props.textures.wood import bark
from outrider.world.model import Geometry
from outrider.world.shapes import Cylinder

STEMS = 5


def bush(seed: int, *, height: float = 1.2, spread: float = 1.5, triangles: int = 300) -> Prop:
    """Return a round bush: a few stems, and leaves over a dome."""
    if min(height, spread) <= 0 or triangles < 60:
        raise ValueError("a bush needs sizes above 0 and at least 60 triangles")
    random = generator(seed, "bush")
    stems = joined(_stem(random, spread, height) for _ in range(STEMS))
    count = (triangles - stems.triangles) // (CORNERS - 2)
    picture = texture(twig, BUSH)
    size = 0.42 * (spread + height) / 2 * (65 / max(count, 15)) ** 0.35
    points, outward = _dome(random, count, spread / 2 - size * 0.45, height - size * 0.75)
    up = outward + random.normal(0, 0.4, (count, 3)) + [0.0, 0.0, 0.35]
    face = outward * 0.6 + random.normal(0, 0.5, (count, 3))
    leaves = cards(points, up, face, np.full(count, size), picture)
    wooden = finish("wood", texture(bark))
    core = Cylinder(spread * 0.12, height * 0.6)
    return Prop(
        (
            Geometry(stems.mesh(), material=wooden),
            Geometry(leaves.mesh(), material=finish("leaves", picture)),
        ),
        (Geometry(core, Pose(np.array([0.0, 0.0, height * 0.3])), wooden),),
    )


def grass(seed: int, *, height: float = 0.25, spread: float = 0.4, cards: int = 4) -> Prop:
    """Return a tuft of grass on so many cards."""
    if min(height, spread) <= 0 or not 1 <= cards <= 1000:
        raise ValueError("a tuft needs sizes above 0 and between 1 and 1000 cards")
    random = generator(seed, "grass")
    foot = random.uniform(-0.25, 0.25, (cards, 3)) * spread
    foot[:, 2] = -0.02
    picture = texture(tuft, GRASS)
    sizes = height * random.uniform(0.8, 1.2, cards)
    blades = standing_cards(random, foot, sizes, picture, 0.1)
    return Prop((Geometry(blades.mesh(), material=finish("leaves", picture)),))


def _stem(random: np.random.Generator, spread: float, height: float) -> Patch:
    turn = random.uniform(0, 2 * math.pi)
    tip = np.array([math.cos(turn) * spread * 0.25, math.sin(turn) * spread * 0.25, height * 0.7])
    path = np.stack([np.array([0.0, 0.0, -0.05]), tip * [0.35, 0.35, 0.5], tip])
    return tube(path, [0.03, 0.02, 0.01], 3, (0.3, 0.5))


def _dome(
    random: np.random.Generator, count: int, radius: float, height: float
) -> tuple[Array, Array]:
    """Return points in a dome, most of them near its surface, and directions away from it."""
    way = random.standard_normal((count, 3))
    way[:, 2] = np.abs(way[:, 2])
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    depth = 1 - 0.7 * random.random((count, 1)) ** 1.6
    return way * depth * [radius, radius, max(height, 0.05)], way
