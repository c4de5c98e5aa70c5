from pathlib import Path

import numpy as np
import pytest

from outrider.core.frames import Array, Pose
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.physics.colliders.gap import surface_gap
from outrider.physics.colliders.shapes import colliders, solid
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Cylinder, HeightField, Mesh, Shape, Sphere
from outrider.world.tessellate import heightfield_height, heightfield_mesh, tessellate

ANYWHERE = Pose.from_rpy([1.0, -2.0, 0.5], [0.3, -0.4, 1.1])


def joined(*parts: tuple[Shape, Pose]) -> Mesh:
    """Return shapes as one mesh; where they touch, their corners do."""
    vertices, faces, count = [], [], 0
    for shape, pose in parts:
        mesh = tessellate(shape, 64)
        vertices.append(pose.apply(mesh.vertices))
        faces.append(mesh.faces + count)
        count += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces))


def prism(outline: list[tuple[float, float]], fans: list[list[int]], depth: float) -> Mesh:
    """Return a solid of an outline in x and z, cut into triangles as told, pushed along y."""
    count = len(outline)
    front = np.array([[x, -depth / 2, z] for x, z in outline])
    back = front + np.array([0, depth, 0])
    caps = [*fans, *([c + count, b + count, a + count] for a, b, c in fans)]
    sides = []
    for i in range(count):
        j = (i + 1) % count
        sides += [[j, i, i + count], [j, i + count, j + count]]
    return Mesh(np.concatenate([front, back]), np.array(caps + sides, np.int32))


def u_shape() -> Mesh:
    """Return a U of 3 m, 2 m high, its opening 2.6 m wide; its sides lean, so it is no box."""
    outline = [
        (-1.5, 0),
        (1.5, 0),
        (1.6, 2),
        (1.3, 2),
        (1.3, 0.2),
        (-1.3, 0.2),
        (-1.3, 2),
        (-1.6, 2),
    ]
    fans = [[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4], [0, 5, 6], [0, 6, 7]]
    return prism(outline, fans, 0.4)


def wall_with_door() -> Mesh:
    """Return a wall of 4 m with a door of 1 m by 2 m in it, as one solid."""
    outline = [(-2, 0), (-0.5, 0), (-0.5, 2), (0.5, 2), (0.5, 0), (2, 0), (2, 3), (-2, 3)]
    fans = [[0, 1, 2], [0, 2, 7], [2, 3, 7], [3, 6, 7], [3, 4, 5], [3, 5, 6]]
    return prism(outline, fans, 0.2)


def meets(pieces: list[Geometry], start: list[float], way: list[float], far: float) -> bool:
    hits = Surface(pieces).cast(
        np.array([start], np.float32), np.array([way], np.float32), np.array([far], np.float32)
    )
    return bool(hits.shape[0] >= 0)


def test_ground_becomes_a_height_field_on_the_same_surface() -> None:
    x = np.linspace(0, 6, 41)
    field = HeightField(0.4 * np.sin(x)[:, None] * np.cos(x)[None, :], (12.0, 12.0))
    (made,) = solid(Geometry(heightfield_mesh(field)), static=True)
    assert isinstance(made.shape, HeightField)
    points = np.random.default_rng(1).uniform(-5.8, 5.8, (500, 2))
    want = heightfield_height(field, points[:, 0], points[:, 1])
    local = points - made.pose.position[:2]
    got = heightfield_height(made.shape, local[:, 0], local[:, 1]) + made.pose.position[2]
    np.testing.assert_allclose(got, want, atol=1e-9)


def test_a_ground_written_inside_out_is_the_same_ground() -> None:
    field = HeightField(0.2 * np.random.default_rng(2).random((20, 20)), (8.0, 8.0))
    mesh = heightfield_mesh(field)
    turned = Mesh(mesh.vertices, np.ascontiguousarray(mesh.faces[:, ::-1]))
    (made,) = solid(Geometry(turned), static=True)
    assert isinstance(made.shape, HeightField)
    np.testing.assert_allclose(made.shape.heights, field.heights, atol=1e-9)


