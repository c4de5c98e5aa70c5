"""Contacts with scripted bodies, which MuJoCo takes to be at rest: friction is corrected."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array


def add_contact_velocities(
    geom_slots: NDArray[np.int32], data: mujoco.MjData, twists: Array
) -> None:
    """Let what touches scripted bodies feel them move; ``twists`` (slots, 6) are in world axes.

    Between the two halves of a step: the acceleration that each row of a contact aims at is
    damped by the velocity in it, which lacks the scripted body's share.
    """
    slots = geom_slots[data.contact.geom]
    for index in np.flatnonzero((slots >= 0).any(axis=1)):
        contact = data.contact[index]
        if contact.efc_address < 0:
            continue
        for slot, sign in zip(slots[index], (-1.0, 1.0), strict=True):
            if slot >= 0:
                _add(data, contact, sign * _along(contact, data.mocap_pos[slot], twists[slot]))


def _along(contact: mujoco.MjContact, origin: Array, twist: Array) -> Array:
    """Return the velocity along the contact's normal and tangents, and the spin about them."""
    frame = contact.frame.reshape(3, 3)
    velocity = twist[:3] + np.cross(twist[3:], contact.pos - origin)
    return np.concatenate([frame @ velocity, frame @ twist[3:]])


def _add(data: mujoco.MjData, contact: mujoco.MjContact, velocity: Array) -> None:
    rows = slice(contact.efc_address, contact.efc_address + contact.dim)
    data.efc_vel[rows] += velocity[: contact.dim]
    data.efc_aref[rows] -= data.efc_KBIP[rows, 1] * velocity[: contact.dim]
