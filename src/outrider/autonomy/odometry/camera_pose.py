"""A stereo camera's pose from landmarks: least squares from a guess, otherwise RANSAC."""

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.odometry.camera_kernels import normal_equations, pixel_errors
from outrider.autonomy.odometry.features import Mask, Pixels
from outrider.autonomy.poses import from_rotation_vector
from outrider.autonomy.stereo.rig import StereoRig
from outrider.core.frames import Array, Pose, matrix_from_quaternion, multiply, rotation_vector

_THRESHOLD = 2.0  # pixels between which a point agrees with a pose
_HUBER = (6.0, 3.0, 1.0)  # pixels, from a guess to the end
_AGREE = 0.6  # share of the points that must agree; else the guess was no good


def find_pose(
    places: Array, pixels: Pixels, rig: StereoRig, guess: Pose
) -> tuple[Pose, Mask] | None:
    """Return ``T_odom_eye`` and which points are inliers, or None if too few are."""
    if len(places) < 8:
        return None
    pose, unknown = guess, np.full(len(places), np.nan)
    for huber in _HUBER:
        pose, _ = refine(pose, places, pixels, unknown, rig, huber)
    mask = _agreeing(pose, places, pixels, rig)
    if mask.mean() >= _AGREE:
        return pose, mask
    return _search(places, pixels, rig, guess)


def refine(
    pose: Pose,
    places: Array,
    pixels: Pixels,
    disparity: Array,
    rig: StereoRig,
    huber: float = _HUBER[-1],
) -> tuple[Pose, Array]:
    """Return the pose that best fits pixels and, where known (not NaN), disparities.

    Beside it the information (6, 6) about moves and turns of the eye in its own axes, for errors
    of one pixel.
    """
    H, g = np.zeros((6, 6)), np.zeros(6)
    seen = pixels.astype(np.float64)
    for _ in range(5):
        normal_equations(
            places=places,
            pixels=seen,
            disparity=disparity,
            pose=pose.matrix,
            camera=_camera(rig),
            huber=huber,
            H=H,
            g=g,
        )
        step = np.linalg.solve(H + 1e-9 * np.eye(6), g).astype(np.float64)
        R = matrix_from_quaternion(pose.rotation)
        turned = multiply(pose.rotation, from_rotation_vector(step[3:]))
        pose = Pose(pose.position + R @ step[:3], turned)
        if float(np.abs(step).max()) < 1e-6:
            break
    return pose, H


def information_on_robot(information: Array, T_base_eye: Pose) -> Array:
    """Return the information about rotation, then translation, of the robot in its own axes."""
    R = matrix_from_quaternion(T_base_eye.rotation).T
    x, y, z = T_base_eye.position.tolist()
    cross = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # turn x place
    A = np.zeros((6, 6))  # from turns and moves of the robot to moves and turns of the eye
    A[:3, :3], A[:3, 3:], A[3:, :3] = R @ cross, R, R
    out: Array = A.T @ information @ A
    return out


def _agreeing(pose: Pose, places: Array, pixels: Pixels, rig: StereoRig) -> Mask:
    errors = np.empty(len(places))
    pixel_errors(places, pixels.astype(np.float64), pose.matrix, _camera(rig), errors)
    agree: Mask = errors < _THRESHOLD
    return agree


def _search(places: Array, pixels: Pixels, rig: StereoRig, guess: Pose) -> tuple[Pose, Mask] | None:
    """Find a pose despite many outliers."""
    cv2 = needed("cv2")
    back = guess.inverse()
    rvec = rotation_vector(back.rotation).reshape(3, 1)
    tvec = back.position.reshape(3, 1).copy()
    ok, rvec, tvec, inliers = cv2.solvePnPRansac(
        places,
        pixels.astype(np.float64),
        rig.matrix,
        None,
        rvec,
        tvec,
        useExtrinsicGuess=True,
        iterationsCount=100,
        reprojectionError=_THRESHOLD,
        confidence=0.999,
        flags=cv2.SOLVEPNP_ITERATIVE,
    )
    if not ok or inliers is None or len(inliers) < 8:
        return None
    mask = np.zeros(len(places), np.bool_)
    mask[inliers.ravel()] = True
    pose = Pose(tvec.ravel(), from_rotation_vector(rvec.ravel())).inverse()
    return pose, mask


def _camera(rig: StereoRig) -> tuple[float, float, float, float, float]:
    return rig.focal, rig.cx, rig.cy, rig.baseline, rig.disparity_offset()
