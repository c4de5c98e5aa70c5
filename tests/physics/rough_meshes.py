"""Static meshes as bad as they come: overhangs, thin sheets, holes, thousands of loose parts."""

from collections.abc import Callable

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.convex import hull
from outrider.world.shapes import Box, HeightField, Mesh
from outrider.world.tessellate import heightfield_mesh, tessellate

SIZE = 12.0  # m a side; a rim of 1 m around each keeps what rolls


def _grid(heights: Array) -> Mesh:
    """Return a basin: a sheet of heights with its rim turned up."""
    raised = heights.copy()
    for k, lift in ((0, 2.5), (1, 1.2)):
        for edge in (raised[k], raised[-1 - k], raised[:, k], raised[:, -1 - k]):
            edge[:] = np.maximum(edge, lift)
    return heightfield_mesh(HeightField(raised, (SIZE, SIZE)))


def rough(random: np.random.Generator) -> Mesh:
    """Return steep random ground of triangles of 20 cm."""
    return _grid(0.35 * random.random((61, 61)))


def overhanging(random: np.random.Generator) -> Mesh:
    """Return rough ground that leans over: slopes of more than 27 degrees hang, none cross.

    The lean is the same everywhere, and what is level at the rim stays, so that no two triangles
    can pass through each other.
    """
    heights = np.zeros((41, 41))
    heights[7:-7, 7:-7] = 0.5 * random.random((27, 27))
    mesh = _grid(heights)
    moved, angle = mesh.vertices.copy(), random.uniform(0, 2 * np.pi)
    inner = np.abs(moved[:, :2]).max(axis=1) < SIZE / 2 - 1.5
    moved[inner, :2] += 2.0 * moved[inner, 2:] * [np.cos(angle), np.sin(angle)]
    return Mesh(moved, mesh.faces)


def crossing(random: np.random.Generator) -> Mesh:
    """Return ground that passes through itself: corners are pushed sideways by more than a cell."""
    mesh = _grid(0.5 * random.random((41, 41)))
    moved = mesh.vertices.copy()
    inner = np.abs(moved[:, :2]).max(axis=1) < SIZE / 2 - 1.5
    moved[inner, :2] += random.uniform(-0.3, 0.3, (int(inner.sum()), 2))
    return Mesh(moved, mesh.faces)


def sheet(random: np.random.Generator) -> Mesh:
    """Return a sheet of no thickness, in few large and slender triangles, written inside out."""
    mesh = _grid(np.repeat(0.4 * random.random((13, 1)), 7, axis=1))
    return Mesh(mesh.vertices, np.ascontiguousarray(mesh.faces[:, ::-1]))


def fine(random: np.random.Generator) -> Mesh:
    """Return ground of triangles of 4 cm, far smaller than what lies on it."""
    x = np.linspace(0, 9, 301)
    waves = 0.2 * np.sin(x)[:, None] * np.cos(1.3 * x)[None, :]
    return _grid(waves + 0.01 * random.random((301, 301)))


def soup(random: np.random.Generator) -> Mesh:
    """Return triangles that share no corner, in any order and any winding."""
    mesh = rough(random)
    faces = random.permutation(mesh.faces)
    turned = random.random(len(faces)) < 0.5
    faces[turned] = faces[turned][:, ::-1]
    corners = mesh.vertices[faces].reshape(-1, 3)
    return Mesh(corners, np.arange(len(corners), dtype=np.int32).reshape(-1, 3))


def loose(random: np.random.Generator) -> Mesh:
    """Return four thousand small boxes in a heap with a wall around it."""
    block = tessellate(Box((0.26, 0.26, 0.12)))
    vertices, faces = [], []
    across = np.arange(-31, 32) * (SIZE / 2 / 32)
    for x in across:
        for y in across:
            turn = random.uniform(-0.6, 0.6, 3)
            far = max(abs(x), abs(y)) - (SIZE / 2 - 1.2)  # the outermost blocks rise to a wall
            z = max(0.0, far) + random.uniform(0, 0.15)
            faces.append(block.faces + len(vertices) * len(block.vertices))
            vertices.append(Pose.from_rpy([x, y, z], turn).apply(block.vertices))
    return Mesh(np.concatenate(vertices), np.concatenate(faces).astype(np.int32))