def test_floors_above_one_another_are_not_one_ground() -> None:
    field = HeightField(0.1 * np.random.default_rng(3).random((150, 150)), (20.0, 20.0))
    floor = heightfield_mesh(field)
    both = Mesh(
        np.concatenate([floor.vertices, floor.vertices + np.array([0, 0, 3.0])]),
        np.concatenate([floor.faces, floor.faces + len(floor.vertices)]),
    )
    made = solid(Geometry(both), static=True)
    assert [type(piece.shape) for piece in made] == [HeightField, HeightField]
    low, high = sorted(float(piece.shape.heights.mean()) for piece in made)  # type: ignore[union-attr]
    assert high - low == pytest.approx(3.0, abs=0.01)


def test_two_boxes_in_one_mesh_leave_the_gap_between_them_free() -> None:
    both = joined(
        (Box((1.0, 1.0, 1.0)), Pose()), (Box((1.0, 1.0, 1.0)), Pose(np.array([3.0, 0, 0])))
    )
    pieces = solid(Geometry(both), static=True)
    spans = sorted(float(piece.pose.position[0]) for piece in pieces)
    assert [piece.shape for piece in pieces] == [Box((1.0, 1.0, 1.0))] * 2
    assert spans == [0.0, 3.0]


def test_a_tilted_ground_is_judged_as_it_stands_in_the_world() -> None:
    wall = heightfield_mesh(HeightField(np.zeros((3, 3)), (2.0, 2.0)))
    upright = Geometry(wall, Pose.from_rpy([0, 0, 0], [np.pi / 2 + 0.1, 0, 0]))
    assert not isinstance(solid(upright, static=True)[0].shape, HeightField)


@pytest.mark.parametrize("static", [True, False])
def test_other_shapes_stay_as_they_are(static: bool) -> None:
    box = Geometry(Box((1.0, 2.0, 3.0)))
    assert solid(box, static=static) == [box]


@pytest.mark.parametrize("shape", [Box((1.0, 2.0, 3.0)), Sphere(0.1), Cylinder(0.2, 0.7)])
@pytest.mark.parametrize("static", [True, False])
def test_a_mesh_that_is_a_primitive_becomes_one(shape: Shape, static: bool) -> None:
    mesh = tessellate(shape, 96)
    turned = Mesh(ANYWHERE.apply(mesh.vertices), mesh.faces)
    (made,) = solid(Geometry(turned), static=static)
    assert type(made.shape) is type(shape)
    gap, _ = surface_gap(Geometry(turned), [made])
    assert gap < 1e-3


def test_a_cylinder_of_few_sides_stays_the_prism_it_is() -> None:
    mesh = tessellate(Cylinder(0.5, 1.0), 12)
    (made,) = solid(Geometry(mesh), static=False)
    assert isinstance(made.shape, Mesh)


@pytest.mark.parametrize("static", [True, False])
def test_a_wall_with_a_door_becomes_boxes_and_the_door_is_open(static: bool) -> None:
    wall = Geometry(wall_with_door(), ANYWHERE)
    pieces = solid(wall, static=static)
    assert {type(piece.shape) for piece in pieces} == {Box}
    volume = sum(float(np.prod(piece.shape.size)) for piece in pieces)  # type: ignore[union-attr]
    assert volume == pytest.approx((4 * 3 - 1 * 2) * 0.2)
    through, way = ANYWHERE.apply(np.array([0.0, -2.0, 1.0])), ANYWHERE.matrix[:3, 1]
    assert not meets(pieces, through.tolist(), way.tolist(), 4.0)
    beside = ANYWHERE.apply(np.array([1.0, -2.0, 1.0]))
    assert meets(pieces, beside.tolist(), way.tolist(), 4.0)
    assert surface_gap(wall, pieces)[0] < 1e-5


@pytest.mark.parametrize(("static", "limit"), [(True, 5e-4), (False, 0.05)])
def test_nothing_invisible_stands_in_the_opening_of_a_u(static: bool, limit: float) -> None:
    pieces = solid(Geometry(u_shape()), static=static)
    assert not meets(pieces, [0.0, -2.0, 1.0], [0, 1, 0], 4.0)
    assert not meets(pieces, [0.0, 0.0, 3.0], [0, 0, -1], 2.6)
    assert meets(pieces, [0.0, 0.0, 3.0], [0, 0, -1], 3.1)
    assert surface_gap(Geometry(u_shape()), pieces)[0] < limit


