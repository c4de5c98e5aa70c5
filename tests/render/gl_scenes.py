"""Small scenes for tests of the OpenGL renderer, and whether there is OpenGL at all."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.errors import RenderError
from outrider.core.frames import Pose
from outrider.render.gl.context import GlContext
from outrider.render.shot import T_BODY_OPTICAL
from outrider.scene.scene import Scene
from outrider.world.assembly import assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Light, Link, Model, World
from outrider.world.shapes import Box, Mesh, Plane, Shape, Sphere
from outrider.world.state import BODY

SUN = Light("sun", direction=(-0.5, 0.3, -0.8))


@cache
def why_no_gl() -> str:
    """Return the reason why there is no OpenGL here, or nothing."""
    try:
        GlContext().close()
    except RenderError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Set:
    """A scene with its bodies."""

    scene: Scene
    bodies: NDArray[Any]


def camera(x: float, y: float, z: float, pitch_deg: float = 0.0, yaw_deg: float = 0.0) -> Pose:
    """Return an optical frame that looks along x, turned."""
    turn = np.radians([0.0, pitch_deg, yaw_deg])
    return Pose.from_rpy([x, y, z], turn) @ T_BODY_OPTICAL


def textured(path: Path) -> str:
    """Write a soft random texture."""
    rng = np.random.default_rng(3)
    small = Image.fromarray(rng.integers(0, 255, (64, 64, 3), np.uint8))
    small.resize((512, 512), Image.Resampling.BICUBIC).save(path)
    return str(path)


def leaves(path: Path) -> str:
    """Write a texture with round holes."""
    y, x = np.mgrid[0:128, 0:128]
    solid = ((x % 32 - 16) ** 2 + (y % 32 - 16) ** 2) > 100
    pixels = np.zeros((128, 128, 4), np.uint8)
    pixels[..., 1], pixels[..., 3] = 150, 255 * solid
    Image.fromarray(pixels).save(path)
    return str(path)


def static(shape: Shape, place: tuple[float, float, float], **material: Any) -> Geometry:
    """Return a shape at a place."""
    named = Material(name=str(sorted(material.items())), **material)
    return Geometry(shape, Pose(np.array(place)), named)


def make(
    things: list[Geometry],
    body: Geometry | None = None,
    lights: tuple[Light, ...] = (SUN,),
    **world: Any,
) -> Set:
    """Return a scene of things that stand, and perhaps one body that moves, at its pose."""
    models = [
        Model(f"thing_{i}", (Link("link", None, (thing,)),), mobility="static")
        for i, thing in enumerate(things)
    ]
    if body is not None:
        link = Link("link", Inertial(1.0, np.eye(3)), (body,))
        models.append(Model("mover", (link,)))
    scene = Scene(assemble(World("test", tuple(models), lights=lights, **world)))
    bodies = np.zeros(len(scene.assembly.bodies), BODY)
    bodies["rotation"][:, 3] = 1.0
    return Set(scene, bodies)


def yard(tmp: Path) -> Set:
    """Return a textured ground with boxes, balls, a leafy wall and a body."""
    grass, leafy = textured(tmp / "grass.png"), leaves(tmp / "leaves.png")
    return make(
        [
            static(Plane(200.0), (0, 0, 0), texture=grass, texture_size=2.0),
            static(Box((1, 1, 2)), (6, 1.5, 1), colour=(0.8, 0.2, 0.1, 1)),
            static(Sphere(0.7), (5, -1.5, 0.7), colour=(0.9, 0.9, 0.9, 1)),
            static(Box((0.02, 3, 2)), (9, -2, 1), texture=leafy, texture_size=1.0),
        ],
        static(Box((0.6, 0.5, 0.4)), (3.5, 0.3, 0.3), colour=(0.2, 0.3, 0.9, 1)),
    )


def hills(cells: int) -> Mesh:
    """Return a rolling surface of 40 m by 40 m."""
    line = np.linspace(-20.0, 20.0, cells + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    z = 0.4 * np.sin(0.35 * x) * np.cos(0.3 * y + 0.5) + 0.1 * np.sin(1.1 * x + 0.7 * y)
    n = cells + 1
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    return Mesh(np.stack([x, y, z], -1).reshape(-1, 3), faces.astype(np.int32))


def psnr(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return how alike two images are, in dB."""
    error = float(np.mean((a.astype(np.float64) - b) ** 2))
    return 99.0 if error == 0 else 10 * float(np.log10(255**2 / error))
