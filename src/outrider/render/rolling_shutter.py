"""Where the camera and all else is when each row is read out."""

import numpy as np

from outrider.core.frames import AnyArray, Array, Pose, matrix_from_quaternion
from outrider.render.shot import Shot
from outrider.scene.surface import Floats32


def row_poses(shot: Shot) -> tuple[Floats32, Array]:
    """Return rotations (h, 3, 3) and positions (h, 3) of every row, optical frame to world."""
    height = shot.intrinsics.height
    if not shot.row_poses:
        rotation = matrix_from_quaternion(shot.T_world_optical.rotation).astype(np.float32)
        place = shot.T_world_optical.position
        return np.broadcast_to(rotation, (height, 3, 3)).copy(), np.tile(place, (height, 1))
    poses = [between(shot.row_poses, share) for share in row_shares(height)]
    rotations = [matrix_from_quaternion(pose.rotation) for pose in poses]
    return np.array(rotations, np.float32), np.array([pose.position for pose in poses])


def row_shares(height: int) -> Array:
    """Return how much of the read-out is over at each row, from 0 to 1."""
    return np.arange(height) / max(height - 1, 1)


def in_the_middle(bodies: AnyArray) -> AnyArray:
    """Return those of some rows of bodies that are in the middle of a read-out."""
    middle: AnyArray = bodies[len(bodies) // 2]
    return middle


def leg(count: int, share: float) -> tuple[int, int, float]:
    """Return between which two of so many poses a share lies, and how far on the way."""
    place = share * (count - 1)
    first = min(int(place), max(count - 2, 0))
    return first, min(first + 1, count - 1), place - first


def between(poses: tuple[Pose, ...], share: float) -> Pose:
    """Return the pose at a share (0 to 1) of the way along poses; neighbours differ but little."""
    first, second, u = leg(len(poses), share)
    a, b = poses[first], poses[second]
    other = b.rotation if float(a.rotation @ b.rotation) >= 0 else -b.rotation
    return Pose((1 - u) * a.position + u * b.position, (1 - u) * a.rotation + u * other)
