"""Lights that bodies carry, where they are now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import matrix_from_quaternion

Rows = NDArray[np.void]


def placed(lights: Rows, bodies: Rows) -> Rows:
    """Return lights (dtype LIGHT) with the position and direction of those carried in the world."""
    carried = np.flatnonzero(lights["body"] >= 0)
    if not len(carried):
        return lights
    out = lights.copy()
    for number in carried.tolist():
        body = bodies[int(out["body"][number])]
        turn = matrix_from_quaternion(body["rotation"])
        out["position"][number] = turn @ out["position"][number] + body["position"]
        out["towards"][number] = turn @ out["towards"][number]
    return out


def casts_from_lamp(light: np.void) -> bool:
    """Return whether a light is a carried spot that throws shadows."""
    return bool(light["body"] >= 0 and light["kind"] == 2 and light["shadows"])
