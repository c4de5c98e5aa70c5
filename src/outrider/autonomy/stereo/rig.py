"""A stereo camera as its two CameraInfo messages describe it: rectification and geometry."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.stereo.images import Picture
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array
from outrider.messages.types import CameraInfo


@dataclass(frozen=True, slots=True, eq=False)
class StereoRig:
    """The rectified pair's geometry in pixels, and its baseline in metres."""

    width: int
    height: int
    focal: float  # pixels
    cx: float
    cy: float
    cx_right: float
    baseline: float
    maps: tuple[Any, Any]  # of the left and right lens; None if there is nothing to rectify

    @classmethod
    def of(cls, left: CameraInfo, right: CameraInfo) -> "StereoRig":
        """Return the rig of two cameras."""
        P, Q = (np.asarray(info.p, float).reshape(3, 4) for info in (left, right))
        if not (P[0, 0] > 0 and Q[0, 0] > 0):
            raise AutonomyError("CameraInfo has no projection matrix: calibrate the cameras first")
        baseline = -Q[0, 3] / Q[0, 0] + P[0, 3] / P[0, 0]
        if not baseline > 1e-4:
            raise AutonomyError(
                f"CameraInfo of the right camera must have P[3] = -fx * baseline, got {Q[0, 3]:g}"
            )
        if (left.width, left.height) != (right.width, right.height):
            raise AutonomyError("the two images of a stereo camera differ in size")
        maps = (_maps(left), _maps(right))
        return cls(
            width=int(left.width),
            height=int(left.height),
            focal=float(P[0, 0]),
            cx=float(P[0, 2]),
            cy=float(P[1, 2]),
            cx_right=float(Q[0, 2]),
            baseline=float(baseline),
            maps=maps,
        )

    @property
    def matrix(self) -> Array:
        """The camera matrix of the rectified left camera."""
        return np.array([[self.focal, 0, self.cx], [0, self.focal, self.cy], [0, 0, 1.0]])

    def rectify(self, picture: Picture, eye: int) -> Picture:
        """Return an undistorted image; ``eye`` is 0 for the left, 1 for the right."""
        if picture.shape[:2] != (self.height, self.width):
            came = f"{picture.shape[1]} x {picture.shape[0]}"
            raise AutonomyError(
                f"an image is {came}, its CameraInfo says {self.width} x {self.height}"
            )
        maps = self.maps[eye]
        if maps is None:
            return picture
        cv2 = needed("cv2")
        out: Picture = cv2.remap(picture, *maps, cv2.INTER_LINEAR)
        return out

    def disparity_offset(self) -> float:
        """Return the disparity of a point at infinity."""
        return self.cx - self.cx_right

    def points(self, pixels: Array, disparity: Array) -> Array:
        """Return points (n, 3) in the left camera's optical frame: x right, y down, z ahead."""
        z = self.focal * self.baseline / (disparity - self.disparity_offset())
        x = (pixels[:, 0] - self.cx) * z / self.focal
        y = (pixels[:, 1] - self.cy) * z / self.focal
        return np.stack([x, y, z], axis=1)

    def project(self, points: Array) -> tuple[Array, Array]:
        """Return pixels (n, 2) in the left image, and disparities."""
        z = points[:, 2]
        pixels = points[:, :2] / z[:, None] * self.focal + [self.cx, self.cy]
        return pixels, self.focal * self.baseline / z + self.disparity_offset()


def _maps(info: CameraInfo) -> Any:
    D = np.asarray(info.d, float)
    R = np.asarray(info.r, float).reshape(3, 3)
    R = R if R.any() else np.eye(3)
    K = np.asarray(info.k, float).reshape(3, 3)
    P = np.asarray(info.p, float).reshape(3, 4)[:, :3]
    if not D.any() and np.allclose(R, np.eye(3)) and np.allclose(K, P):
        return None
    cv2 = needed("cv2")
    size = (int(info.width), int(info.height))
    if info.distortion_model == "equidistant":
        return cv2.fisheye.initUndistortRectifyMap(K, D[:4], R, P, size, cv2.CV_16SC2)
    return cv2.initUndistortRectifyMap(K, D, R, P, size, cv2.CV_16SC2)
