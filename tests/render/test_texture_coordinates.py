"""Where textures lie on shapes that bring no coordinates of their own."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.render.texture.coordinates import texture_coordinates
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Mesh, Sphere
from outrider.world.tessellate import tessellate

_TENT = Mesh(
    np.array([[0, 0, 1], [1, 0, 0], [-0.5, 0.9, 0], [-0.5, -0.9, 0]], float),
    np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]),
)


@pytest.mark.parametrize("size", [0.0, 0.3], ids=["one copy", "tiled"])
@pytest.mark.parametrize(
    "shape",
    [
        Box((0.6, 0.5, 0.4)),
        Cylinder(0.3, 0.8),
        Cone(0.3, 0.8),
        Sphere(0.4),
        Capsule(0.2, 0.5),
        _TENT,
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_from_outside_nothing_is_mirrored(shape, size):
    """A sign could not be read, nor a tag detected, on three of six sides of a box."""
    pose = Pose.from_rpy([1.0, 2.0, 3.0], [0.3, -0.5, 2.0])
    material = Material(name="sign", texture="sign.png", texture_size=size)
    mesh = tessellate(shape)
    placed = pose.apply(mesh.vertices)
    uv, corners = texture_coordinates(Geometry(shape, pose, material), placed, mesh.faces)
    a, b, c = np.moveaxis(uv[corners].astype(float), 1, 0)
    across, up = b - a, c - a
    area = across[:, 0] * up[:, 1] - across[:, 1] * up[:, 0]  # above 0: as the corners go round
    assert area.min() > -1e-9
    assert (area > 1e-9).sum() >= len(mesh.faces) / 2
