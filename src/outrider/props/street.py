"""Outdoor objects: lamps, benches, barriers, hydrants, dumpsters, cones, barrels."""

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.props.finishes import finish
from outrider.props.patches import Patch, box, joined, lathe, quads, rotation_y, tube
from outrider.props.prop import Prop
from outrider.props.solids import Boxes, seen, solid_box, solid_cylinder
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import concrete
from outrider.props.textures.metal import painted, striped
from outrider.props.textures.wood import boards
from outrider.world.model import Geometry
from outrider.world.shapes import Cone, Cylinder

ORANGE, WHITE, RED = (0.95, 0.38, 0.08), (0.92, 0.92, 0.90), (0.72, 0.10, 0.08)


def lamp_post(seed: int, *, height: float = 4.5, sides: int = 10) -> Prop:
    """Return a black post with a lantern."""
    if height < 1 or not 3 <= sides <= 64:
        raise ValueError("a lamp post is at least 1 m high and has 3 to 64 sides")
    black = finish("steel", texture(painted, (0.10, 0.10, 0.11), 0.4, seed=seed))
    light = finish("glass", colour=(0.95, 0.92, 0.80))
    top = height - 0.75
    post = lathe(
        [(0.0, -0.1), (0.16, -0.1), (0.16, 0.12), (0.085, 0.3), (0.06, top), (0.13, top + 0.08)],
        sides,
    )
    hat = lathe([(0.2, height - 0.2), (0.24, height - 0.17), (0.04, height), (0.0, height)], sides)
    lantern = lathe([(0.11, top + 0.08), (0.19, height - 0.2)], sides)
    return Prop(
        (seen([post, hat], black), seen([lantern], light)),
        (solid_cylinder(0.08, height, (0, 0, height / 2), black),),
    )


def bench(seed: int, *, length: float = 1.8) -> Prop:
    """Return a park bench that faces +x."""
    if length <= 0.3:
        raise ValueError("a bench is longer than 0.3 m")
    wood = Boxes(finish("wood", texture(boards, (0.50, 0.34, 0.20), 4, 0.4, seed=seed)), (1.0, 1.0))
    iron = Boxes(finish("steel", texture(painted, (0.15, 0.16, 0.16), 0.5)))
    for k in range(3):
        wood.add((0.13, length, 0.035), (0.06 + 0.15 * k, 0.0, 0.44))
    for k in range(2):
        wood.add((0.035, length, 0.14), (-0.06, 0.0, 0.60 + 0.19 * k))
    for side in (-1, 1):
        y = side * (length / 2 - 0.15)
        iron.add((0.06, 0.06, 0.90), (-0.03, y, 0.42), ("-z",))
        iron.add((0.06, 0.06, 0.44), (0.36, y, 0.19), ("-z",))
        iron.add((0.42, 0.06, 0.05), (0.17, y, 0.40))
    return Prop((wood.seen(), iron.seen()), (*wood.colliders, *iron.colliders))


def jersey_barrier(seed: int, *, length: float = 4.065) -> Prop:
    """Return a concrete barrier along x, of the playpen's profile."""
    if length <= 0.2:
        raise ValueError("a barrier is longer than 0.2 m")
    grey = finish("concrete", texture(concrete, (0.66, 0.65, 0.62), seed=seed % 4))
    outline = np.array(
        [
            (-0.4055, 0.0),
            (-0.4055, 0.0645),
            (-0.2, 0.29),
            (-0.11, 1.143),
            (0.11, 1.143),
            (0.2, 0.29),
            (0.4055, 0.0645),
            (0.4055, 0.0),
        ]
    )
    slabs = ((0.811, 0.0, 0.0645), (0.60, 0.0645, 0.177), (0.40, 0.177, 0.29), (0.306, 0.29, 1.143))
    colliders = [
        solid_box((length, width, high - low), (0, 0, (low + high) / 2), grey)
        for width, low, high in slabs
    ]
    return Prop((seen(_extruded(outline, length, 2.0), grey),), tuple(colliders))


