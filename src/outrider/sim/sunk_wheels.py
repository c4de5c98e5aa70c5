"""Wheels and belts that are inside the ground, or inside other things, before the first step."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.physics.tyres.data import Records
from outrider.scene.part import Part
from outrider.scene.scene import Scene
from outrider.scene.surface import Floats32
from outrider.world.state import WorldState

_SINK = 0.3  # radii that a tyre on uneven ground may be pressed in by
_LEAST = 0.02  # m, for very small wheels, and to the side for all

_Line: TypeAlias = tuple[Array, Array, tuple[Array, ...], Array]


def sunk_wheels(scene: Scene, state: WorldState, tyres: Records) -> tuple[str, float]:
    """Return what the wheels of one robot are deepest inside of and by how much, or nothing.

    Rays go through each wheel: from its highest point to its lowest, and both ways ahead and aside,
    of which the shorter one counts: what is not ground may begin on either side.
    """
    if not len(tyres):
        return "", 0.0
    worst, name = np.zeros(len(tyres)), np.full(len(tyres), "", object)
    parts = [*([scene.static] if scene.static else []), *scene.movers]
    lines = _lines(state, tyres)
    for part in parts:
        if part.model != tyres["model"][0]:
            for hubs, half, ways, least in lines:
                deeper, names = _depths(part, state, hubs, half, ways)
                deeper[deeper < least] = 0.0
                if part.body >= 0:
                    names[:] = scene.assembly.models[part.model]
                name = np.where(deeper > worst, names, name)
                worst = np.maximum(worst, deeper)
    deepest = int(worst.argmax())
    return (str(name[deepest]), float(worst[deepest])) if worst[deepest] > 0.0 else ("", 0.0)


def _lines(state: WorldState, tyres: Records) -> tuple[_Line, ...]:
    """Return lines through all wheels: middles, half lengths, ways, and from where on it counts."""
    hubs, downs, axles = (np.zeros((len(tyres), 3)) for _ in range(3))
    for row, tyre in enumerate(tyres):
        body = state.bodies[tyre["body"]]
        rotation = matrix_from_quaternion(body["rotation"])
        hubs[row], axles[row] = body["position"] + rotation @ tyre["hub"], rotation @ tyre["axle"]
        downs[row] = -matrix_from_quaternion(state.bodies[tyre["base"]]["rotation"])[:, 2]
    radius, ahead = tyres["radius"], np.cross(downs, axles)
    pressed = np.maximum(_LEAST, _SINK * radius)
    beside = np.full(len(tyres), _LEAST)
    return (
        (hubs, radius, (downs,), pressed),
        (hubs, radius, (ahead, -ahead), pressed),
        (hubs, tyres["half_width"], (axles, -axles), beside),
    )


def _depths(
    part: Part, state: WorldState, hubs: Array, half: Array, ways: tuple[Array, ...]
) -> tuple[Array, NDArray[np.object_]]:
    """Return how far before its end each line meets something, the least of all ways, and what."""
    least = np.full(len(hubs), np.inf)
    names = np.full(len(hubs), "", object)
    for way in ways:
        starts, along = hubs - half[:, None] * way, way
        if part.body >= 0:
            body = state.bodies[part.body]
            rotation = matrix_from_quaternion(body["rotation"])
            starts, along = (starts - body["position"]) @ rotation, along @ rotation
        hits = part.surface.cast(_f32(starts), _f32(along), _f32(2 * half))
        depth = np.where(hits.shape >= 0, 2 * half - hits.distance, 0.0)
        found = np.array([part.names[s] if s >= 0 else "" for s in hits.shape.tolist()], object)
        names = np.where(depth < least, found, names)
        least = np.minimum(least, depth)
    return least, names


def _f32(array: Array) -> Floats32:
    return np.ascontiguousarray(array, np.float32)
