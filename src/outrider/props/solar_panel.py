"""A solar panel unit: a tilted table of modules on posts, with the frame behind them."""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.props.finishes import finish
from outrider.props.patches import Patch, box, quads, rotation_x
from outrider.props.prop import Prop
from outrider.props.solids import seen, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.metal import painted, solar_cells

GREY = (0.66, 0.67, 0.69)


def solar_panel(
    seed: int,
    *,
    size: tuple[float, float, float] = (6.2, 3.5, 2.8),
    tilt_deg: float = 35.0,
    columns: int = 6,
    rows: int = 2,
) -> Prop:
    """Return a unit that faces -y: so wide along x, deep along y and high."""
    width, depth, height = size
    tilt = math.radians(tilt_deg)
    slant = min(depth / math.cos(tilt), (height - 0.3) / math.sin(tilt))
    if slant <= 0.5 or width <= 0 or not 1 <= columns * rows <= 400:
        raise ValueError("a panel needs a width, room under its height and 1 to 400 modules")
    middle = np.array([0.0, 0.0, height - slant / 2 * math.sin(tilt)])
    matrix = rotation_x(tilt)
    metal = finish("steel", texture(painted, GREY, 0.3))
    glass = finish("glass", texture(solar_cells, 6, 10, seed=seed % 4))
    table = box((width, slant, 0.05), (0, 0, -0.03), 1.0).rotated(matrix).moved(middle)
    bars = [table, *_rails(width, slant, matrix, middle), *_posts(width, slant, tilt, middle)]
    colliders = [solid_box((width, slant, 0.08), middle, glass, (tilt, 0, 0))]
    colliders += [
        solid_box((0.12, 0.12, top + 0.5), (x, y, top / 2 - 0.25), metal)
        for x, y, top in _feet(width, slant, tilt, middle)
    ]
    cells = _modules(width, slant, columns, rows).rotated(matrix).moved(middle)
    return Prop((seen([cells], glass), seen(bars, metal)), tuple(colliders))


def _modules(width: float, slant: float, columns: int, rows: int) -> Patch:
    """Return the modules as quads with a small gap between them, each with the whole image."""
    x = (np.arange(columns) + 0.5) / columns * width - width / 2
    y = (np.arange(rows) + 0.5) / rows * slant - slant / 2
    middle = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 1, 2)
    half = np.array([width / columns / 2 - 0.01, slant / rows / 2 - 0.01])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = np.concatenate(
        [middle + signs * half, np.full((columns * rows, 4, 1), 0.012)], axis=-1
    )
    return quads(corners, [[[0, 0], [1, 0], [1, 1], [0, 1]]])


def _rails(width: float, slant: float, matrix: Array, middle: Array) -> list[Patch]:
    """Return two long bars under the table."""
    bar = (width * 0.98, 0.08, 0.1)
    return [
        box(bar, (0, side * slant / 4, -0.11), 1.0, ("-x", "+x", "+z"))
        .rotated(matrix)
        .moved(middle)
        for side in (-1, 1)
    ]


def _feet(
    width: float, slant: float, tilt: float, middle: Array
) -> list[tuple[float, float, float]]:
    """Return x, y and top of each post: three in front, three behind."""
    feet = []
    for side in (-1, 1):
        y = side * slant / 4 * math.cos(tilt)
        top = float(middle[2]) + side * slant / 4 * math.sin(tilt) - 0.15
        feet += [(x * width, y, top) for x in (-0.38, 0.0, 0.38)]
    return feet


def _posts(width: float, slant: float, tilt: float, middle: Array) -> list[Patch]:
    return [
        box((0.12, 0.12, top + 0.5), (x, y, top / 2 - 0.25), 1.0, ("-z", "+z"))
        for x, y, top in _feet(width, slant, tilt, middle)
    ]
