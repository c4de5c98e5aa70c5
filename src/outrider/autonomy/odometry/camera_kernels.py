"""Compiled: how well a stereo camera's pose fits its observations."""

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.frames import Array


@compiled
def _in_camera(
    places: Array, k: int, pose: Array
) -> tuple[float, float, float]:  # pragma: no cover
    """Return one place as the camera sees it: right, down, ahead."""
    dx, dy, dz = places[k, 0] - pose[0, 3], places[k, 1] - pose[1, 3], places[k, 2] - pose[2, 3]
    return (
        pose[0, 0] * dx + pose[1, 0] * dy + pose[2, 0] * dz,
        pose[0, 1] * dx + pose[1, 1] * dy + pose[2, 1] * dz,
        pose[0, 2] * dx + pose[1, 2] * dy + pose[2, 2] * dz,
    )


@compiled
def normal_equations(
    places: Array,
    pixels: Array,
    disparity: Array,
    pose: Array,
    camera: tuple[float, float, float, float, float],
    huber: float,
    H: Array,
    g: Array,
) -> None:  # pragma: no cover
    """Sum ``H`` (6, 6) and ``g`` (6,) for a small translation and rotation of the camera.

    ``pose`` is the rotation matrix of the eye with its place as a fourth column; ``camera`` is
    focal length, middle (2), baseline and the disparity at infinity; a disparity that is not a
    number is not known. Errors beyond ``huber`` pixels count less.
    """
    f, cx, cy, baseline, offset = camera
    H[:], g[:] = 0.0, 0.0
    J = np.empty((3, 6))
    error = np.empty(3)
    for k in range(places.shape[0]):
        x, y, z = _in_camera(places, k, pose)
        if z <= 0.1:
            continue
        error[0] = pixels[k, 0] - (f * x / z + cx)
        error[1] = pixels[k, 1] - (f * y / z + cy)
        error[2] = disparity[k] - (f * baseline / z + offset)
        J[0, 0], J[0, 1], J[0, 2] = -f / z, 0.0, f * x / (z * z)
        J[1, 0], J[1, 1], J[1, 2] = 0.0, -f / z, f * y / (z * z)
        J[2, 0], J[2, 1], J[2, 2] = 0.0, 0.0, f * baseline / (z * z)
        for row in range(3):  # a turn w of the eye changes a point p by p x w
            a, b, c = -J[row, 0], -J[row, 1], -J[row, 2]
            J[row, 3], J[row, 4], J[row, 5] = b * z - c * y, c * x - a * z, a * y - b * x
        for row in range(3 if disparity[k] == disparity[k] else 2):
            weight = 1.0 / max(1.0, abs(error[row]) / huber)
            for i in range(6):
                g[i] += weight * J[row, i] * error[row]
                for j in range(6):
                    H[i, j] += weight * J[row, i] * J[row, j]


@compiled
def pixel_errors(
    places: Array,
    pixels: Array,
    pose: Array,
    camera: tuple[float, float, float, float, float],
    out: Array,
) -> None:  # pragma: no cover
    """Write the reprojection error of each point in pixels; infinite behind the camera."""
    f, cx, cy = camera[0], camera[1], camera[2]
    for k in range(places.shape[0]):
        x, y, z = _in_camera(places, k, pose)
        if z <= 0.1:
            out[k] = np.inf
            continue
        u, v = pixels[k, 0] - (f * x / z + cx), pixels[k, 1] - (f * y / z + cy)
        out[k] = np.sqrt(u * u + v * v)
