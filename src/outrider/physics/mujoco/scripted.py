"""Contacts with scripted bodies, which MuJoCo takes to be at rest: friction is corrected."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.core.frames import Array

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def add_contact_velocities(geom_slots: Ints, data: mujoco.MjData, twists: Array) -> None:
    """Let what touches scripted bodies feel them move; ``twists`` (slots, 6) are in world axes.

    Between the two halves of a step: the acceleration that each row of a contact aims at is
    damped by the velocity in it, which lacks the scripted body's share.
    """
    contact = data.contact
    _add(
        slots=geom_slots[contact.geom],
        addresses=contact.efc_address,
        sizes=contact.dim,
        frames=contact.frame,
        points=contact.pos,
        origins=data.mocap_pos,
        twists=twists,
        damping=data.efc_KBIP,
        velocity=data.efc_vel,
        aim=data.efc_aref,
    )


@compiled
def _add(
    slots: Ints,
    addresses: Ints,
    sizes: Ints,
    frames: Floats,
    points: Floats,
    origins: Floats,
    twists: Floats,
    damping: Floats,
    velocity: Floats,
    aim: Floats,
) -> None:  # pragma: no cover - compiled
    for c in range(addresses.shape[0]):
        for side in range(2):
            slot = slots[c, side]
            if slot < 0 or addresses[c] < 0:
                continue
            sign = 2.0 * side - 1.0
            for i in range(sizes[c]):
                share = sign * _along(frames[c], i, points[c], origins[slot], twists[slot])
                velocity[addresses[c] + i] += share
                aim[addresses[c] + i] -= damping[addresses[c] + i, 1] * share


@compiled
def _along(
    frame: Floats, row: int, point: Floats, origin: Floats, twist: Floats
) -> float:  # pragma: no cover - compiled
    """Return the velocity along the contact's normal or a tangent, or the spin about it."""
    along = 0.0
    for k in range(3):
        axis = frame[3 * (row % 3) + k]
        if row >= 3:
            along += axis * twist[3 + k]
        else:
            a, b = (k + 1) % 3, (k + 2) % 3
            arm_a, arm_b = point[a] - origin[a], point[b] - origin[b]
            along += axis * (twist[k] + twist[3 + a] * arm_b - twist[3 + b] * arm_a)
    return along
