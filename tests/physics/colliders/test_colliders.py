from pathlib import Path

import numpy as np
import pytest

from outrider.core.frames import Array, Pose
from outrider.formats.mesh.asset import read_mesh_asset
from outrider.physics.colliders.gap import surface_gap
from outrider.physics.colliders.shapes import colliders, convex, solid
from outrider.scene.surface import Surface
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Cylinder, Mesh, Shape, Sphere
from outrider.world.tessellate import tessellate

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


def test_two_boxes_in_one_mesh_leave_the_gap_between_them_free() -> None:
    both = joined(
        (Box((1.0, 1.0, 1.0)), Pose()), (Box((1.0, 1.0, 1.0)), Pose(np.array([3.0, 0, 0])))
    )
    pieces = solid(Geometry(both))
    spans = sorted(float(piece.pose.position[0]) for piece in pieces)
    assert [piece.shape for piece in pieces] == [Box((1.0, 1.0, 1.0))] * 2
    assert spans == [0.0, 3.0]


@pytest.mark.parametrize("static", [True, False])
def test_other_shapes_stay_as_they_are(static: bool) -> None:
    box = Geometry(Box((1.0, 2.0, 3.0)))
    assert colliders(box, static=static).pieces == (box,)


@pytest.mark.parametrize("shape", [Box((1.0, 2.0, 3.0)), Sphere(0.1), Cylinder(0.2, 0.7)])
@pytest.mark.parametrize("static", [True, False])
def test_a_mesh_that_is_a_primitive_becomes_one(shape: Shape, static: bool) -> None:
    mesh = tessellate(shape, 96)
    turned = Mesh(ANYWHERE.apply(mesh.vertices), mesh.faces)
    (made,) = convex(Geometry(turned), static=static).pieces
    assert type(made.shape) is type(shape)
    gap, _ = surface_gap(Geometry(turned), [made])
    assert gap < 1e-3


def test_a_cylinder_of_few_sides_stays_the_prism_it_is() -> None:
    mesh = tessellate(Cylinder(0.5, 1.0), 12)
    (made,) = solid(Geometry(mesh))
    assert isinstance(made.shape, Mesh)


@pytest.mark.parametrize("static", [True, False])
def test_a_wall_with_a_door_becomes_boxes_and_the_door_is_open(static: bool) -> None:
    wall = Geometry(wall_with_door(), ANYWHERE)
    pieces = list(convex(wall, static=static).pieces)
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
    pieces = list(convex(Geometry(u_shape()), static=static).pieces)
    assert not meets(pieces, [0.0, -2.0, 1.0], [0, 1, 0], 4.0)
    assert not meets(pieces, [0.0, 0.0, 3.0], [0, 0, -1], 2.6)
    assert meets(pieces, [0.0, 0.0, 3.0], [0, 0, -1], 3.1)
    assert surface_gap(Geometry(u_shape()), pieces)[0] < limit


def test_what_never_moves_collides_as_it_is() -> None:
    wall = Geometry(wall_with_door(), ANYWHERE)
    assert colliders(wall, static=True).pieces == (wall,)


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
    first = solid(Geometry(u_shape(), Pose(np.array([1.0, 2.0, 0.0]))))
    monkeypatch.setattr(
        "outrider.physics.colliders.choice.ColliderChoice.make", lambda _: pytest.fail("made again")
    )
    turned = Pose.from_rpy([5.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    second = solid(Geometry(u_shape(), turned))
    assert len(first) == len(second)


@pytest.mark.parametrize("name", ["obstacle_world", "obstacle_world_ground"])
def test_the_obstacle_course_is_touched_where_it_is_seen(shared_data: Path, name: str) -> None:
    asset = read_mesh_asset(shared_data / "cpr_obstacle_gazebo" / "models" / f"{name}.stl")
    (course,) = (Geometry(part.mesh) for part in asset.parts)
    made = convex(course, static=True)
    assert made.notes == ()
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
