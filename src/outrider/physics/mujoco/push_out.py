"""Things that were put inside one another come out of it slowly.

MuJoCo's contacts are springs: what is deep inside something when it is put there (the worlds of
others often have such things) would be thrown out. What gets deep into something by its own motion
is left alone.
"""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.physics.push_out import DEEP, FASTEST

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class PushOut:
    """Limits what deep contacts aim at, as long as there are any."""

    def __init__(self, data: mujoco.MjData, step_s: float) -> None:
        self._data, self._step_s = data, step_s
        self.needed = False

    def look(self) -> None:
        """Begin, if something is deep inside something else now."""
        data = self._data
        self.needed = bool(data.ncon) and float(data.contact.dist.min()) < -DEEP

    def limit(self) -> None:
        """Let deep contacts push no faster; call between the two halves of a step."""
        data = self._data
        contact = data.contact
        self.needed = _limit(
            contact.efc_address, contact.dist, data.efc_vel, data.efc_aref, self._step_s
        )


@compiled
def _limit(
    addresses: Ints, distances: Floats, velocity: Floats, aim: Floats, dt: float
) -> bool:  # pragma: no cover - compiled
    """Rewrite the normal rows of deep contacts; return whether there are any."""
    deep = False
    for c in range(addresses.shape[0]):
        if distances[c] < -DEEP:
            deep = True
            row = addresses[c]
            if row >= 0:
                aim[row] = min(aim[row], (FASTEST - velocity[row]) / dt)
    return deep