def _joined(meshes: list[Mesh]) -> Mesh:
    """Return meshes as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return Mesh(np.concatenate([m.vertices for m in meshes]), np.concatenate(faces).astype("i4"))


def _placed(mesh: Mesh, pose: Pose) -> Mesh:
    return Mesh(pose.apply(mesh.vertices), mesh.faces)


def grating(random: np.random.Generator) -> Mesh:
    """Return bars with gaps between them, a metre above a basin."""
    gap, width = random.uniform(0.03, 0.2), random.uniform(0.005, 0.04)
    bar, across = tessellate(Box((width, SIZE, 0.1))), tessellate(Box((SIZE, 0.02, 0.1)))
    half = SIZE / 2
    parts = [_placed(bar, Pose([x, 0, 1])) for x in np.arange(-half, half, gap + width)]
    parts += [_placed(across, Pose([0, y, 1])) for y in np.arange(-half, half, 1.0)]
    return _joined([*parts, _grid(np.zeros((21, 21)))])


def slivers(random: np.random.Generator) -> Mesh:
    """Return sixty thousand loose triangles of 0.1 mm width in a basin, pointing anywhere."""
    count = 60_000
    middle = random.uniform(-0.5, 0.5, (count, 3)) * [SIZE, SIZE, 0.3] + [0, 0, 0.15]
    along, aside = random.normal(size=(2, count, 3))
    along *= random.uniform(0.05, 0.2, (count, 1)) / np.linalg.norm(along, axis=1, keepdims=True)
    aside = np.cross(along, aside)
    aside *= 1e-4 / np.linalg.norm(aside, axis=1, keepdims=True)
    corners = np.stack([middle - along, middle + along, middle + aside], axis=1).reshape(-1, 3)
    loose_ones = Mesh(corners, np.arange(3 * count, dtype=np.int32).reshape(-1, 3))
    return _joined([loose_ones, _grid(np.zeros((21, 21)))])


def stones(random: np.random.Generator) -> Mesh:
    """Return three thousand stones in a basin, most of them in others."""
    parts, inside = [_grid(np.zeros((21, 21)))], SIZE / 2 - 0.3
    for _ in range(3000):
        points = random.normal(size=(12, 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        stone = hull(points * random.uniform(0.06, 0.25, 3))
        assert stone is not None
        x, y = random.uniform(-inside, inside, 2)
        parts.append(_placed(stone, Pose([x, y, random.uniform(0, 0.3)])))
    return _joined(parts)


def holed(random: np.random.Generator) -> Mesh:
    """Return a rough sheet of which a quarter is missing, over a basin."""
    whole = _grid(0.1 * random.random((49, 49)))
    faces = whole.faces[random.random(len(whole.faces)) < 0.75]
    return _joined(
        [_placed(Mesh(whole.vertices, faces), Pose([0, 0, 0.6])), _grid(np.zeros((21, 21)))]
    )


def pipes(random: np.random.Generator) -> Mesh:
    """Return pipes of no thickness, open at both ends, heaped in a basin."""
    sides = 24
    angle, near = np.arange(sides) * (2 * np.pi / sides), np.arange(sides)
    after = (near + 1) % sides
    faces = np.concatenate(
        [
            np.column_stack([near, after, sides + after]),
            np.column_stack([near, sides + after, sides + near]),
        ]
    )
    parts = [_grid(np.zeros((21, 21)))]
    for _ in range(40):
        (x, y), radius, length = random.uniform(-4, 4, 2), *random.uniform([0.1, 0.6], [0.6, 2.5])
        ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle])
        pipe = Mesh(np.concatenate([ring, ring + np.array([0, 0, length])]), faces.astype(np.int32))
        turn = random.uniform(0, 3, 3)
        parts.append(_placed(pipe, Pose.from_rpy([x, y, radius + random.uniform(0, 0.4)], turn)))
    return _joined(parts)


MESHES: dict[str, Callable[[np.random.Generator], Mesh]] = {
    "rough": rough,
    "overhanging": overhanging,
    "crossing": crossing,
    "sheet": sheet,
    "fine": fine,
    "soup": soup,
    "loose": loose,
    "grating": grating,
    "slivers": slivers,
    "stones": stones,
    "holed": holed,
    "pipes": pipes,
}
