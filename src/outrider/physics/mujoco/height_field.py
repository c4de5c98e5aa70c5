"""Height fields in MuJoCo's form.

MuJoCo cuts each cell from its lowest corner (x, y) to the opposite one; all else here, wheels, rays
and pictures, cuts it along the other diagonal. So its fields lie turned by a quarter, which turns
its cuts onto ours: bodies meet the surface that is seen.
"""

import math

from outrider.core.frames import Array, Pose

QUARTER = Pose.from_rpy([0.0, 0.0, 0.0], [0.0, 0.0, math.pi / 2])


def shape_of(heights: Array) -> dict[str, int]:
    """Return MuJoCo's rows, against our x, and columns, along our y."""
    return {"nrow": heights.shape[0], "ncol": heights.shape[1]}


def shares(heights: Array, low: float, span: float) -> Array:
    """Return heights (x, y) as shares of their span in MuJoCo's order."""
    flat: Array = ((heights[::-1] - low) / span).ravel()
    return flat
