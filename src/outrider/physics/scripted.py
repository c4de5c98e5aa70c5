"""The motion of a scripted body: it follows its velocity and nothing stops it."""

import numpy as np

from outrider.core.frames import Array, Pose, multiply


def carried(pose: Pose, velocity: Array, angular_velocity: Array, seconds: float) -> Pose:
    """Return the pose after some time at constant velocities (both in world axes)."""
    turned = multiply(rotation_by(angular_velocity * seconds), pose.rotation)
    return Pose(pose.position + velocity * seconds, turned)


def rotation_by(vector: Array) -> Array:
    """Return the quaternion of a rotation about a vector, by its length in radians."""
    angle = float(np.linalg.norm(vector))
    share = 0.5 * np.sinc(0.5 * angle / np.pi)  # sin(angle / 2) / angle, also at zero
    return np.array([*(vector * share), np.cos(0.5 * angle)])
