"""A barn: red plank walls, white trim, an open door, a gable roof of corrugated iron."""

import math

import numpy as np

from outrider.core.frames import Array
from outrider.props.finishes import finish
from outrider.props.patches import Patch, box, rotation_y, triangle, wall
from outrider.props.prop import Prop
from outrider.props.solids import seen, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.metal import corrugated
from outrider.props.textures.wood import boards
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

RED, WHITE, BROWN = (0.52, 0.13, 0.09), (0.86, 0.85, 0.82), (0.42, 0.32, 0.23)
THICK = 0.2  # m of a wall
OVERHANG = 0.7
PLANKS = (2.0, 4.0)  # m that one image of planks covers


def barn(
    seed: int,
    *,
    size: tuple[float, float, float] = (21.1, 31.6, 13.7),
    eaves: float = 6.1,
    door: tuple[float, float] = (5.0, 4.6),
) -> Prop:
    """Return a barn with its ridge along y, its open door in the wall at +y, closed ones at -y."""
    length, height = size[1], size[2]
    if not 0 < door[1] < eaves < height or door[0] >= size[0]:
        raise ValueError("a barn's door must be lower than its eaves, and these than its ridge")
    half = size[0] / 2 - OVERHANG  # walls stand back under the roof
    deep = length / 2 - OVERHANG / 2
    planks = finish("wood", texture(boards, RED, 8, 1.0, seed=seed))
    trim = finish("wood", texture(boards, WHITE, 4, 0.6, seed=seed))
    doors = finish("wood", texture(boards, BROWN, 8, 0.5, seed=seed))
    iron = finish("steel", texture(corrugated, seed=seed))
    walls = [*_long_walls(half, deep, eaves), *_gables(half, deep, eaves, height, door)]
    return Prop(
        (
            seen(walls, planks),
            seen(_trim(half, deep, eaves, door), trim),
            seen(_doors(deep, door), doors),
            seen(_roof(half, deep, eaves, height), iron),
        ),
        (
            *_solid_walls(half, deep, eaves, door, planks),
            *_solid_gables(half, deep, eaves, height, planks),
            *_solid_roof(half, deep, eaves, height, iron),
        ),
    )


def _long_walls(half: float, deep: float, eaves: float) -> list[Patch]:
    size = (THICK, 2 * deep, eaves + 0.6)
    return [box(size, (side * half, 0, eaves / 2 - 0.3), PLANKS, ("-z",)) for side in (-1, 1)]


def _gables(
    half: float, deep: float, eaves: float, height: float, door: tuple[float, float]
) -> list[Patch]:
    """Return the front with a hole for the door, and the whole back, each with both faces."""
    patches = []
    ridge = height - 0.25
    for y, turned in ((deep, 1.0), (-deep, -1.0)):
        gap = door if turned > 0 else (0.0, 0.0)
        for face in (turned, -turned):
            patches += _gable(y, face, half, eaves, ridge, gap)
    return patches


def _gable(
    y: float, face: float, half: float, eaves: float, ridge: float, gap: tuple[float, float]
) -> list[Patch]:
    """Return one face of a gable wall, towards +y or -y, with a gap in its middle."""
    low = -0.6
    strips = [(-half, -gap[0] / 2, low, eaves), (gap[0] / 2, half, low, eaves)]
    if gap[0] > 0:
        strips.append((-gap[0] / 2, gap[0] / 2, gap[1], eaves))
    patches = [wall(_upright(x0, x1, z0, z1, y, face), PLANKS) for x0, x1, z0, z1 in strips]
    tip = np.array([[-half, y, eaves], [half, y, eaves], [0.0, y, ridge]])
    return [*patches, triangle(tip if face < 0 else tip[[1, 0, 2]], PLANKS)]


def _upright(x0: float, x1: float, z0: float, z1: float, y: float, face: float) -> Array:
    corners = np.array([[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]])
    return corners if face < 0 else corners[[1, 0, 3, 2]]


def _trim(half: float, deep: float, eaves: float, door: tuple[float, float]) -> list[Patch]:
    """Return white boards at the corners, under the eaves and around the doors."""
    patches = []
    for x in (-half, half):
        post = box((0.45, 0.45, eaves + 0.6), (x, 0, eaves / 2 - 0.3), PLANKS, ("-z",))
        patches += [post.moved((0, y, 0)) for y in (-deep, deep)]
        patches.append(box((0.3, 2 * deep, 0.35), (x, 0, eaves - 0.15), PLANKS))
    for y in (-deep, deep):
        patches.append(box((2 * half, 0.3, 0.3), (0, y, eaves), PLANKS))
        patches.append(box((door[0] + 0.7, 0.34, 0.35), (0, y, door[1] + 0.17), PLANKS))
        for side in (-1, 1):
            x = side * (door[0] / 2 + 0.17)
            patches.append(box((0.35, 0.34, door[1]), (x, y, door[1] / 2), PLANKS, ("-z",)))
    for y, out in ((deep, 1), (-deep, -1)):  # a loft's hatch with a cross above each door
        patches += _frame(y + out * 0.12, (2.4, 2.0), eaves + 1.9)
    for side in (-1, 1):  # crosses on the door's wings, which stand open, and on the back door
        patches += _frame(deep + 0.16, (door[0] / 2, door[1]), door[1] / 2, side * door[0] * 0.79)
        patches += _frame(-deep - 0.2, (door[0] / 2, door[1]), door[1] / 2, side * door[0] / 4)
    return patches


