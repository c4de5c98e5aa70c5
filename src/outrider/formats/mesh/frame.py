"""From a mesh file's unit and axes to metres and z up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.raw import RawAsset

# rows: our x, y, z in terms of the file's axes, as Collada defines the three ways up
_DEFAULT = "Y"
_TURNS = {
    "X": [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
    "Y": [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
    "Z": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
}
MAX_SCALE = 1e9


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """A 3x3 matrix from the file's coordinates to ours."""

    matrix: Array
    mirrors: bool
    is_identity: bool

    @classmethod
    def of(cls, path: Path, raw: RawAsset, scale: tuple[float, float, float]) -> Placing:
        """Combine the user's scale with the file's unit and axes."""
        factors = np.array(scale, np.float64) * raw.unit
        if not ((abs(factors) > 0) & (abs(factors) < MAX_SCALE)).all():
            raise FormatError(f"{path}: it cannot be scaled by {scale} at {raw.unit:g} m a unit")
        matrix = factors[:, None] * np.array(_TURNS[raw.up_axis or _DEFAULT])
        plain = bool((matrix == np.eye(3)).all())
        return cls(matrix, bool(np.prod(np.sign(factors)) < 0), plain)


def placed(placing: Placing, points: Array) -> Array:
    """Return points in metres, z up."""
    if placing.is_identity:
        return points
    off_axis = placing.matrix - np.diag(np.diagonal(placing.matrix))
    if not off_axis.any():
        return points * np.diagonal(placing.matrix)  # exact, where a product of matrices may not be
    moved: Array = points @ placing.matrix.T
    return moved
