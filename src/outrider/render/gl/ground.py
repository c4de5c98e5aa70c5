"""The relief of the ground in depth images that were drawn without it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.render.gl.camera import Pinhole
from outrider.render.intrinsics import Intrinsics
from outrider.render.rolling_shutter import between
from outrider.render.shot import Shot
from outrider.scene.relief import Relief
from outrider.scene.surface import Floats32

_BAND = 8  # rows that are taken at once with a rolling shutter
_COLUMNS = 17  # that stand for a row


def bands_of(shot: Shot, pinhole: Pinhole) -> list[tuple[float, Pose, slice]]:
    """Return shares of a read-out, poses of the camera then, and the rows that are taken there."""
    if not shot.row_poses:
        return [(0.5, shot.T_world_optical, slice(0, pinhole.height))]
    lens = shot.intrinsics
    bands = []
    for y in range(0, pinhole.height, _BAND):
        share = _row_in(lens, pinhole, y + (_BAND - 1) / 2) / max(lens.height - 1, 1)
        share = min(1.0, max(0.0, share))
        rows = slice(y, min(y + _BAND, pinhole.height))
        bands.append((share, between(shot.row_poses, share), rows))
    return bands


def _row_in(lens: Intrinsics, pinhole: Pinhole, y: float) -> float:
    """Return in which row of the image a row of the straight image is; of a bent one, the mean."""
    x = (np.linspace(0, pinhole.width - 1, _COLUMNS) - pinhole.cx) / pinhole.fx
    ahead = np.column_stack([x, np.full_like(x, (y - pinhole.cy) / pinhole.fy), np.ones_like(x)])
    at = lens.project(ahead)
    inside = (at[:, 0] >= 0) & (at[:, 0] < lens.width)
    return float(at[inside, 1].mean() if inside.any() else at[_COLUMNS // 2, 1])


def raise_ground(
    shot: Shot, pinhole: Pinhole, relief: Relief, ground: Floats32, depth: Floats32
) -> None:
    """Move depths to the relief; ``ground`` is as ``Relief.apply_to_image`` has it."""
    rotations = np.empty((pinhole.height, 3, 3), np.float32)
    eyes = np.empty((pinhole.height, 3), np.float32)
    for _, pose, rows in bands_of(shot, pinhole):
        rotations[rows], eyes[rows] = matrix_from_quaternion(pose.rotation), pose.position
    columns = 0, pinhole.width
    relief.apply_to_image(ground, _plane(pinhole), rotations, eyes, depth, columns)


@lru_cache(maxsize=8)
def _plane(pinhole: Pinhole) -> Floats32:
    """Return x/z and y/z (h, w, 2) of every pixel."""
    p = pinhole
    return Intrinsics(p.width, p.height, p.fx, p.fy, p.cx, p.cy).plane
