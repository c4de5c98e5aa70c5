"""The pose of a stereo camera from points it sees: RANSAC, then least squares over both eyes."""

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.odometry.features import Mask, Pixels
from outrider.autonomy.poses import from_rotation_vector, rotation_vector
from outrider.autonomy.stereo.rig import StereoRig
from outrider.core.frames import Array, Pose, matrix_from_quaternion, multiply

_THRESHOLD = 2.0  # pixels
_HUBER = 1.0  # pixels


def find_pose(
    places: Array, pixels: Pixels, rig: StereoRig, guess: Pose
) -> tuple[Pose, Mask] | None:
    """Return ``T_odom_eye`` and which points agree, or None if too few do."""
    if len(places) < 8:
        return None
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
        True,
        100,
        _THRESHOLD,
        0.999,
        None,
        cv2.SOLVEPNP_ITERATIVE,
    )
    if not ok or inliers is None or len(inliers) < 8:
        return None
    mask = np.zeros(len(places), np.bool_)
    mask[inliers.ravel()] = True
    pose = Pose(tvec.ravel(), from_rotation_vector(rvec.ravel())).inverse()
    return pose, mask


def refine(pose: Pose, places: Array, pixels: Pixels, disparity: Array, rig: StereoRig) -> Pose:
    """Return the pose that fits pixels and, where known (not NaN), disparities best."""
    known = np.isfinite(disparity)
    for _ in range(5):
        R = matrix_from_quaternion(pose.rotation)
        local = (places - pose.position) @ R
        ahead = local[:, 2] > 0.1
        seen, far = rig.project(np.where(ahead[:, None], local, [0.0, 0.0, 1.0]))
        error = np.concatenate(
            [(pixels - seen).ravel(), np.where(known, np.nan_to_num(disparity) - far, 0.0)]
        )
        J = _jacobian(local, rig)
        weight = 1.0 / np.maximum(1.0, np.abs(error) / _HUBER)
        weight *= np.concatenate([np.repeat(ahead, 2), ahead & known])
        H = J.T @ (J * weight[:, None]) + 1e-9 * np.eye(6)
        step = np.linalg.solve(H, J.T @ (weight * error))
        turned = multiply(pose.rotation, from_rotation_vector(step[3:]))
        pose = Pose(pose.position + R @ step[:3], turned)
        if float(np.abs(step).max()) < 1e-7:
            break
    return pose


def _jacobian(local: Array, rig: StereoRig) -> Array:
    """Return what a small move and turn of the eye, in its axes, do to pixels and disparity."""
    x, y, z = local.T
    z = np.maximum(z, 0.1)
    f, n = rig.focal, len(local)
    zero = np.zeros(n)
    du = np.stack([f / z, zero, -f * x / z**2], axis=1)
    dv = np.stack([zero, f / z, -f * y / z**2], axis=1)
    dd = np.stack([zero, zero, -f * rig.baseline / z**2], axis=1)
    rows = np.concatenate([np.stack([du, dv], axis=1).reshape(2 * n, 3), dd])
    points = np.concatenate([np.repeat(local, 2, axis=0), local])
    # a move of the eye by t and a turn by w changes a point by -t - w x p = -t + p x w
    return np.concatenate([-rows, np.cross(rows, points)], axis=1)
