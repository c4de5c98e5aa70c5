"""How legs and arms swing: places of all parts of walkers from where they are and how fast."""

import numpy as np

from outrider.actors.figures import person, sheep
from outrider.core.frames import Array
from outrider.core.rotations import about, product, turned

_SWING, _SLOW = 0.45, 0.8  # rad at most, and the speed (m/s) that makes most of it
_LEAN = 0.03  # rad per m/s
_KNEE = 1.35  # how far a knee bends, as a share of the swing
_ARMS = 0.8  # their swing as a share of the legs'


def swing(speed: Array, size: Array) -> Array:
    """Return how far legs swing to the front and back (rad)."""
    amplitude: Array = _SWING * np.tanh(speed / (_SLOW * np.sqrt(size)))
    return amplitude


def phase_rate(speed: Array, size: Array, leg: float) -> Array:
    """Return how fast a pair of steps goes by (rad/s), so that feet hardly slip.

    ``leg`` is the length of a leg of the size 1.
    """
    step = 2.0 * leg * size * np.sin(np.maximum(swing(speed, size), 1e-3))
    rate: Array = np.pi * speed / step
    return rate


def person_poses(
    roots: Array, yaw: Array, speed: Array, phase: Array, size: Array, origins: Array
) -> tuple[Array, Array]:
    """Return the places of a person's seven parts: (n, 7, 3) and (n, 7, 4).

    ``roots`` (n, 3) are on the ground, ``origins`` (n, 7, 3) where parts are hinged.
    """
    amplitude = swing(speed, size)[:, None]
    sides = np.array([1.0, -1.0])
    ahead = amplitude * np.sin(phase)[:, None] * sides
    bent = 0.08 * amplitude + _KNEE * amplitude * np.maximum(0.0, np.cos(phase)[:, None] * sides)
    thigh = (person.HIP - person.KNEE) * size[:, None]
    shank = person.KNEE * size[:, None]
    reach = thigh * np.cos(ahead) + shank * np.cos(ahead - bent)
    upright = about(2, yaw)
    pitch = np.stack([_LEAN * speed, *(_ARMS * ahead).T, *-ahead.T, *(bent - ahead).T], axis=1)
    rotations = product(upright[:, None], about(1, pitch))
    positions = np.empty((len(yaw), len(person.BODIES), 3))
    positions[:, 0] = roots
    positions[:, 0, 2] -= (thigh + shank)[:, 0] - reach.max(axis=1)
    hinged = turned(rotations[:, :1], origins[:, 1:5])
    positions[:, 1:5] = positions[:, :1] + hinged
    down = np.zeros((len(yaw), 2, 3))
    down[:, :, 2] = -thigh
    positions[:, 5:7] = positions[:, 3:5] + turned(rotations[:, 3:5], down)
    return positions, rotations


def sheep_poses(
    roots: Array, yaw: Array, speed: Array, phase: Array, origins: Array
) -> tuple[Array, Array]:
    """Return the places of a sheep's five parts; legs across from each other swing together."""
    amplitude = swing(speed, np.full(len(yaw), sheep.HIP))[:, None]
    ahead = amplitude * np.sin(phase)[:, None] * np.array([1.0, -1.0, -1.0, 1.0])
    pitch = np.concatenate([np.zeros((len(yaw), 1)), -ahead], axis=1)
    rotations = product(about(2, yaw)[:, None], about(1, pitch))
    positions = np.empty((len(yaw), len(sheep.BODIES), 3))
    positions[:, 0] = roots
    positions[:, 0, 2] -= sheep.HIP * (1.0 - np.cos(ahead[:, 0]))
    positions[:, 1:] = positions[:, :1] + turned(rotations[:, :1], origins[1:])
    return positions, rotations
