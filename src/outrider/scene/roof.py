"""Whether a surface is the roof of a room: who asks for a place there means the floor."""

import math
from typing import NamedTuple

import numpy as np

from outrider.core.frames import Array
from outrider.scene.scene import Scene
from outrider.scene.surface import Floats32, Hits

_RAYS = 24
_ROOM = 1.0  # m below a roof where the inside of a room may begin
_EYE = 0.3  # m above the floor
_WALLS = 0.7  # of all ways end at a wall: a gate may be open
_WIDE = 100.0  # m
_SHORT = 0.05  # m before a wall, or above a roof
_THIN = 0.01  # m
_FAR = 1e4  # m
_FLOORS = 12
_ANGLE = np.linspace(0, 2 * math.pi, _RAYS, endpoint=False)
_WAYS = np.column_stack([np.cos(_ANGLE), np.sin(_ANGLE), np.zeros(_RAYS)]).astype(np.float32)
_NEAR = np.vstack([np.zeros(2), _WAYS[:: _RAYS // 8, :2]])  # m: as far as a doorway is deep
_UP, _DOWN = np.array([[0, 0, 1]], np.float32), np.array([[0, 0, -1]], np.float32)


class Met(NamedTuple):
    """What is straight above or below a point."""

    name: str
    height: float
    faces: float  # up, if above 0


def below(scene: Scene, x: float, y: float, z: float) -> Met | None:
    """Return what is straight below a point, if anything."""
    return _met(scene, x, y, z, _DOWN)


def above(scene: Scene, x: float, y: float, z: float) -> Met | None:
    """Return what is straight above a point, if anything."""
    return _met(scene, x, y, z, _UP)


def house_around(scene: Scene, x: float, y: float, level: float) -> str:
    """Return the name of a house whose roof is the highest place to stand at x, y, or nothing.

    A house is a thing that stands all around whoever is on the ground below its roof; a bridge is
    not one.
    """
    roof = below(scene, x, y, level + _SHORT)
    floor = _other_below(scene, x, y, roof.height - _ROOM, roof.name) if roof else None
    if roof is None or floor is None:
        return ""
    around = _around(scene, np.array([x, y, floor.height + _EYE]))
    return roof.name if _names(scene, around).count(roof.name) >= _WALLS * _RAYS else ""


def is_roof(scene: Scene, x: float, y: float, level: float) -> bool:
    """Tell whether a surface covers a room: a floor below it, and walls all around under it.

    Its doorway and its eaves count too. A house of one piece must be hollow: faces look inward.
    """
    if scene.static is None:
        return False
    near = np.array([x, y]) + _NEAR
    return any(_covers_room(scene, float(at[0]), float(at[1]), level) for at in near)


def _covers_room(scene: Scene, x: float, y: float, level: float) -> bool:
    down = _cast(scene, np.array([[x, y, level + _SHORT], [x, y, level - _ROOM]]), _DOWN, _FAR)
    roof, floor = down.shape.tolist()
    if roof < 0 or floor < 0:
        return False
    ground = level - _ROOM - float(down.distance[1])
    if _same(scene, roof, floor) and not (
        down.normal[1, 2] > 0.0 and _other_below(scene, x, y, ground, _names(scene, down)[0])
    ):
        return False  # it is solid, or a cave
    eye = np.array([x, y, ground + _EYE])
    around = _around(scene, eye)
    before = eye + _WAYS * (around.distance - _SHORT)[:, None]
    over = _cast(scene, np.vstack([eye, before]), _UP, _FAR)
    if not _same(scene, int(over.shape[0]), roof):
        return False
    inward = (over.normal[0, 2] < 0.0) & (np.einsum("ij,ij->i", around.normal, _WAYS) < 0.0)
    walls = [
        wall >= 0
        and _same(scene, cover, roof)
        and (looks_inward if _same(scene, wall, roof) else wall != floor)
        for wall, cover, looks_inward in zip(
            around.shape.tolist(), over.shape[1:].tolist(), inward.tolist(), strict=True
        )
    ]
    return walls.count(True) >= _WALLS * _RAYS


def _met(scene: Scene, x: float, y: float, z: float, way: Floats32) -> Met | None:
    if scene.static is None:
        return None
    hits = _cast(scene, np.array([[x, y, z]]), way, _FAR)
    height = z + float(way[0, 2]) * float(hits.distance[0])
    (name,) = _names(scene, hits)
    return Met(name, height, float(hits.normal[0, 2])) if name else None


def _other_below(scene: Scene, x: float, y: float, z: float, name: str) -> Met | None:
    """Return the highest thing below a point that has another name."""
    found = below(scene, x, y, z)
    for _ in range(_FLOORS):
        if found is None or found.name != name:
            return found
        found = below(scene, x, y, found.height - _THIN)
    return None


def _around(scene: Scene, eye: Array) -> Hits:
    """Return what all level ways from a point end at."""
    return _cast(scene, np.tile(eye, (_RAYS, 1)), _WAYS, _WIDE)


def _names(scene: Scene, hits: Hits) -> list[str]:
    assert scene.static is not None
    return [scene.static.names[shape] if shape >= 0 else "" for shape in hits.shape.tolist()]


def _same(scene: Scene, one: int, other: int) -> bool:
    """Tell whether two shapes belong to one thing."""
    assert scene.static is not None
    return one >= 0 and scene.static.names[one] == scene.static.names[other]


def _cast(scene: Scene, origins: Floats32, ways: Floats32, far: float) -> Hits:
    assert scene.static is not None
    starts = np.ascontiguousarray(origins, np.float32)
    directions = np.ascontiguousarray(np.broadcast_to(ways, starts.shape), np.float32)
    return scene.static.surface.cast(starts, directions, np.full(len(starts), far, np.float32))
