"""Whether a pose is free: a robot that starts inside a tree would be thrown out of it."""

import math

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.scene.scene import Scene

_RAYS = 24
_INNER = 0.8  # of the footprint: a robot may stand close to a wall
_HEIGHTS = (0.08, 0.16)  # m above the robot's own frame
_ROOM = 1.0  # m below a surface: nearer ground is not the inside of a house
_FLOORS = 12
_WALLS = 0.7  # of all ways around end at a house one stands in: its gate may be open
_WIDE = 100.0  # m


def intrusion(scene: Scene, pose: Pose, footprint: tuple[float, float]) -> tuple[str, float]:
    """Return what is inside the footprint of a robot at a pose, and how far in (m)."""
    if scene.static is None:
        return "", 0.0
    angle = np.linspace(0, 2 * math.pi, _RAYS, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_RAYS)])
    with np.errstate(divide="ignore"):
        far = (np.array(footprint) / 2 * _INNER / np.abs(ways[:, :2])).min(axis=1)
    rotation = matrix_from_quaternion(pose.rotation)
    for height in _HEIGHTS:
        start = pose.apply(np.array([[0.0, 0.0, height]])).astype(np.float32)
        origins = np.repeat(start, _RAYS, axis=0)
        directions = np.ascontiguousarray(ways @ rotation.T, np.float32)
        hits = scene.static.surface.cast(origins, directions, far.astype(np.float32))
        inside = np.where(hits.shape >= 0, far - hits.distance, -1.0)
        worst = int(inside.argmax())
        if hits.shape[worst] >= 0:
            return scene.static.names[int(hits.shape[worst])], float(inside[worst])
    return "", 0.0


def house_around(scene: Scene, pose: Pose) -> str:
    """Return the name of a house whose roof is the highest place to stand at x, y, or nothing.

    A house is a thing that stands all around whoever is on the ground below its roof; a bridge is
    not one.
    """
    if scene.static is None:
        return ""
    roof, top = _below(scene, pose.position + np.array([0.0, 0.0, 0.05]))
    floor, height = roof, top - _ROOM
    for _ in range(_FLOORS):
        floor, height = _below(scene, np.array([*pose.position[:2], height - 0.01]))
        if floor != roof:
            break
    if not roof or not floor or floor == roof:
        return ""
    inside = Pose(np.array([*pose.position[:2], height + 0.3]))
    return roof if _share_around(scene, inside, roof) >= _WALLS else ""


def _below(scene: Scene, point: Array) -> tuple[str, float]:
    """Return the name and the height of what is below a point."""
    assert scene.static is not None
    hits = scene.static.surface.cast(
        point[None, :].astype(np.float32),
        np.array([[0, 0, -1]], np.float32),
        np.full(1, 1e4, np.float32),
    )
    shape = int(hits.shape[0])
    name = scene.static.names[shape] if shape >= 0 else ""
    return name, float(point[2]) - float(hits.distance[0])


def _share_around(scene: Scene, pose: Pose, name: str) -> float:
    """Return what share of all level ways from a place end at a thing."""
    assert scene.static is not None
    angle = np.linspace(0, 2 * math.pi, _RAYS, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_RAYS)]).astype(np.float32)
    origins = np.tile(pose.position.astype(np.float32), (_RAYS, 1))
    hits = scene.static.surface.cast(origins, ways, np.full(_RAYS, _WIDE, np.float32))
    names = scene.static.names
    return [names[s] if s >= 0 else "" for s in hits.shape.tolist()].count(name) / _RAYS
