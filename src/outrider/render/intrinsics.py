"""A camera's lens: where a point falls on the image, and along which ray a pixel looks.

The optical frame has z forward, x right and y down. Pixel (0, 0) is the centre of the upper left
pixel, as in OpenCV and CameraInfo, and distortion is ROS's plumb_bob (OpenCV's five numbers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.core.frames import Array
from outrider.render.distortion import bend, straighten

MOST_PIXELS = 8192  # along a side
WIDEST_DEG = 170.0  # of a pinhole: beyond, a flat image has no room
Floats32: TypeAlias = NDArray[np.float32]
_MOST_ERROR_PX = 1e-6
_GRID = 65  # pixels along a side that are looked at beforehand
_MOST_STRAIGHT = 12_800  # pixels along a side of what is drawn and then bent


@dataclass(frozen=True)
class Intrinsics:
    """Image size, focal lengths and centre in pixels, distortion k1 k2 p1 p2 k3."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        _check_size(self.width, self.height)
        numbers = (self.fx, self.fy, self.cx, self.cy, *self.distortion)
        if not all(math.isfinite(v) for v in numbers) or min(self.fx, self.fy) <= 0:
            raise RenderError(f"a lens needs finite numbers and a focal length above 0: {numbers}")
        for size, focal in ((self.width, self.fx), (self.height, self.fy)):
            _check_field(math.degrees(2 * math.atan(size / 2 / focal)))

    @classmethod
    def from_fov(
        cls,
        width: int,
        height: int,
        hfov_deg: float,
        distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
        vfov_deg: float | None = None,
    ) -> Intrinsics:
        """Make a centred lens of a field of view; without a vertical one, pixels are square."""
        _check_size(width, height)
        _check_field(hfov_deg)
        fx = width / 2 / math.tan(math.radians(hfov_deg) / 2)
        fy = fx
        if vfov_deg is not None:
            _check_field(vfov_deg)
            fy = height / 2 / math.tan(math.radians(vfov_deg) / 2)
        return cls(width, height, fx, fy, (width - 1) / 2, (height - 1) / 2, distortion)

    @property
    def distorted(self) -> bool:
        """Whether straight lines come out bent."""
        return any(self.distortion)

    def check_bent(self) -> None:
        """Refuse a distortion that cannot be drawn, as far as a grid of pixels shows."""
        if not self.distorted:
            return
        u, v = np.meshgrid(*(np.linspace(0, n - 1, _GRID) for n in (self.width, self.height)))
        straight = self.normalized(np.stack([u.ravel(), v.ravel()], axis=1))
        size = (straight.max(axis=0) - straight.min(axis=0)) * [self.fx, self.fy]
        if max(size) > _MOST_STRAIGHT:
            raise RenderError(
                f"distortion {self.distortion} needs a straight image of {size[0]:.0f} x"
                f" {size[1]:.0f} pixels: make the image smaller"
            )

    @property
    def matrix(self) -> Array:
        """K, (3, 3)."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1.0]])

    def project(self, points: Array) -> Array:
        """Return pixels (n, 2) of points (n, 3) in the optical frame; NaN behind the camera."""
        x, y, z = np.asarray(points, np.float64).reshape(-1, 3).T
        depth = np.where(z > 0, z, np.nan)
        points = np.stack([x / depth, y / depth], axis=1)
        bend(points, np.array(self.distortion))
        out: Array = points * [self.fx, self.fy] + [self.cx, self.cy]
        return out

    def normalized(self, pixels: Array) -> Array:
        """Return x/z and y/z (n, 2) of the rays through pixels: the inverse of ``project``."""
        pixels = np.asarray(pixels, np.float64).reshape(-1, 2)
        points = np.ascontiguousarray((pixels - [self.cx, self.cy]) / [self.fx, self.fy])
        if self.distorted:
            tolerance = _MOST_ERROR_PX / max(self.fx, self.fy)
            if not straighten(points, np.array(self.distortion), tolerance):
                raise RenderError(
                    f"distortion {self.distortion} folds the image over itself within its edges: "
                    "no ray falls on some pixels"
                )
        return points

    @cached_property
    def plane(self) -> Floats32:
        """x/z and y/z (height, width, 2) of every pixel's centre."""
        u, v = np.meshgrid(np.arange(self.width), np.arange(self.height))
        pixels = np.stack([u.ravel(), v.ravel()], axis=1).astype(np.float64)
        points = self.normalized(pixels).astype(np.float32)
        return points.reshape(self.height, self.width, 2)

    def rays(self) -> Floats32:
        """Return unit directions (height, width, 3) through the pixels' centres."""
        plane = self.plane.astype(np.float64)
        rays = np.concatenate([plane, np.ones((*plane.shape[:2], 1))], axis=2)
        unit: NDArray[np.void] = rays / np.linalg.norm(rays, axis=2, keepdims=True)
        return unit.astype(np.float32)


def _check_size(width: int, height: int) -> None:
    if not (1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS):
        raise RenderError(
            f"an image must be 1 to {MOST_PIXELS} pixels wide and high, got {width} x {height}"
        )


def _check_field(degrees: float) -> None:
    if not 0.01 <= degrees <= WIDEST_DEG:
        raise RenderError(
            f"a field of view must be between 0.01 and {WIDEST_DEG:g} degrees, got {degrees:g}"
        )
