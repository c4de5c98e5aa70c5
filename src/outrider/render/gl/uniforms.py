"""The block of numbers that all programs of a shot read, laid out as shaders/shot.glsl says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.render.film import Film
from outrider.render.gl.camera import Pinhole
from outrider.render.gl.cascades import MOST_LEVELS
from outrider.render.gl.cull import MOST_OFF_PX
from outrider.render.gl.programs import MOST_SHADOWS
from outrider.render.hash_noise import picture_key
from outrider.render.intrinsics import Intrinsics

_V4 = (np.float32, (4,))
SHOT = np.dtype(
    [
        ("clip_from_world", np.float32, (4, 4)),  # matrices by columns
        ("world_from_clip", np.float32, (4, 4)),
        ("eye", *_V4),
        ("pinhole", *_V4),
        ("gains", *_V4),
        ("film", *_V4),
        ("keys", np.uint32, (4,)),
        ("shadow_frame", np.float32, (MOST_SHADOWS, 4, 4)),
        ("shadow_level", np.float32, (MOST_SHADOWS * MOST_LEVELS, 4)),
    ]
)
Block = NDArray[np.void]


def set_camera(block: Block, pinhole: Pinhole, pose: Pose, clip_from_world: Array) -> None:
    """Write where the camera is."""
    block["clip_from_world"] = clip_from_world.T
    off = MOST_OFF_PX / 2 / max(pinhole.fx, pinhole.fy)  # the figure is twice too careful
    block["eye"] = *pose.position, off
    block["pinhole"] = pinhole.fx, pinhole.fy, pinhole.cx, pinhole.cy
    w, h = pinhole.width, pinhole.height
    rays = np.zeros((3, 4))  # x/z, y/z, 1 of a place in clip space
    rays[0, 0], rays[0, 3] = w / 2 / pinhole.fx, ((w - 1) / 2 - pinhole.cx) / pinhole.fx
    rays[1, 1], rays[1, 3] = h / 2 / pinhole.fy, ((h - 1) / 2 - pinhole.cy) / pinhole.fy
    rays[2, 3] = 1.0
    matrix = np.zeros((4, 4))
    matrix[:3] = matrix_from_quaternion(pose.rotation) @ rays
    block["world_from_clip"] = matrix.T


def set_film(block: Block, film: Film, lens: Intrinsics, left: int) -> None:
    """Write what the film does, and in which column the picture begins."""
    cx, cy = lens.cx, lens.cy
    corner = max(cx, lens.width - 1 - cx) ** 2 + max(cy, lens.height - 1 - cy) ** 2
    block["gains"][:3] = film.exposure * np.array(film.balance)
    block["gains"][3] = film.vignetting / max(corner, 1.0)
    block["film"] = film.noise, 4 * film.grain, cx, cy
    key = picture_key(film.frame & 0xFFFFFFFF, film.seed & 0xFFFFFFFF)
    block["keys"] = key, film.grain_size, left, 0


def film_flags(film: Film) -> tuple[str, ...]:
    """Return the parts of film.glsl that are needed."""
    wanted = {"NOISE": film.noise, "GRAIN": film.grain, "VIGNETTING": film.vignetting}
    return ("FINISH", *(name for name, amount in wanted.items() if amount > 0))
