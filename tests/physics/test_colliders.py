import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.physics.colliders import solid
from outrider.world.model import Geometry
from outrider.world.shapes import Box, HeightField, Mesh
from outrider.world.tessellate import heightfield_height, heightfield_mesh, tessellate


def test_ground_becomes_a_height_field_on_the_same_surface() -> None:
    x = np.linspace(0, 6, 41)
    field = HeightField(0.4 * np.sin(x)[:, None] * np.cos(x)[None, :], (12.0, 12.0))
    (made,) = solid(Geometry(heightfield_mesh(field)), static=True)
    assert isinstance(made.shape, HeightField)
    points = np.random.default_rng(1).uniform(-5.8, 5.8, (500, 2))
    want = heightfield_height(field, points[:, 0], points[:, 1])
    local = points - made.pose.position[:2]
    got = heightfield_height(made.shape, local[:, 0], local[:, 1]) + made.pose.position[2]
    np.testing.assert_allclose(got, want, atol=2e-3)


def test_two_boxes_in_one_mesh_leave_the_gap_between_them_free() -> None:
    box = tessellate(Box((1.0, 1.0, 1.0)))
    shift = np.array([3.0, 0.0, 0.0])
    faces = np.concatenate([box.faces, box.faces + len(box.vertices)])
    both = Mesh(np.concatenate([box.vertices, box.vertices + shift]), faces)
    pieces = [piece.shape for piece in solid(Geometry(both), static=True)]
    spans = sorted((p.vertices[:, 0].min(), p.vertices[:, 0].max()) for p in pieces)
    assert spans == [(-0.5, 0.5), (2.5, 3.5)]


def test_a_tilted_ground_is_judged_as_it_stands_in_the_world() -> None:
    wall = heightfield_mesh(HeightField(np.zeros((3, 3)), (2.0, 2.0)))
    upright = Geometry(wall, Pose.from_rpy([0, 0, 0], [np.pi / 2 + 0.1, 0, 0]))
    assert not isinstance(solid(upright, static=True)[0].shape, HeightField)


@pytest.mark.parametrize("static", [True, False])
def test_other_shapes_stay_as_they_are(static: bool) -> None:
    box = Geometry(Box((1.0, 2.0, 3.0)))
    assert solid(box, static=static) == [box]
