"""What contacts do to bodies: forces with friction, and torques about their points."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array


def contact_wrenches(
    model: mujoco.MjModel, data: mujoco.MjData, contacts: NDArray[np.intp]
) -> Array:
    """Return (n, 6): N and N m of each contact on its second geom, at its point, world axes."""
    own, found = np.zeros(6), np.zeros((len(contacts), 6))
    for row, number in zip(found, contacts.tolist(), strict=True):
        mujoco.mj_contactForce(model, data, number, own)
        axes = data.contact.frame[number].reshape(3, 3)  # a row each, the first from geom to geom
        row[:3], row[3:] = own[:3] @ axes, own[3:] @ axes
    return found
