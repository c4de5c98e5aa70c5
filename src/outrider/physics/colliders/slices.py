"""Sheets of many facets as a few hulls: bisected until each hull is accurate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.physics.colliders.convex import hull
from outrider.physics.colliders.distance import nearest
from outrider.physics.colliders.mesh import Piece, subset
from outrider.physics.colliders.pyramids import BEHIND
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

TRUE = 0.02  # m between a hull and the surface inside it
_POINTS = 100  # of a hull that are looked at
_FEWEST = 4  # triangles: fewer are not cut again


def slices(piece: Piece, most: int) -> list[Mesh] | None:
    """Return at most so many hulls that follow the surface to 2 cm, or None."""
    surface = Surface([Geometry(piece.mesh())])
    waiting, done = [piece], []
    while waiting:
        part = waiting.pop()
        made = hull(part.vertices) or hull(_thickened(part))
        if made is None:
            return None
        if _true(made, part, surface):
            done.append(made)
        elif len(part.faces) <= _FEWEST:
            return None
        else:
            waiting += _halves(part)
        if len(done) + len(waiting) > most:
            return None
    return done


def _thickened(part: Piece) -> Array:
    """Return the corners of a flat part and the same again a little behind it."""
    normal = part.normals[int(np.argmax(part.areas))]
    return np.concatenate([part.vertices, part.vertices - BEHIND * normal])


def _true(made: Mesh, part: Piece, surface: Surface) -> bool:
    """Tell whether what a hull adds to its part is thin, or inside the thing anyway."""
    points = _scattered(made)
    off = points[nearest(points, part.corners) > TRUE]
    return not len(off) or bool(_covered(surface, off).all())


def _scattered(mesh: Mesh) -> Array:
    """Return points all over a surface, the same every time."""
    corners = mesh.vertices[mesh.faces]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    random = np.random.default_rng(0)
    chosen = random.choice(len(corners), _POINTS, p=areas / areas.sum())
    points: Array = np.einsum("ij,ijk->ik", random.dirichlet(np.ones(3), _POINTS), corners[chosen])
    return points


def _covered(surface: Surface, points: Array) -> NDArray[np.bool_]:
    """Tell which points are inside: every way out along an axis meets the surface."""
    inside = np.ones(len(points), bool)
    start = points.astype(np.float32)
    for axis in (*np.eye(3), *-np.eye(3)):
        way = np.tile(axis.astype(np.float32), (len(points), 1))
        hits = surface.cast(start, way, np.full(len(points), 1e9, np.float32))
        inside &= hits.shape >= 0
    return inside


def _halves(part: Piece) -> list[Piece]:
    """Cut a part at the middle of its longest side, whole triangles to either half."""
    centres = part.corners.mean(axis=1)
    axis = int(np.argmax(np.ptp(part.vertices, axis=0)))
    upper = centres[:, axis] > np.median(centres[:, axis])
    if not upper.any() or upper.all():
        upper = np.arange(len(part.faces)) < len(part.faces) // 2
    return [subset(part, upper), subset(part, ~upper)]
