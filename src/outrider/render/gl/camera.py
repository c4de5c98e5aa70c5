"""From the world to the image: matrices for a pinhole, and the pinhole of a distorted lens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from outrider.core.errors import RenderError
from outrider.core.frames import Array, Pose
from outrider.render.intrinsics import Intrinsics

_FINER = 1.25  # pixels of the straight image per pixel of the bent one, at its middle


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A straight image: x/z = (column - cx) / fx, as for Intrinsics; it may be off-centre."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float


@lru_cache(maxsize=64)
def pinhole_of(lens: Intrinsics, most_side: int) -> Pinhole:
    """Return the pinhole that sees all that a lens sees."""
    if not lens.distorted:
        return Pinhole(lens.width, lens.height, lens.fx, lens.fy, lens.cx, lens.cy)
    low, high = lens.plane.min(axis=(0, 1)), lens.plane.max(axis=(0, 1))
    fx, fy = lens.fx * _FINER, lens.fy * _FINER
    width = int(np.ceil((high[0] - low[0]) * fx)) + 5
    height = int(np.ceil((high[1] - low[1]) * fy)) + 5
    if max(width, height) > most_side:
        raise RenderError(
            f"the image behind this lens's distortion would have {width} x {height} pixels, "
            f"the OpenGL driver draws up to {most_side} a side: make the image smaller"
        )
    return Pinhole(width, height, fx, fy, 2 - low[0] * fx, 2 - low[1] * fy)


def projection(pinhole: Pinhole, near: float, far: float) -> Array:
    """Return clip space from the optical frame: depth 1 at near, 0 at far, row 0 at the bottom.

    Nearer is larger and kept as a float: precise at any distance. The first row that is read back
    is then the image's upper one.
    """
    w, h = pinhole.width, pinhole.height
    out = np.zeros((4, 4))
    out[0] = 2 * pinhole.fx / w, 0, (2 * pinhole.cx + 1) / w - 1, 0
    out[1] = 0, 2 * pinhole.fy / h, (2 * pinhole.cy + 1) / h - 1, 0
    out[2] = 0, 0, -near / (far - near), far * near / (far - near)
    out[3] = 0, 0, 1, 0
    return out


def clip_from_world(pinhole: Pinhole, pose: Pose, near: float, far: float) -> Array:
    """Return the whole way from the world to clip space."""
    out: Array = projection(pinhole, near, far) @ pose.inverse().matrix
    return out
