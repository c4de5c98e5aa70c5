"""Whether a place is free: a robot that starts inside a tree would be thrown out of it."""

import math

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.scene.scene import Scene

_RAYS = 24
_INNER = 0.8  # of the footprint: a robot may stand close to a wall
_HEIGHTS = (0.08, 0.16)  # m above the robot's own frame


def check_free(scene: Scene, pose: Pose, footprint: tuple[float, float], name: str) -> None:
    """Refuse a place where something that stands still is inside a robot's footprint."""
    found = in_the_way(scene, pose, footprint)
    if found:
        x, y = pose.position[:2]
        raise ConfigError(
            f"robot '{name}' would start inside '{found}' at x = {x:g}, y = {y:g}; "
            "give it another pose"
        )


def in_the_way(scene: Scene, pose: Pose, footprint: tuple[float, float]) -> str:
    """Return the name of what is inside the footprint of a robot at a pose, or nothing."""
    if scene.static is None:
        return ""
    angle = np.linspace(0, 2 * math.pi, _RAYS, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_RAYS)])
    with np.errstate(divide="ignore"):
        far = (np.array(footprint) / 2 * _INNER / np.abs(ways[:, :2])).min(axis=1)
    turn = matrix_from_quaternion(pose.rotation)
    for height in _HEIGHTS:
        start = pose.apply(np.array([[0.0, 0.0, height]])).astype(np.float32)
        origins = np.repeat(start, _RAYS, axis=0)
        directions = np.ascontiguousarray(ways @ turn.T, np.float32)
        hits = scene.static.surface.cast(origins, directions, far.astype(np.float32))
        touched = hits.shape[hits.shape >= 0]
        if len(touched):
            return scene.static.names[int(touched[0])]
    return ""
