"""A sheet as thin solids: a flat pyramid behind every triangle."""

import numpy as np

from outrider.physics.colliders.mesh import Piece
from outrider.world.shapes import Mesh

DEEPEST = 0.05  # m
BEHIND = 0.01  # m: what sheets are thickened by that are cut in another way
_SHARE = 0.3  # of the triangle's own size
_SIDES = np.array([[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]], np.int32)


def pyramids(piece: Piece) -> list[Mesh]:
    """Return a solid behind each triangle; behind an open sheet is where its z is lower."""
    normals = piece.normals.copy()
    corners = piece.corners.copy()
    if not piece.closed:
        below = normals[:, 2] < 0
        normals[below] *= -1
        corners[below] = corners[below][:, ::-1]
    depths = np.minimum(DEEPEST, _SHARE * np.sqrt(piece.areas))
    tips = corners.mean(axis=1) - depths[:, None] * normals
    return [Mesh(np.vstack([c, tip]), _SIDES) for c, tip in zip(corners, tips, strict=True)]