def _extruded(outline: Array, length: float, metres: float) -> list[Patch]:
    """Return the surface that an outline (n, 2) of y and z sweeps along x, and its two ends."""
    low, high = outline[:-1], outline[1:]
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(high - low, axis=1))]) / metres
    half, long = length / 2, length / metres
    corners, uv = [], []
    for k, (a, b) in enumerate(zip(low, high, strict=True)):
        corners.append([[half, *a], [-half, *a], [-half, *b], [half, *b]])
        uv.append([[0, run[k]], [long, run[k]], [long, run[k + 1]], [0, run[k + 1]]])
    sides = quads(corners, uv)
    fan = np.array([[0, k, k + 1] for k in range(1, len(outline) - 1)], np.int32)
    ends = []
    for x, faces in ((half, fan[:, ::-1]), (-half, fan)):
        points = np.column_stack([np.full(len(outline), x), outline])
        ends.append(Patch(points, np.ascontiguousarray(faces), outline / metres))
    return [sides, *ends]


def hydrant(seed: int, *, sides: int = 14) -> Prop:
    """Return a red fire hydrant, 0.75 m high."""
    red = finish("steel", texture(painted, RED, 1.2, seed=seed))
    body = lathe(
        [
            (0.0, 0.0),
            (0.19, 0.0),
            (0.19, 0.05),
            (0.13, 0.06),
            (0.12, 0.52),
            (0.16, 0.53),
            (0.16, 0.57),
            (0.13, 0.60),
            (0.10, 0.68),
            (0.035, 0.71),
            (0.035, 0.75),
            (0.0, 0.75),
        ],
        sides,
        (0.4, 0.4),
    )
    arms = tube([[0.0, -0.2, 0.42], [0.0, 0.2, 0.42]], 0.065, 10, (0.4, 0.4), (True, True))
    front = tube([[0.0, 0.0, 0.36], [0.2, 0.0, 0.36]], 0.08, 10, (0.4, 0.4), (False, True))
    return Prop(
        (seen([body, arms, front], red),),
        (
            solid_cylinder(0.19, 0.05, (0, 0, 0.025), red),
            solid_cylinder(0.13, 0.7, (0, 0, 0.4), red),
            solid_box((0.13, 0.4, 0.13), (0, 0, 0.42), red),
            solid_box((0.2, 0.16, 0.16), (0.1, 0, 0.36), red),
        ),
    )


def dumpster(seed: int, *, size: tuple[float, float, float] = (1.85, 1.1, 1.25)) -> Prop:
    """Return a green steel container with sloping front, ribs and two lids."""
    x, y, z = size
    if min(size) <= 0.3:
        raise ValueError("a dumpster is larger than 0.3 m")
    green = finish("steel", texture(painted, (0.10, 0.30, 0.18), 1.6, seed=seed))
    dark = finish("plastic", texture(painted, (0.10, 0.11, 0.11), 0.4))
    hull = Boxes(green, 1.2)
    hull.add((x, y, z * 0.86), (0, 0, z * 0.43 + 0.06))
    for rib in np.linspace(-0.4, 0.4, 5):
        hull.add((0.06, y + 0.06, z * 0.7), (rib * x, 0, z * 0.42))
    hull.add((x + 0.06, y + 0.08, 0.08), (0, 0, z * 0.86))
    lids = Boxes(dark, 1.2)
    for side in (-1, 1):
        lids.add((x * 0.49, y * 1.02, 0.06), (side * x * 0.25, 0, z * 0.94))
    for side in (-1, 1):
        hull.add((0.2, y * 0.6, 0.1), (side * (x / 2 + 0.09), 0, z * 0.6))
    return Prop((hull.seen(), lids.seen()), (*hull.colliders, *lids.colliders))


def cone(seed: int, *, height: float = 0.7, sides: int = 16) -> Prop:
    """Return a traffic cone on its square foot."""
    if height <= 0:
        raise ValueError("a cone's height is above 0")
    skin = finish("plastic", texture(striped, ORANGE, WHITE, 2, seed=seed % 4))
    foot = finish("plastic", colour=(0.13, 0.13, 0.13))
    radius, base = 0.19 * height, 0.52 * height
    shell = lathe([(radius, 0.04 * height), (0.03 * height, height), (0.0, height)], sides)
    places = np.column_stack([shell.uv[:, 0], shell.vertices[:, 2] / height])
    plate = box((base, base, 0.05 * height), (0, 0, 0.025 * height))
    body = Geometry(Cone(radius, height), Pose(np.array([0.0, 0.0, height / 2])), skin)
    return Prop(
        (seen([Patch(shell.vertices, shell.faces, places)], skin), seen([plate], foot)),
        (body, solid_box((base, base, 0.05 * height), (0, 0, 0.025 * height), foot)),
    )


