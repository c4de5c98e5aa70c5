"""Shapes as triangles: volumes, orientation, bounds and height fields."""

import math

import numpy as np
import pytest

from outrider.world.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Mesh,
    Plane,
    Sphere,
)
from outrider.world.tessellate import bounds, heightfield_height, heightfield_mesh, tessellate

trimesh = pytest.importorskip("trimesh")

VOLUMES = [
    (Box((0.5, 2.0, 3.0)), 3.0),
    (Sphere(0.7), 4 / 3 * math.pi * 0.7**3),
    (Cylinder(0.7, 2.0), math.pi * 0.7**2 * 2.0),
    (Capsule(0.7, 2.0), math.pi * 0.7**2 * (2.0 + 4 / 3 * 0.7)),
    (Cone(0.7, 2.0), math.pi * 0.7**2 * 2.0 / 3),
]


def surface_of(shape, *segments):
    mesh = tessellate(shape, *segments)
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)


@pytest.mark.parametrize(("shape", "volume"), VOLUMES, ids=str)
def test_surfaces_are_closed_and_face_outward(shape, volume):
    surface = surface_of(shape)
    assert surface.is_watertight
    assert surface.is_winding_consistent
    assert 0.95 * volume < surface.volume <= volume * (1 + 1e-12)
    outward = np.einsum("ij,ij->i", surface.triangles_center, surface.face_normals)
    assert (outward > 0).all()
    assert surface.area_faces.min() > 0


@pytest.mark.parametrize(("shape", "volume"), VOLUMES[1:], ids=str)
def test_volumes_converge_with_the_square_of_the_segments(shape, volume):
    coarse, fine = (volume - surface_of(shape, n).volume for n in (32, 64))
    assert coarse / fine == pytest.approx(4, rel=0.02)


@pytest.mark.parametrize(
    "shape",
    [*(shape for shape, _ in VOLUMES), Plane(10.0), HeightField(np.eye(3), (2.0, 4.0))],
    ids=lambda s: type(s).__name__,
)
def test_bounds_hold_all_vertices_and_are_reached(shape):
    low, high = bounds(shape)
    vertices = tessellate(shape).vertices
    np.testing.assert_allclose(vertices.min(axis=0), low, atol=1e-12)
    np.testing.assert_allclose(vertices.max(axis=0), high, atol=1e-12)


def test_a_cone_stands_on_its_base():
    vertices = tessellate(Cone(0.5, 2.0)).vertices
    radius = np.hypot(vertices[:, 0], vertices[:, 1])
    np.testing.assert_allclose(vertices[radius > 0.1, 2], -1.0)
    assert vertices[radius < 1e-9, 2].max() == 1.0


def test_a_plane_is_two_triangles_facing_up():
    surface = surface_of(Plane(4.0))
    assert len(surface.faces) == 2
    np.testing.assert_array_equal(surface.face_normals, [[0, 0, 1], [0, 0, 1]])
    assert surface.area == 16.0


def test_a_mesh_stays_as_it_is():
    mesh = Mesh(np.eye(3), np.array([[0, 1, 2]], np.int32))
    assert tessellate(mesh) is mesh


def test_cells_of_a_height_field_are_split_from_the_next_row_to_the_next_column():
    mesh = heightfield_mesh(HeightField(np.arange(4.0).reshape(2, 2), (2.0, 6.0)))
    corners = {tuple(map(tuple, mesh.vertices[face, :2])) for face in mesh.faces}
    assert corners == {
        ((-1.0, -3.0), (1.0, -3.0), (-1.0, 3.0)),
        ((1.0, -3.0), (1.0, 3.0), (-1.0, 3.0)),
    }
    np.testing.assert_array_equal(mesh.vertices[:, 2], [0, 1, 2, 3])


def test_a_height_field_faces_up_and_covers_its_size():
    rng = np.random.default_rng(1)
    mesh = heightfield_mesh(HeightField(rng.normal(size=(7, 12)), (3.0, 5.0)))
    surface = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert (surface.face_normals[:, 2] > 0).all()
    assert (surface.area_faces * surface.face_normals[:, 2]).sum() == pytest.approx(15.0)


def test_heights_lie_on_the_triangles_of_the_mesh():
    rng = np.random.default_rng(2)
    field = HeightField(rng.normal(size=(9, 6)), (4.0, 7.0))
    mesh = heightfield_mesh(field)
    weights = rng.dirichlet([1, 1, 1], size=(len(mesh.faces), 5))
    points = np.einsum("fkc,fcd->fkd", weights, mesh.vertices[mesh.faces]).reshape(-1, 3)
    found = heightfield_height(field, points[:, 0], points[:, 1])
    np.testing.assert_allclose(found, points[:, 2], atol=1e-12)


def test_heights_at_corners_and_edges_are_exact_and_outside_is_nothing():
    field = HeightField(np.arange(9.0).reshape(3, 3), (2.0, 2.0))
    x, y = np.array([-1.0, 1.0, 1.0, 0.0, 1.001]), np.array([-1.0, -1.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(heightfield_height(field, x, y), [0, 6, 8, 4, np.nan])
