"""Floors to drive on: tiles, carpet, wood, concrete, a track of lanes; and mazes on them."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.seeds import generator
from outrider.props.finishes import finish
from outrider.props.indoor import wall_look
from outrider.props.patches import Patch, quads
from outrider.props.prop import Prop
from outrider.props.solids import Boxes, seen, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.lanes import SIZE, lanes
from outrider.props.textures.masonry import asphalt, carpet, concrete, tiles
from outrider.props.textures.recipe import Recipe
from outrider.props.textures.wood import boards

DEEP = 0.2  # m of floor below z = 0
LOOKS: dict[str, tuple[Recipe[...], tuple[object, ...], float]] = {
    "tiles": (tiles, (), 2.0),
    "chequered": (tiles, ((0.9, 0.9, 0.88), 4, (0.08, 0.08, 0.09)), 2.0),
    "carpet": (carpet, (), 1.5),
    "wood": (boards, ((0.60, 0.44, 0.28), 8, 0.1), 1.6),
    "concrete": (concrete, ((0.58, 0.57, 0.55), 1), 3.0),
    "asphalt": (asphalt, (), 3.0),
}


def floor(
    seed: int,
    *,
    size: tuple[float, float] = (10.0, 10.0),
    look: str = "tiles",
    friction: float = 0.8,
    cell: float = 2.0,
) -> Prop:
    """Return a level floor with its top at z = 0."""
    if look not in LOOKS:
        raise ValueError(f"look must be one of {', '.join(LOOKS)}, got '{look}'")
    if min(size) <= 0 or cell <= 0 or friction < 0:
        raise ValueError("a floor's sizes are above 0 and its friction not below")
    draw, arguments, metres = LOOKS[look]
    image = texture(draw, *arguments, seed=seed % 4)
    surface = finish("concrete", image, friction=friction)
    solid = solid_box((*size, DEEP), (0, 0, -DEEP / 2), surface)
    return Prop((seen([_grid(size, cell, (metres, metres))], surface),), (solid,))


def lane_track(seed: int, *, friction: float = 1.34) -> Prop:
    """Return a floor of 4.3 x 6 m with two lanes of 0.32 m and lines of 2 cm on it."""
    surface = finish("plastic", texture(lanes, seed=seed), friction=friction)
    x, y = SIZE[0] / 2, SIZE[1] / 2
    corners = [[[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]]]
    mat = quads(corners, [[[0, 0], [1, 0], [1, 1], [0, 1]]])
    return Prop((seen([mat], surface),), (solid_box((*SIZE, DEEP), (0, 0, -DEEP / 2), surface),))


def maze(
    seed: int,
    *,
    columns: int = 8,
    rows: int = 8,
    cell: float = 1.5,
    height: float = 0.8,
    thickness: float = 0.1,
    look: str = "wood",
) -> Prop:
    """Return a maze of one cell wide ways, each place reached by one way only, centred."""
    if not (2 <= columns <= 60 and 2 <= rows <= 60) or min(cell, height, thickness) <= 0:
        raise ValueError("a maze has 2 to 60 columns and rows, and sizes above 0")
    right, up = _carved(generator(seed, "maze"), columns, rows)
    parts = Boxes(wall_look(look, (0.72, 0.58, 0.40), seed), 1.5)
    corner = np.array([-columns * cell / 2, -rows * cell / 2])
    for i, first, last in _runs(right):
        x, y = corner + np.array([i * cell, (first + last) / 2 * cell])
        parts.add((thickness, (last - first) * cell + thickness, height), (x, y, height / 2))
    for j, first, last in _runs(up):
        x, y = corner + np.array([(first + last) / 2 * cell, j * cell])
        parts.add(((last - first) * cell - thickness, thickness, height), (x, y, height / 2))
    return Prop((parts.seen(),), tuple(parts.colliders))


def _carved(
    random: np.random.Generator, columns: int, rows: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where walls stand across x (columns + 1, rows) and across y (rows + 1, columns)."""
    right, up = np.ones((columns + 1, rows), bool), np.ones((rows + 1, columns), bool)
    seen_cells = np.zeros((columns, rows), bool)
    way = [(columns // 2, rows // 2)]
    seen_cells[way[0]] = True
    while way:
        x, y = way[-1]
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        near = [
            (i, j) for i, j in near if 0 <= i < columns and 0 <= j < rows and not seen_cells[i, j]
        ]
        if not near:
            way.pop()
            continue
        i, j = near[int(random.integers(len(near)))]
        if i != x:
            right[max(i, x), y] = False
        else:
            up[max(j, y), x] = False
        seen_cells[i, j] = True
        way.append((i, j))
    right[0, 0] = right[-1, -1] = False  # the way in and the way out
    return right, up


def _runs(walls: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return rows of walls that stand in one line as (line, first, last)."""
    found = []
    for line, row in enumerate(walls):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        found += [(line, int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return found


def _grid(size: tuple[float, float], cell: float, metres: tuple[float, float]) -> Patch:
    """Return a level grid of squares, its image laid from its corner."""
    n_x, n_y = (max(1, round(length / cell)) for length in size)
    x, y = np.linspace(0, size[0], n_x + 1), np.linspace(0, size[1], n_y + 1)
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    corners = np.stack([places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]], axis=2)
    flat = corners.reshape(-1, 4, 2)
    points = np.concatenate([flat - np.array(size) / 2, np.zeros((len(flat), 4, 1))], axis=2)
    return quads(points, flat / np.array(metres))
