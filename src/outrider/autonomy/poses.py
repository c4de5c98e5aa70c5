"""Estimated poses as messages."""

import numpy as np

from outrider.core.frames import Array, Pose, multiply, rotation_vector
from outrider.messages import types as ros


def odometry_message(
    T_odom_base: Pose,
    covariance: Array,
    stamp_ns: int,
    frames: tuple[str, str],
    twist: tuple[Array, Array] | None = None,
) -> ros.Odometry:
    """Return a message of a pose, its covariance (6, 6) and velocity in the robot's axes."""
    linear, angular = twist or (np.zeros(3), np.zeros(3))
    velocity = ros.Twist(ros.Vector3(*linear.tolist()), ros.Vector3(*angular.tolist()))
    return ros.Odometry(
        ros.header(stamp_ns, frames[0]),
        frames[1],
        ros.PoseWithCovariance(pose_message(T_odom_base), covariance.reshape(-1)),
        ros.TwistWithCovariance(velocity, np.zeros(36)),
    )


def pose_message(pose: Pose) -> ros.Pose:
    """Return a pose as a message."""
    return ros.Pose(ros.Point(*pose.position.tolist()), ros.Quaternion(*pose.rotation.tolist()))


def transform_message(pose: Pose, stamp_ns: int, frames: tuple[str, str]) -> ros.TFMessage:
    """Return ``T_parent_child`` for /tf."""
    transform = ros.Transform(
        ros.Vector3(*pose.position.tolist()), ros.Quaternion(*pose.rotation.tolist())
    )
    stamped = ros.TransformStamped(ros.header(stamp_ns, frames[0]), frames[1], transform)
    return ros.TFMessage([stamped])


def path_message(poses: list[Pose], stamp_ns: int, frame_id: str) -> ros.Path:
    """Return poses as a path."""
    head = ros.header(stamp_ns, frame_id)
    return ros.Path(head, [ros.PoseStamped(head, pose_message(pose)) for pose in poses])


def from_rotation_vector(v: Array) -> Array:
    """Return the quaternion of an axis times an angle."""
    angle = float(np.linalg.norm(v))
    if angle < 1e-12:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return np.array([*(v / angle * np.sin(angle / 2)), np.cos(angle / 2)])


def between(first: Pose, second: Pose, share: float) -> Pose:
    """Return the pose at a fraction between two; beyond 1 it is extrapolated."""
    step = first.inverse() @ second
    turn = from_rotation_vector(rotation_vector(step.rotation) * share)
    position = first.position + (second.position - first.position) * share
    return Pose(position, multiply(first.rotation, turn))
