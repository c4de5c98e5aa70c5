"""One surface of the scene with its materials."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.scene.surface import Floats32, Surface

MOVER = np.dtype(
    [
        ("body", np.int32),
        ("model", np.int32),
        ("centre", np.float64, (3,)),
        ("radius", np.float64),
        ("low", np.float64, (3,)),  # of a box around it, a little larger
        ("high", np.float64, (3,)),
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A surface that belongs to one body (or to the world), with the materials of its shapes."""

    body: int
    model: int
    surface: Surface
    materials: NDArray[np.int32]  # per shape, a row of the scene's materials
    names: tuple[str, ...]
    centre: Array  # of a sphere around it, in the body's frame
    radius: float
    reflectivity: Floats32  # per shape


def mover_rows(parts: Sequence[Part]) -> NDArray[np.void]:
    """Return where parts that move are in the frames of their bodies: a MOVER for each."""
    rows = np.zeros(len(parts), MOVER)
    for row, part in zip(rows, parts, strict=True):
        row["body"], row["model"] = part.body, part.model
        row["centre"], row["radius"] = part.centre, part.radius
        slack = 1e-4 + 1e-5 * part.radius  # rays and corners are rounded
        row["low"], row["high"] = part.surface.low - slack, part.surface.high + slack
    return rows
