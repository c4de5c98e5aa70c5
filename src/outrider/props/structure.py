"""Structures to drive over and through: a wooden bridge, abutments, a culvert."""

import math
from itertools import pairwise

import numpy as np

from outrider.core.frames import Array
from outrider.props.finishes import finish
from outrider.props.patches import Patch, quads
from outrider.props.prop import Prop
from outrider.props.solids import Boxes, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import concrete
from outrider.props.textures.wood import boards
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

_WING_END = 0.35  # m above the floor: how high a tunnel's wing walls end
_SIX_SIDES = np.array(  # of a block whose corners are one face's and then the opposite one's
    [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
)
_HULL = np.concatenate([_SIX_SIDES[:, [0, 1, 2]], _SIX_SIDES[:, [0, 2, 3]]]).astype(np.int32)


def bridge(
    seed: int, *, length: float = 14.0, width: float = 3.9, rail: float = 1.1, planks: bool = True
) -> Prop:
    """Return a wooden bridge along x whose deck is at z = 0, with railings at both sides."""
    if min(length, width, rail) <= 0:
        raise ValueError("a bridge's sizes are above 0")
    wood = finish("wood", texture(boards, (0.50, 0.40, 0.29), 8, 1.0, seed=seed))
    parts = Boxes(wood, (2.0, 2.0))
    parts.add((length, width, 0.12), (0, 0, -0.06))
    for side in (-1, 0, 1):
        parts.add((length, 0.25, 0.4), (0, side * (width / 2 - 0.3), -0.32), ("+z",))
    posts = max(2, round(length / 2.0) + 1)
    for side in (-1, 1):
        y = side * (width / 2 - 0.08)
        for x in np.linspace(-length / 2 + 0.1, length / 2 - 0.1, posts):
            parts.add((0.14, 0.14, rail), (x, y, rail / 2), ("-z",))
        for z in (rail * 0.5, rail - 0.04):
            parts.add((length, 0.06, 0.14), (0, y, z))
        if planks:
            parts.add((length, 0.1, 0.12), (0, y, 0.06), ("-z",))
    return Prop((parts.seen(),), tuple(parts.colliders))


def abutment(seed: int, *, size: tuple[float, float, float] = (2.7, 2.9, 0.8)) -> Prop:
    """Return a concrete block whose top is at its height above z = 0."""
    x, y, z = size
    parts = Boxes(finish("concrete", texture(concrete, seed=seed % 4)), 2.0)
    parts.add((x, y, z + 1.0), (0, 0, z / 2 - 0.5))
    return Prop((parts.seen(),), tuple(parts.colliders))


def culvert(
    seed: int,
    *,
    length: float = 8.0,
    width: float = 3.0,
    height: float = 2.6,
    sides: int = 16,
    roof: float = 0.3,
    square: bool = False,
    wings: float = 0.0,
) -> Prop:
    """Return a tunnel along x: upright walls and a round vault, of concrete, open at both ends.

    From outside it is round too, or ``square``: a block as high and wide all along. Walls beyond
    its ends, so long, hold the ground back: their tops fall from its own to near the floor.
    """
    if min(length, width, height, roof) <= 0 or wings < 0 or height <= width / 2 or sides < 4:
        raise ValueError("a culvert is higher than half its width and has at least 4 sides")
    grey = finish("concrete", texture(concrete, (0.55, 0.54, 0.52), seed=seed % 4))
    inner, outer = _arch(width / 2, height, sides), _arch(width / 2 + 0.3, height + roof, sides)
    outer = _squared(outer, height - width / 2) if square else outer
    skin = [_swept(inner[::-1], length), _swept(outer, length), *_rims(inner, outer, length)]
    solid = [_segment(a, b, length, grey) for a, b in pairwise(outer)]
    boxes = Boxes(grey)
    boxes.patches += skin
    for wall in _wings(length / 2, wings, width / 2, height + roof) if wings else ():
        faces = wall[_SIX_SIDES]
        along = faces[..., 0] + faces[..., 1]
        boxes.patches.append(quads(faces, np.stack([along, faces[..., 2]], axis=-1) / 2.0))
        solid.append(Geometry(Mesh(wall, _HULL), material=grey))
    return Prop((boxes.seen(),), tuple(solid))


def _arch(half: float, height: float, sides: int) -> Array:
    angle = np.linspace(0, math.pi, sides + 1)
    vault = np.stack([np.cos(angle) * half, height - half + np.sin(angle) * half], axis=1)
    return np.concatenate([[[half, -0.3]], vault, [[-half, -0.3]]])


def _squared(arch: Array, springing: float) -> Array:
    """Return an arch's points moved out to the upright block around it."""
    foot = np.array([0.0, springing])
    out: Array = arch - foot
    half, high = np.abs(out).max(axis=0)
    vault = out[:, 1] > 0
    share = np.minimum(half / np.maximum(np.abs(out[:, 0]), 1e-9), high / out[:, 1].clip(1e-9))
    out[vault] *= share[vault, None]
    out += foot
    return out


def _wings(start: float, long: float, side: float, top: float) -> list[Array]:
    """Return the eight corners of each wall beyond a tunnel's ends."""
    corners = []
    for end in (-1, 1):
        for y in (-side - 0.3, side):
            x = np.array([start, start + long, start + long, start]) * end
            z = np.array([-0.3, -0.3, _WING_END, top])
            thick = (0.0, 0.3)[::end]  # mirrored, its faces still point outward
            corners.append(
                np.concatenate([np.column_stack([x, np.full(4, y + w), z]) for w in thick])
            )
    return corners


def _swept(outline: Array, length: float) -> Patch:
    low, high = outline[:-1], outline[1:]
    half = length / 2
    corners = [
        [[-half, *a], [half, *a], [half, *b], [-half, *b]] for a, b in zip(low, high, strict=True)
    ]
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(high - low, axis=1))]) / 2.0
    long = length / 2.0
    uv = [[[0, u], [long, u], [long, v], [0, v]] for u, v in pairwise(run)]
    return quads(corners, uv)


def _rims(inner: Array, outer: Array, length: float) -> list[Patch]:
    rims = []
    for x, flip in ((length / 2, False), (-length / 2, True)):
        corners = [
            [[x, *inner[k]], [x, *outer[k]], [x, *outer[k + 1]], [x, *inner[k + 1]]]
            for k in range(len(inner) - 1)
        ]
        turned = np.array(corners)[:, [1, 0, 3, 2]] if flip else np.array(corners)
        rims.append(quads(turned, turned[..., 1:] / 2.0))
    return rims


def _segment(a: Array, b: Array, length: float, material: Material) -> Geometry:
    middle, step = (a + b) / 2, b - a
    roll = math.atan2(step[1], step[0])
    inward = np.array([-step[1], step[0]]) / np.linalg.norm(step) * 0.15
    centre = (0.0, *(middle + inward))
    return solid_box(
        (length, float(np.linalg.norm(step)) + 0.05, 0.3), centre, material, (roll, 0, 0)
    )
