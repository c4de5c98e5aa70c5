"""The pose of the camera when each row is read out."""

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.render.shot import Shot
from outrider.scene.surface import Floats32


def row_poses(shot: Shot) -> tuple[Floats32, Array]:
    """Return rotations (h, 3, 3) and positions (h, 3) of every row, optical frame to world."""
    height = shot.intrinsics.height
    if not shot.row_poses:
        rotation = matrix_from_quaternion(shot.T_world_optical.rotation).astype(np.float32)
        place = shot.T_world_optical.position
        return np.broadcast_to(rotation, (height, 3, 3)).copy(), np.tile(place, (height, 1))
    poses = [between(shot.row_poses, y / max(height - 1, 1)) for y in range(height)]
    rotations = [matrix_from_quaternion(pose.rotation) for pose in poses]
    return np.array(rotations, np.float32), np.array([pose.position for pose in poses])


def between(poses: tuple[Pose, ...], share: float) -> Pose:
    """Return the pose at a share (0 to 1) of the way along poses; neighbours differ but little."""
    place = share * (len(poses) - 1)
    first = min(int(place), max(len(poses) - 2, 0))
    a, b, u = poses[first], poses[min(first + 1, len(poses) - 1)], place - first
    other = b.rotation if float(a.rotation @ b.rotation) >= 0 else -b.rotation
    return Pose((1 - u) * a.position + u * b.position, (1 - u) * a.rotation + u * other)