def _frame(y: float, size: tuple[float, float], z: float, x: float = 0.0) -> list[Patch]:
    """Return a frame with a cross in it, on a wall."""
    width, height = size
    bars = [box((width, 0.1, 0.2), (x, y, z + s * (height / 2 - 0.1)), PLANKS) for s in (-1, 1)]
    bars += [box((0.2, 0.1, height), (x + s * (width / 2 - 0.1), y, z), PLANKS) for s in (-1, 1)]
    tilt = math.atan2(height, width)
    diagonal = box((math.hypot(width, height) - 0.3, 0.08, 0.18), (0, 0, 0), PLANKS)
    for sign in (-1, 1):
        bars.append(diagonal.rotated(rotation_y(sign * tilt)).moved((x, y, z)))
    return bars


def _doors(deep: float, door: tuple[float, float]) -> list[Patch]:
    """Return the wings of the front door, slid open along the wall, and the closed back door."""
    wing = (door[0] / 2, 0.1, door[1])
    front = [box(wing, (s * door[0] * 0.79, deep + 0.1, door[1] / 2), PLANKS) for s in (-1, 1)]
    back = [box(wing, (s * door[0] / 4, -deep - 0.13, door[1] / 2), PLANKS) for s in (-1, 1)]
    return front + back


def _slope(half: float, eaves: float, height: float) -> tuple[float, float, float]:
    """Return a roof side's length down the slope, its angle, and how far below the eaves it is."""
    angle = math.atan2(height - eaves, half)
    drop = OVERHANG * math.tan(angle)
    return math.hypot(half + OVERHANG, height - eaves + drop), angle, drop


def _roof(half: float, deep: float, eaves: float, height: float) -> list[Patch]:
    length, angle, _ = _slope(half, eaves, height)
    plate = box((length, 2 * deep + OVERHANG, 0.12), (0, 0, 0), (3.0, 3.0))
    patches = []
    for side in (-1, 1):
        middle = _roof_middle(side, length, angle, height)
        patches.append(plate.rotated(rotation_y(side * angle)).moved(middle))
    return [*patches, box((0.7, 2 * deep + OVERHANG, 0.12), (0, 0, height - 0.06), (3.0, 3.0))]


def _roof_middle(side: int, length: float, angle: float, height: float) -> Array:
    return np.array(
        [side * length / 2 * math.cos(angle), 0.0, height - 0.06 - length / 2 * math.sin(angle)]
    )


def _solid_roof(
    half: float, deep: float, eaves: float, height: float, material: Material
) -> list[Geometry]:
    length, angle, _ = _slope(half, eaves, height)
    size = (length, 2 * deep + OVERHANG, 0.12)
    return [
        solid_box(size, _roof_middle(s, length, angle, height), material, (0, s * angle, 0))
        for s in (-1, 1)
    ]


def _solid_walls(
    half: float, deep: float, eaves: float, door: tuple[float, float], material: Material
) -> list[Geometry]:
    tall, z = eaves + 0.6, eaves / 2 - 0.3
    walls = [solid_box((THICK, 2 * deep, tall), (s * half, 0, z), material) for s in (-1, 1)]
    walls.append(solid_box((2 * half, THICK, tall), (0, -deep, z), material))
    width = half - door[0] / 2
    for side in (-1, 1):
        x = side * (door[0] / 2 + width / 2)
        walls.append(solid_box((width, THICK, tall), (x, deep, z), material))
        walls += [
            solid_box((0.45, 0.45, tall), (side * half, y, z), material) for y in (-deep, deep)
        ]
        wing = (door[0] / 2, 0.1, door[1])
        walls.append(solid_box(wing, (side * door[0] * 0.79, deep + 0.1, door[1] / 2), material))
        walls.append(solid_box(wing, (side * door[0] / 4, -deep - 0.13, door[1] / 2), material))
    lintel = (door[0], THICK, eaves - door[1])
    walls.append(solid_box(lintel, (0, deep, (eaves + door[1]) / 2), material))
    return walls


def _solid_gables(
    half: float, deep: float, eaves: float, height: float, material: Material
) -> list[Geometry]:
    """Return the two triangles under the roof as thin prisms."""
    ridge = height - 0.25
    outline = np.array([[-half, eaves], [half, eaves], [0.0, ridge]])
    faces = [[0, 1, 2], [5, 4, 3], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]]
    gables = []
    for y in (-deep, deep):
        rims = [np.insert(outline, 1, y + side * THICK / 2, axis=1) for side in (-1, 1)]
        prism = Mesh(np.concatenate(rims), np.array(faces, np.int32))
        gables.append(Geometry(prism, material=material))
    return gables