def test_a_hole_in_the_ground_is_a_hole() -> None:
    field = heightfield_mesh(HeightField(np.zeros((9, 9)), (8.0, 8.0)))
    middle = field.vertices[field.faces].mean(axis=1)
    holed = Mesh(field.vertices, field.faces[np.abs(middle[:, :2]).max(axis=1) > 1.0])
    pieces = solid(Geometry(holed), static=True)
    assert not meets(pieces, [0.3, 0.2, 1.0], [0, 0, -1], 50.0)
    assert not meets(pieces, [0.99, 0.99, 1.0], [0, 0, -1], 50.0)
    assert meets(pieces, [1.01, 0.5, 1.0], [0, 0, -1], 1.01)
    assert surface_gap(Geometry(holed), pieces)[0] < 1e-5


def test_the_check_finds_a_closed_door_and_says_where() -> None:
    wall = Geometry(wall_with_door())
    closed = Geometry(Box((4.0, 0.2, 3.0)), Pose(np.array([0.0, 0.0, 1.5])))
    gap, where = surface_gap(wall, [closed])
    assert gap == pytest.approx(0.5, abs=0.03)  # the middle of the door is half its width away
    assert abs(where[0]) < 0.1
    assert 0.2 < where[2] < 2.0


def test_the_check_finds_what_can_be_seen_but_not_touched() -> None:
    two = joined((Box((1.0, 1.0, 1.0)), Pose()), (Sphere(0.3), Pose(np.array([3.0, 0, 0]))))
    gap, where = surface_gap(Geometry(two), [Geometry(Box((1.0, 1.0, 1.0)))])
    assert gap == pytest.approx(3.0 + 0.3 - 0.5, abs=0.05)
    assert where[0] > 3.0


def test_what_is_found_is_kept_and_equal_things_elsewhere_need_no_new_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = solid(Geometry(u_shape(), Pose(np.array([1.0, 2.0, 0.0]))), static=True)
    monkeypatch.setattr(
        "outrider.physics.colliders.choice.Choice.make", lambda _: pytest.fail("made again")
    )
    turned = Pose.from_rpy([5.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    second = solid(Geometry(u_shape(), turned), static=True)
    assert len(first) == len(second)


def test_foliage_does_not_collide_and_is_told() -> None:
    rng = np.random.default_rng(4)
    leaf = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    corners = np.concatenate([leaf + rng.uniform(-1, 1, 3) + [0, 0, 3] for _ in range(300)])
    trunk = tessellate(Cylinder(0.15, 3.0), 96)
    tree = Mesh(
        np.concatenate([trunk.vertices, corners]),
        np.concatenate([trunk.faces, np.arange(900).reshape(-1, 3) + len(trunk.vertices)]),
    )
    made = colliders(Geometry(tree), static=True)
    assert [type(piece.shape) for piece in made.pieces] == [Cylinder]
    assert made.notes == ("300 small loose sheets (leaves), of up to 0.1 m, do not collide",)


@pytest.mark.parametrize("name", ["obstacle_world", "obstacle_world_ground"])
def test_the_obstacle_course_is_touched_where_it_is_seen(shared_data: Path, name: str) -> None:
    asset = read_mesh_asset(shared_data / "cpr_obstacle_gazebo" / "models" / f"{name}.stl")
    (course,) = (Geometry(part.mesh) for part in asset.parts)
    made = colliders(course, static=True)
    assert made.notes == ()
    assert len(made.pieces) < 300
    assert surface_gap(course, list(made.pieces))[0] < 1e-4
    assert _from_above(course, list(made.pieces)) < 1e-4


def _from_above(course: Geometry, pieces: list[Geometry]) -> float:
    """Return the largest difference of height over a fine grid, away from vertical walls."""
    one, other = Surface([course]), Surface(pieces)
    x, y = np.meshgrid(*(np.linspace(one.low[k] + 0.013, one.high[k] - 0.017, 211) for k in (0, 1)))
    top = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, one.high[2] + 1)])
    down = np.tile(np.array([0, 0, -1], np.float32), (x.size, 1))
    hits = [
        s.cast(top.astype(np.float32), down, np.full(x.size, 99, np.float32)) for s in (one, other)
    ]
    difference: Array = np.abs(hits[0].distance - hits[1].distance)
    return float(np.quantile(difference, 0.999))
