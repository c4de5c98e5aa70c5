"""A campus building: brick storeys with windows, doors, a flat roof behind a parapet."""

import numpy as np

from outrider.props.finishes import finish
from outrider.props.patches import Patch, box, wall
from outrider.props.prop import Prop
from outrider.props.solids import seen, solid_box
from outrider.props.textures.facade import entrance, facade, roofing
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import concrete

BAY, STOREY = 8.0, 4.0  # m that one image covers: two bays, one storey
BRICKS = ((0.56, 0.27, 0.19), (0.62, 0.36, 0.24), (0.66, 0.50, 0.36), (0.50, 0.24, 0.20))
SUNK = 1.5  # m below the ground, so that a slope leaves no gap
CELL = 8.0  # m: walls are cut into squares of that size at most


def building(
    seed: int,
    *,
    size: tuple[float, float] = (40.0, 18.0),
    storeys: int = 3,
    doors: tuple[float, ...] = (0.0,),
    cell: float = CELL,
) -> Prop:
    """Return a building with its front at -y; ``doors`` are x of its entrances."""
    width, depth = size
    if min(size) < 4 or not 1 <= storeys <= 40 or cell <= 0:
        raise ValueError("a building is at least 4 m wide and deep and has 1 to 40 storeys")
    height = storeys * STOREY
    colour = BRICKS[seed % len(BRICKS)]
    brick = finish("brick", texture(facade, colour, seed=seed % 8))
    stone = finish("concrete", texture(concrete, (0.74, 0.72, 0.67)))
    flat = finish("concrete", texture(roofing))
    glass = finish("glass", texture(entrance))
    walls = _walls(width, depth, height, cell)
    roof = [wall(_level(width, depth, height), 4.0)]
    body = solid_box((width, depth, height + SUNK), (0, 0, (height - SUNK) / 2), brick)
    porches = [box((4.6, 1.8, 0.3), (x, -depth / 2 - 0.9, 3.3), 2.0) for x in doors]
    posts = [
        box((0.3, 0.3, 3.3 + SUNK), (x + s * 2.0, -depth / 2 - 1.55, 1.575 - SUNK / 2), 2.0)
        for x in doors
        for s in (-1, 1)
    ]
    solid_posts = [
        solid_box((0.3, 0.3, 3.2), (x + s * 2.0, -depth / 2 - 1.55, 1.6), stone)
        for x in doors
        for s in (-1, 1)
    ]
    solid_porches = [solid_box((4.6, 1.8, 0.3), (x, -depth / 2 - 0.9, 3.3), stone) for x in doors]
    stones = [*_parapet(width, depth, height), *porches, *posts]
    visuals = [seen(walls, brick), seen(stones, stone), seen(roof, flat)]
    if doors:
        visuals.append(seen([_door(x, depth) for x in doors], glass))
    return Prop(tuple(visuals), (body, *solid_posts, *solid_porches))


def _door(x: float, depth: float) -> Patch:
    y = -depth / 2 - 0.03
    corners = [[x - 1.4, y, -0.3], [x + 1.4, y, -0.3], [x + 1.4, y, 2.8], [x - 1.4, y, 2.8]]
    return wall(corners, (2.8, 3.1))


def _walls(width: float, depth: float, height: float, cell: float) -> list[Patch]:
    """Return the four walls, cut into a grid so that far and near parts are small."""
    x, y = width / 2, depth / 2
    ends = [((-x, -y), (x, -y)), ((x, -y), (x, y)), ((x, y), (-x, y)), ((-x, y), (-x, -y))]
    return [piece for start, end in ends for piece in _wall(start, end, height, cell)]


def _wall(
    start: tuple[float, float], end: tuple[float, float], height: float, cell: float
) -> list[Patch]:
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    bays = max(1, round(length / BAY * 2)) / 2  # whole bays: no window is cut
    across, up = max(1, round(length / cell)), max(1, round(height / cell))
    t = np.linspace(0, 1, across + 1)
    levels = np.linspace(0, height, up + 1)
    levels[0] = -SUNK
    points = np.asarray(start) + t[:, None] * (np.asarray(end) - np.asarray(start))
    grid = np.concatenate(
        [np.repeat(points[:, None], up + 1, 1), np.tile(levels[:, None], (across + 1, 1, 1))], -1
    )
    uv = np.stack(np.broadcast_arrays((t * bays)[:, None], levels / STOREY), axis=-1)
    i, j = (k.ravel() for k in np.meshgrid(np.arange(across), np.arange(up), indexing="ij"))
    first = i * (up + 1) + j
    a, b, c, d = first, first + up + 1, first + up + 2, first + 1
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)
    return [Patch(grid.reshape(-1, 3), faces, uv.reshape(-1, 2))]


def _level(width: float, depth: float, z: float) -> list[list[float]]:
    x, y = width / 2, depth / 2
    return [[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]]


def _parapet(width: float, depth: float, height: float) -> list[Patch]:
    z = height + 0.25
    long = [box((width + 0.3, 0.4, 0.9), (0, s * depth / 2, z), 2.0) for s in (-1, 1)]
    return long + [box((0.4, depth + 0.3, 0.9), (s * width / 2, 0, z), 2.0) for s in (-1, 1)]
