"""Wheels that stand inside the ground or under it, before the first step."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.physics.tyres.data import Records
from outrider.scene.part import Part
from outrider.scene.scene import Scene
from outrider.scene.surface import Floats32
from outrider.world.state import WorldState

_SINK = 0.3  # radii that a tyre on uneven ground may be pressed in by
_LEAST = 0.02  # m, for very small wheels


def sunk_wheels(scene: Scene, state: WorldState, tyres: Records) -> tuple[str, float]:
    """Return what the wheels of one robot are deepest inside of and by how much, or nothing.

    A ray falls through each wheel, from its highest point to its lowest.
    """
    if not len(tyres):
        return "", 0.0
    radius = tyres["radius"]
    tops, downs = _lines(state, tyres)
    worst, name = np.zeros(len(tyres)), np.full(len(tyres), "", object)
    parts = [*([scene.static] if scene.static else []), *scene.movers]
    for part in parts:
        if part.model != tyres["model"][0]:
            deeper, names = _depths(part, state, tops, downs, 2 * radius)
            if part.body >= 0:
                names[:] = scene.assembly.models[part.model]
            name = np.where(deeper > worst, names, name)
            worst = np.maximum(worst, deeper)
    worst[worst < np.maximum(_LEAST, _SINK * radius)] = 0.0
    deepest = int(worst.argmax())
    return (str(name[deepest]), float(worst[deepest])) if worst[deepest] > 0.0 else ("", 0.0)


def _lines(state: WorldState, tyres: Records) -> tuple[Array, Array]:
    """Return the highest point of each wheel and the way down through it."""
    tops, downs = np.zeros((len(tyres), 3)), np.zeros((len(tyres), 3))
    for row, tyre in enumerate(tyres):
        body = state.bodies[tyre["body"]]
        hub = body["position"] + matrix_from_quaternion(body["rotation"]) @ tyre["hub"]
        up = matrix_from_quaternion(state.bodies[tyre["base"]]["rotation"])[:, 2]
        tops[row], downs[row] = hub + tyre["radius"] * up, -up
    return tops, downs


def _depths(
    part: Part, state: WorldState, tops: Array, downs: Array, far: Array
) -> tuple[Array, NDArray[np.object_]]:
    """Return how far each line ends above its foot, and at what."""
    if part.body >= 0:
        body = state.bodies[part.body]
        rotation = matrix_from_quaternion(body["rotation"])
        tops, downs = (tops - body["position"]) @ rotation, downs @ rotation
    hits = part.surface.cast(_f32(tops), _f32(downs), _f32(far))
    names = np.array([part.names[s] if s >= 0 else "" for s in hits.shape.tolist()], object)
    return np.where(hits.shape >= 0, far - hits.distance, 0.0), names


def _f32(array: Array) -> Floats32:
    return np.ascontiguousarray(array, np.float32)
