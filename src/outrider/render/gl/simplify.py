"""Coarser versions of a chunk of triangles, off by no more than a given distance."""

import numpy as np
from numpy.typing import NDArray

from outrider.render.gl.edge_collapse import collapsed
from outrider.scene.surface import Floats32

LADDER = (0.0, 0.0004, 0.0025, 0.015, 0.04, 0.1, 0.25, 0.6)  # m that each version may be off
_SAFETY = 3.0  # the error of a collapse is a mean over what was merged
_WORTH = 64  # triangles: fewer are not simplified
_GAIN = 0.75  # a version that is hardly smaller is not kept
Indices = NDArray[np.uint32]


def simplified(positions: Floats32, faces: Indices) -> list[tuple[Indices, float]]:
    """Return triangles as indices with their error, one for each step of the ladder."""
    whole = np.ascontiguousarray(faces, np.uint32).reshape(-1)
    used, local = np.unique(whole, return_inverse=True)
    points = np.ascontiguousarray(positions[used], np.float32)
    version, error = local.astype(np.uint32), 0.0
    out = [(whole, 0.0)]
    for step in LADDER[1:]:
        coarser = _coarser(points, version, step / _SAFETY)
        if len(coarser) and len(coarser) <= _GAIN * len(version):
            version, error = coarser, error + step
            out.append((used[version].astype(np.uint32), error))
        else:
            out.append(out[-1])
    return out


def _coarser(points: Floats32, indices: Indices, error: float) -> Indices:
    """Return as few triangles as the error allows; those along the border stay."""
    if len(indices) < 3 * _WORTH:
        return indices
    return collapsed(points, indices, error)
