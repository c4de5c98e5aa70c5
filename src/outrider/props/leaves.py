"""Leaves as cards: small textured cutouts of a twig at the ends of the branches."""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.props.limbs import Limb
from outrider.props.patches import Patch, polygons
from outrider.props.textures.outline import outline


def leaf_cards(
    random: np.random.Generator,
    limbs: list[Limb],
    count: int,
    size: float,
    picture: str,
    droop: float = 0.0,
) -> Patch:
    """Return so many cards of ``size`` metres along limbs, pointing outwards from the crown."""
    chosen = random.integers(0, len(limbs), count)
    share = random.uniform(0.25, 1.0, count)
    places = [limbs[limb].at(float(s)) for limb, s in zip(chosen, share, strict=True)]
    points, along = (np.array([place[k] for place in places]) for k in (0, 1))
    centre = points.mean(axis=0)
    outward = points - centre
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    up = along * 0.7 + outward * 0.6 + random.normal(0, 0.45, (count, 3)) + [0, 0, -droop]
    face = outward * 0.5 + random.normal(0, 0.6, (count, 3)) + [0, 0, 0.5]
    return cards(points, up, face, size * random.uniform(0.75, 1.25, count), picture)


def cards(points: Array, up: Array, face: Array, sizes: Array, picture: str) -> Patch:
    """Return cards that stand on points, along ``up``, turned towards ``face``.

    Each shows the whole of a square picture and ends where its leaves do.
    """
    up = _units(up)
    right = _units(np.cross(up, face))
    places = outline(picture)
    off = (places - [0.5, 0.0]) * sizes[:, None, None]  # (n, k, 2): along right and up
    corners = points[:, None] + off @ np.stack([right, up], axis=1)
    return polygons(corners, places)


def standing_cards(
    random: np.random.Generator, points: Array, sizes: Array, picture: str, lean: float = 0.15
) -> Patch:
    """Return upright cards at points, each with a heading of its own."""
    heading = random.uniform(0, math.pi * 2, len(points))
    face = np.stack([np.cos(heading), np.sin(heading), np.zeros(len(points))], axis=1)
    up = np.array([0.0, 0.0, 1.0]) + random.normal(0, lean, (len(points), 3))
    return cards(points, up, face, sizes, picture)


def _units(vectors: Array) -> Array:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    units: Array = vectors / lengths
    return units
