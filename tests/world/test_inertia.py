"""Mass properties against mesh integration, random sampling and MuJoCo's refusals."""

import numpy as np
import pytest

from outrider.core.errors import WorldError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.world.inertia import check_inertial, combine, moved, solid_inertial
from outrider.world.model import Inertial
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Plane, Sphere
from outrider.world.tessellate import tessellate

trimesh = pytest.importorskip("trimesh")

SOLIDS = [
    Box((0.3, 0.5, 1.1)),
    Sphere(0.4),
    Cylinder(0.3, 0.9),
    Capsule(0.3, 0.9),
    Capsule(0.5, 0.1),
    Cone(0.3, 0.9),
    Cone(0.6, 0.2),
]


@pytest.mark.parametrize("shape", SOLIDS, ids=str)
def test_a_solid_has_the_inertia_that_integrating_its_surface_gives(shape):
    fine = tessellate(shape, 400)
    surface = trimesh.Trimesh(fine.vertices, fine.faces, process=False)
    surface.density = 7.0 / surface.volume
    found = solid_inertial(shape, 7.0)
    assert found.mass == 7.0
    np.testing.assert_allclose(found.pose.position, surface.center_mass, atol=1e-4)
    np.testing.assert_allclose(found.inertia, surface.moment_inertia, rtol=2e-4, atol=1e-9)


def test_a_cone_agrees_with_points_drawn_inside_it():
    rng = np.random.default_rng(3)
    points = rng.uniform([-1, -1, 0], [1, 1, 1], (400_000, 3))
    points = points[np.hypot(points[:, 0], points[:, 1]) <= 1 - points[:, 2]]
    points = points * [0.4, 0.4, 1.2] - [0, 0, 0.6]
    found = solid_inertial(Cone(0.4, 1.2), 1.0)
    centred = points - points.mean(axis=0)
    second = centred.T @ centred / len(points)
    np.testing.assert_allclose(points.mean(axis=0), found.pose.position, atol=3e-3)
    np.testing.assert_allclose(
        np.trace(second) * np.eye(3) - second, found.inertia, rtol=0.01, atol=5e-4
    )


def test_a_plane_has_no_inertia_by_formula():
    with pytest.raises(WorldError, match="Plane has no inertia"):
        solid_inertial(Plane(), 1.0)


def test_two_halves_of_a_box_combine_to_the_whole_box():
    half = solid_inertial(Box((0.5, 0.4, 0.2)), 3.0)
    left, right = (moved(half, Pose(np.array([x, 0.0, 0.0]))) for x in (-0.25, 0.25))
    whole = combine([left, right])
    np.testing.assert_allclose(
        whole.inertia, solid_inertial(Box((1.0, 0.4, 0.2)), 6.0).inertia, rtol=1e-14
    )
    assert whole.mass == 6.0
    np.testing.assert_allclose(whole.pose.position, 0, atol=1e-16)


def test_combining_turned_parts_equals_the_sum_over_their_points():
    rng = np.random.default_rng(5)
    parts, masses, points = [], [], []
    for _ in range(4):
        mass = rng.uniform(0.1, 1.0, 20)
        cloud = rng.normal(size=(20, 3))
        pose = Pose(rng.normal(size=3), rng.normal(size=4))
        parts.append(moved(_of_points(mass, cloud), pose))
        masses.append(mass)
        points.append(pose.apply(cloud))
    expected = _of_points(np.concatenate(masses), np.concatenate(points))
    found = combine(parts)
    assert found.mass == pytest.approx(expected.mass, rel=1e-14)
    np.testing.assert_allclose(found.pose.position, expected.pose.position, atol=1e-13)
    np.testing.assert_allclose(found.inertia, expected.inertia, rtol=1e-12)


def test_one_turned_part_combined_alone_keeps_its_inertia_in_the_common_axes():
    pose = Pose.from_rpy([1.0, 2.0, 3.0], [0.1, 0.2, 0.3])
    tensor = np.diag([1.0, 2.0, 2.5])
    R = matrix_from_quaternion(pose.rotation)
    found = combine([Inertial(2.0, tensor, pose)])
    np.testing.assert_allclose(found.inertia, R @ tensor @ R.T, atol=1e-14)
    np.testing.assert_array_equal(found.pose.rotation, [0, 0, 0, 1])


def test_nothing_combines_to_nothing():
    assert combine([]).mass == 0.0


@pytest.mark.parametrize(
    ("mass", "tensor", "sentence"),
    [
        (-1.0, np.eye(3), "wheel: a mass cannot be negative, got -1 kg"),
        (np.nan, np.eye(3), "must be finite"),
        (1.0, np.full((3, 3), np.inf), "must be finite"),
        (0.0, np.eye(3), "the mass is zero but the inertia is not"),
        (1.0, np.zeros((3, 3)), "not positive definite"),
        (1.0, np.diag([1.0, 1.0, -1e-3]), "not positive definite"),
        (1.0, np.diag([1.0, 2.0, 3.1]), "no body has this inertia"),
        (1.0, np.array([[1.0, 0.9, 0], [0.9, 1.0, 0], [0, 0, 1.0]]), "no body has this inertia"),
        (1.0, np.array([[1.0, 0.1, 0], [0.2, 1.0, 0], [0, 0, 1.0]]), "not symmetric"),
    ],
)
def test_impossible_bodies_are_refused(mass, tensor, sentence):
    with pytest.raises(WorldError, match=sentence):
        check_inertial(Inertial(mass, tensor), "wheel")


@pytest.mark.parametrize(
    "tensor", [np.diag([1.0, 1.0, 2.0]), np.diag([1.0, 1.0, 2.000001]), np.diag([1e-9, 1e-9, 1e-9])]
)
def test_thin_plates_and_rounded_figures_are_accepted(tensor):
    check_inertial(Inertial(1.0, tensor), "plate")


@pytest.mark.parametrize("yaw", [3.142, 0.1, 1.57])
def test_what_is_even_in_all_directions_may_be_turned(yaw):
    """Turning it leaves rounding errors where zeros were, and no two of them are alike."""
    ball = Inertial(0.05, 1e-4 * np.eye(3), Pose.from_rpy([0, 0, 0], [1.0, 0.3, yaw]))
    check_inertial(combine([ball, moved(ball, Pose.from_rpy([0, 0, 0], [0.2, 2.0, yaw]))]), "ball")


def test_a_massless_frame_is_accepted():
    check_inertial(Inertial(0.0, np.zeros((3, 3))), "frame")


def _of_points(mass, points):
    centre = mass @ points / mass.sum()
    offset = points - centre
    second = np.einsum("n,ni,nj->ij", mass, offset, offset)
    return Inertial(float(mass.sum()), np.trace(second) * np.eye(3) - second, Pose(centre))