def barrel(
    seed: int,
    *,
    height: float = 0.95,
    radius: float = 0.29,
    striped_bands: bool = True,
    sides: int = 18,
) -> Prop:
    """Return a construction barrel with bands, or a plain steel drum with ribs."""
    if min(height, radius) <= 0:
        raise ValueError("a barrel's height and radius are above 0")
    image = (
        texture(striped, ORANGE, WHITE, 3, seed=seed % 4)
        if striped_bands
        else texture(painted, (0.12, 0.24, 0.42), 2.0, seed=seed % 4)
    )
    skin = finish("plastic" if striped_bands else "steel", image)
    rings = [(0.0, 0.0), (radius, 0.0)]
    for k in (1, 2):
        z = height * k / 3
        rings += [(radius * 0.97, z - 0.03), (radius, z), (radius * 0.97, z + 0.03)]
    shell = lathe([*rings, (radius, height), (0.0, height)], sides)
    places = np.column_stack([shell.uv[:, 0], shell.vertices[:, 2] / height])
    solid = Geometry(Cylinder(radius, height), Pose(np.array([0.0, 0.0, height / 2])), skin)
    return Prop((seen([Patch(shell.vertices, shell.faces, places)], skin),), (solid,))


def dock(seed: int) -> Prop:
    """Return a charging dock: a plate to drive on, a pillar with contacts, a sign."""
    del seed
    grey = Boxes(finish("plastic", texture(painted, (0.80, 0.80, 0.78), 0.2)))
    yellow = Boxes(
        finish("plastic", texture(striped, (0.95, 0.75, 0.10), (0.12, 0.12, 0.12), 4)), 0.5
    )
    grey.add((0.30, 0.70, 0.95), (-0.35, 0.0, 0.475), ("-z",))
    grey.add((0.05, 0.40, 0.10), (-0.18, 0.0, 0.22))
    yellow.add((0.02, 0.60, 0.18), (-0.19, 0.0, 0.80))
    plate = joined([box((0.5, 0.7, 0.012), (0.05, 0.0, 0.006), 0.5)])
    ramp = seen([plate], yellow.material)
    solid = solid_box((0.5, 0.7, 0.012), (0.05, 0.0, 0.006), yellow.material)
    return Prop((grey.seen(), yellow.seen(), ramp), (*grey.colliders, *yellow.colliders, solid))


def fountain(seed: int, *, radius: float = 5.0, sides: int = 40) -> Prop:
    """Return a round basin with water and a pillar with two bowls."""
    if radius < 1.5:
        raise ValueError("a fountain's radius is at least 1.5 m")
    stone = finish("concrete", texture(concrete, (0.72, 0.70, 0.65), 0, seed=seed))
    water = finish("glass", colour=(0.25, 0.38, 0.42))
    rim = lathe(
        [(radius, -0.3), (radius, 0.5), (radius - 0.35, 0.5), (radius - 0.35, 0.2)],
        sides,
        (2.0, 2.0),
    )
    column = lathe(
        [
            (0.6, 0.2),
            (0.25, 0.5),
            (0.22, 1.4),
            (1.3, 1.75),
            (1.3, 1.83),
            (0.2, 1.7),
            (0.14, 2.3),
            (0.7, 2.5),
            (0.7, 2.56),
            (0.0, 2.45),
        ],
        24,
        (2.0, 2.0),
    )
    pool = lathe([(radius - 0.35, 0.3), (0.0, 0.3)], sides)
    solid = solid_cylinder(radius, 0.8, (0, 0, 0.1), stone)
    return Prop((seen([rim, column], stone), seen([pool], water)), (solid,))


def sign(seed: int, *, height: float = 2.2) -> Prop:
    """Return a striped board on a post that faces +x."""
    metal = finish("steel", texture(painted, (0.6, 0.6, 0.6), 0.5))
    face = finish("plastic", texture(striped, RED, WHITE, 3, seed=seed))
    post = tube([[0, 0, -0.2], [0, 0, height]], 0.03, 8, (0.5, 0.5), (False, True))
    board = box((0.02, 0.6, 0.6), (0.04, 0, height - 0.3), 0.6).rotated(rotation_y(0.0))
    return Prop(
        (seen([post], metal), seen([board], face)),
        (
            solid_cylinder(0.03, height, (0, 0, height / 2), metal),
            solid_box((0.02, 0.6, 0.6), (0.04, 0, height - 0.3), face),
        ),
    )
