"""The local map of visual odometry: 3D points, their features and their uncertainty."""

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.odometry.features import Mask, Pixels
from outrider.autonomy.stereo.rig import StereoRig
from outrider.core.frames import Array, Pose, matrix_from_quaternion

_PIXEL = 0.5  # standard deviation of a corner's position
_DISPARITY = 0.35  # and of its disparity


class Landmarks:
    """Parallel arrays: pixels in the newest image, positions in the odometry frame."""

    def __init__(self) -> None:
        self.pixels: Pixels = np.empty((0, 2), np.float32)
        self.places: Array = np.empty((0, 3))
        self._information: Array = np.empty((0, 3, 3))

    def __len__(self) -> int:
        return len(self.pixels)

    def keep(self, mask: Mask) -> None:
        """Drop all others."""
        self.pixels, self.places = self.pixels[mask], self.places[mask]
        self._information = self._information[mask]

    def add(self, pixels: Pixels, disparity: Array, rig: StereoRig, T_odom_eye: Pose) -> None:
        """Add new points."""
        points = rig.points(pixels.astype(np.float64), disparity)
        R = matrix_from_quaternion(T_odom_eye.rotation)
        self.pixels = np.concatenate([self.pixels, pixels])
        self.places = np.concatenate([self.places, T_odom_eye.apply(points)])
        self._information = np.concatenate([self._information, _information(points, rig, R)])

    def see_again(
        self, rows: NDArray[np.intp], disparity: Array, rig: StereoRig, T_odom_eye: Pose
    ) -> None:
        """Update positions with another observation, weighted by its information."""
        points = rig.points(self.pixels[rows].astype(np.float64), disparity)
        R = matrix_from_quaternion(T_odom_eye.rotation)
        new = _information(points, rig, R)
        total = self._information[rows] + new
        off = (T_odom_eye.apply(points) - self.places[rows])[:, :, None]
        self.places[rows] += np.linalg.solve(total, new @ off)[:, :, 0]
        self._information[rows] = np.minimum(total, 20 * new.max(axis=(1, 2))[:, None, None])


def _information(points: Array, rig: StereoRig, R: Array) -> Array:
    """Return the inverse covariances of points seen by both cameras, in odometry axes."""
    z = points[:, 2]
    # d(x, y, z) of a pixel is z / f, of a disparity z^2 / (f b) along the ray
    across = (_PIXEL * z / rig.focal) ** 2
    along = (_DISPARITY * z * z / (rig.focal * rig.baseline)) ** 2
    ray = points / np.linalg.norm(points, axis=1, keepdims=True)
    rays = ray @ R.T
    outer = rays[:, :, None] * rays[:, None, :]
    flat = np.eye(3) - outer
    out: Array = outer / (along + across)[:, None, None] + flat / across[:, None, None]
    return out
