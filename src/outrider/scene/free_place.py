"""Whether a pose is free: a robot that starts inside a tree would be thrown out of it."""

import math

import numpy as np

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.scene.scene import Scene

_RAYS = 24
_INNER = 0.8  # of the footprint: a robot may stand close to a wall
_HEIGHTS = (0.08, 0.16)  # m above the robot's own frame


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
