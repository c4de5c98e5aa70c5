"""The deviation of colliders from visible surfaces, measured by rays from outside and inside."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.physics.colliders.distance import nearest
from outrider.scene.surface import Surface
from outrider.scene.triangles import triangles
from outrider.world.model import Geometry
from outrider.world.shapes import HeightField

RAYS = 4000  # from either surface; fewer for meshes of more than 200,000 triangles
_WORK = 800_000_000  # pairs of points and triangles that are compared
_ASIDE = 2e-3 * np.array([[0, 0, 0], [1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0]])  # m
Bools = NDArray[np.bool_]


def surface_gap(
    seen: Geometry | list[Geometry], touched: list[Geometry], rays: int = RAYS
) -> tuple[float, Array]:
    """Return the largest distance between two surfaces, in metres, and where it is.

    A point of ``touched`` in sight must lie on ``seen``: where it does not, something invisible
    stands. A point of ``seen`` in sight must lie on or in ``touched``: else one can walk into it.
    """
    shown = [seen] if isinstance(seen, Geometry) else list(seen)
    if not shown or not touched:
        return (math.inf if shown or touched else 0.0), np.zeros(3)
    one, other = Surface(shown), Surface(touched)
    origins, ways = _rays(one, other, rays)
    felt = _hits(other, origins, ways, front=True)
    felt = felt[~_inside(one, felt)]  # nobody gets below the ground or into a wall
    if any(isinstance(piece.shape, HeightField) for piece in touched):
        felt = felt[felt[:, 2] > one.low[2] - 1e-3]  # the walls of pits that stand for holes
    met = _hits(one, origins, ways, front=False)
    met = met[~_inside(other, met)]
    found = [_farthest(felt, _corners(shown)), _farthest(met, _corners(touched))]
    return max(found, key=lambda item: item[0])


def _rays(one: Surface, other: Surface, count: int) -> tuple[Array, Array]:
    """Return rays from a ball around both surfaces, and from points between them."""
    most = max(one.triangles, other.triangles)
    count = int(np.clip(_WORK / most, 100, count))
    low, high = np.minimum(one.low, other.low), np.maximum(one.high, other.high)
    low = np.maximum(low, one.low - 1.0)  # the bottom of a pit is no place to look from
    random = np.random.default_rng(0)
    inner = random.uniform(low, high, (count, 3))
    ways = random.normal(size=(count, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    radius = float(np.linalg.norm(high - low))
    outer = np.arange(count) % 2 == 0
    return np.where(outer[:, None], inner - radius * ways, inner), ways


def _hits(surface: Surface, origins: Array, ways: Array, *, front: bool) -> Array:
    """Return the points where rays first meet a surface, of the front side only if so asked."""
    start, way = origins.astype(np.float32), ways.astype(np.float32)
    hits = surface.cast(start, way, np.full(len(start), 1e9, np.float32))
    met = hits.shape >= 0
    if front:
        met &= np.einsum("ij,ij->i", hits.normal, way) < 0
    points: Array = origins[met] + hits.distance[met, None].astype(np.float64) * ways[met]
    return points


def _inside(surface: Surface, points: Array) -> Bools:
    """Tell which points lie inside a solid or below a ground: their way up meets a back side first.

    Points a hair beside count too: the edge of a sheet, which has no thickness to be seen, is one.
    """
    up = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
    inside = np.zeros(len(points), bool)
    for aside in _ASIDE:
        start = (points + aside).astype(np.float32)
        hits = surface.cast(start, up, np.full(len(points), 1e9, np.float32))
        inside |= (hits.shape >= 0) & (hits.normal[:, 2] > 0)
    return inside


def _corners(geometry: list[Geometry]) -> Array:
    """Return the corners of all triangles, (m, 3, 3)."""
    found = []
    for item in geometry:
        mesh = triangles(item.shape)
        found.append(item.pose.apply(mesh.vertices)[mesh.faces])
    return np.concatenate(found)


def _farthest(points: Array, corners: Array) -> tuple[float, Array]:
    if not len(points):
        return 0.0, np.zeros(3)
    distance = nearest(points, corners)
    worst = int(np.argmax(distance))
    return float(distance[worst]), points[worst]
