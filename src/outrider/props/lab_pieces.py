"""The three pieces of ground of a Husky's lab, one metre square: grass, bumps, gravel.

Sizes and friction as measured from the pieces of Farley et al. (2022); the shapes are our own.
"""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.props.finishes import finish
from outrider.props.patches import Patch, box
from outrider.props.prop import Prop
from outrider.props.solids import seen, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import asphalt
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, shaped
from outrider.props.textures.wood import boards, veneer
from outrider.world.model import Geometry
from outrider.world.shapes import Faces, HeightField

GRASS, BUMPS, GRAVEL = 0.2, 0.95, 0.55  # friction
LAYER = 0.038  # m, of lumber laid flat on plywood whose top is 5 mm high
WIDTH = 0.1
BLOCKS = (  # x, y, length, yaw in degrees, layer; five clusters
    (0.16, -0.34, 0.32, 12.0, 0),
    (0.25, -0.22, 0.32, 10.0, 0),
    (0.21, -0.28, 0.23, 60.0, 1),
    (-0.30, -0.30, 0.23, -20.0, 0),
    (-0.27, -0.18, 0.13, -15.0, 0),
    (-0.29, -0.25, 0.115, 70.0, 1),
    (-0.02, 0.03, 0.18, 75.0, 0),
    (-0.24, 0.20, 0.30, 8.0, 0),
    (-0.21, 0.32, 0.20, 12.0, 0),
    (-0.23, 0.26, 0.135, 80.0, 1),
    (0.25, 0.22, 0.24, -10.0, 0),
    (0.24, 0.34, 0.12, -5.0, 0),
)
MEAN, SPREAD, LOW, HIGH = 0.0458, 0.0206, -0.003, 0.0925  # m, of the gravel's surface
POINTS = 65  # of the gravel along each side
RISE = 1.6  # of the spectrum of the gravel's heights


def lab_grass(seed: int, *, length: float = 1.0) -> Prop:
    """Return artificial grass: a slab 10 mm high."""
    lawn = finish("plastic", texture(_lawn, seed=seed), friction=GRASS)
    size, middle = (length, 1.0, 0.01), (0.0, 0.0, 0.005)
    return Prop((seen([box(size, middle, 1.0)], lawn),), (solid_box(size, middle, lawn),))


def lab_bumps(seed: int) -> Prop:
    """Return plywood with blocks of lumber on it, 43 and 81 mm high, a fifth of it raised."""
    plywood = finish("wood", texture(veneer, (0.74, 0.60, 0.42), seed=seed), friction=BUMPS)
    lumber = finish("wood", texture(boards, (0.70, 0.55, 0.36), 4, 0.2, seed=seed), friction=BUMPS)
    base, middle = (1.0, 1.0, 0.01), (0.0, 0.0, 0.0)
    shown, solid = [], [solid_box(base, middle, plywood)]
    for x, y, length, yaw_deg, layer in BLOCKS:
        size = (length, WIDTH, LAYER)
        at, yaw = (x, y, 0.005 + LAYER * (layer + 0.5)), math.radians(yaw_deg)
        shown.append(box(size, (0, 0, 0), (1.0, 0.4), ("-z",)).moved(at, yaw))
        solid.append(solid_box(size, at, lumber, (0, 0, yaw)))
    return Prop((seen([box(base, middle, 1.0)], plywood), seen(shown, lumber)), tuple(solid))


def lab_gravel(seed: int) -> Prop:
    """Return a rigid surface as rough as gravel, of mean height 46 mm."""
    stones = finish("concrete", texture(asphalt, (0.55, 0.52, 0.48), seed=seed), friction=GRAVEL)
    heights = gravel_heights(seed)
    line = np.linspace(-0.5, 0.5, POINTS)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.stack([x, y, heights], axis=-1).reshape(-1, 3)
    top = Patch(points, _faces(POINTS), points[:, :2].copy())
    skirt = box((1.0, 1.0, 0.05), (0, 0, -0.03), 1.0, ("+z",))
    field = Geometry(HeightField(heights, (1.0, 1.0)), material=stones)
    return Prop((seen([top, skirt], stones),), (field,))


def gravel_heights(seed: int) -> Array:
    """Return heights (n, n) in metres; the last row and column repeat the first."""
    random = generator(seed, "lab gravel")
    wave = shaped(random, (POINTS - 1, POINTS - 1), RISE, (1.0, 1.0))
    wave = np.pad(wave, ((0, 1), (0, 1)), mode="wrap")
    heights: Array = np.clip(MEAN + SPREAD * wave / wave.std(), LOW, HIGH)
    return heights


def _faces(count: int) -> Faces:
    """Return two triangles per cell, split as height fields are."""
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).reshape(-1, 1)
    pair = np.array([0, count, 1, count, count + 1, 1])
    faces: Faces = (corner + pair).reshape(-1, 3).astype(np.int32)
    return faces


@recipe("outrider.props.lab_pieces._lawn")
def _lawn(random: np.random.Generator, side: int = 1024) -> Image:
    """Return short artificial grass from above."""
    shape = (side, side)
    blades = shaped(random, shape, 0.3, (0.6, 1.6))
    light = 0.25 * blades + 0.12 * fractal(random, shape, 0.9)
    return as_pixels(coloured((0.20, 0.42, 0.14), light, 0.12 * fractal(random, shape, 0.6)))
