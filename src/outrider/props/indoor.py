"""Indoor objects: walls with doors, desks, chairs, tables, shelves, boxes."""

from outrider.props.finishes import finish
from outrider.props.prop import Prop
from outrider.props.solids import Boxes
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import bricks, plaster
from outrider.props.textures.metal import painted
from outrider.props.textures.wood import veneer
from outrider.world.materials import Material

DOOR = (0.9, 2.05)  # m, wide and high


def wall(
    seed: int,
    *,
    length: float = 5.0,
    height: float = 2.6,
    thickness: float = 0.15,
    doors: tuple[float, ...] = (),
    door: tuple[float, float] = DOOR,
    look: str = "plaster",
    colour: tuple[float, float, float] = (0.86, 0.85, 0.81),
) -> Prop:
    """Return a wall along x with open doors at distances from its middle."""
    if min(length, height, thickness) <= 0:
        raise ValueError("a wall's sizes are above 0")
    edges = [-length / 2]
    for x in sorted(doors):
        edges += [x - door[0] / 2, x + door[0] / 2]
    edges.append(length / 2)
    if edges != sorted(edges):
        raise ValueError("the doors of a wall must lie inside it, apart from one another")
    parts = Boxes(wall_look(look, colour, seed), 2.0)
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end > start:
            parts.add((end - start, thickness, height), ((start + end) / 2, 0, height / 2), ("-z",))
    if door[1] < height:
        for x in doors:
            size = (door[0], thickness, height - door[1])
            parts.add(size, (x, 0, (height + door[1]) / 2))
    return Prop((parts.seen(),), tuple(parts.colliders))


def wall_look(look: str, colour: tuple[float, float, float], seed: int) -> Material:
    """Return the surface of a wall of a kind."""
    if look == "plaster":
        return finish("plaster", texture(plaster, colour, seed=seed % 4))
    if look == "brick":
        return finish("brick", texture(bricks, colour, seed=seed % 4))
    if look == "wood":
        return finish("wood", texture(veneer, colour, seed=seed % 4))
    raise ValueError(f"look must be plaster, brick or wood, got '{look}'")


def desk(
    seed: int, *, size: tuple[float, float, float] = (1.6, 0.8, 0.75), screen: bool = True
) -> Prop:
    """Return a desk that is used from -y, with a cupboard and a screen."""
    x, y, z = size
    top = Boxes(finish("wood", texture(veneer, (0.68, 0.53, 0.36), seed=seed % 4)))
    metal = Boxes(finish("steel", texture(painted, (0.35, 0.36, 0.38), 0.3)))
    top.add((x, y, 0.03), (0, 0, z - 0.015))
    top.add((0.42, y * 0.85, z - 0.1), (x / 2 - 0.25, 0, (z - 0.03) / 2))
    for side in (-1, 1):
        metal.add((0.05, 0.05, z - 0.03), (-x / 2 + 0.06, side * (y / 2 - 0.06), (z - 0.03) / 2))
    if screen:
        metal.add((0.22, 0.16, 0.02), (-0.1, y * 0.2, z + 0.01))
        metal.add((0.04, 0.04, 0.12), (-0.1, y * 0.22, z + 0.08))
        metal.add((0.56, 0.03, 0.34), (-0.1, y * 0.2, z + 0.30))
    return Prop((top.seen(), metal.seen()), (*top.colliders, *metal.colliders))


def table(seed: int, *, size: tuple[float, float, float] = (1.4, 0.8, 0.74)) -> Prop:
    """Return a table on four legs."""
    x, y, z = size
    parts = Boxes(finish("wood", texture(veneer, (0.62, 0.44, 0.28), seed=seed % 4)))
    parts.add((x, y, 0.035), (0, 0, z - 0.0175))
    for i in (-1, 1):
        for j in (-1, 1):
            at = (i * (x / 2 - 0.06), j * (y / 2 - 0.06), (z - 0.035) / 2)
            parts.add((0.06, 0.06, z - 0.035), at, ("-z",))
    return Prop((parts.seen(),), tuple(parts.colliders))


def chair(seed: int, *, height: float = 0.46) -> Prop:
    """Return a chair that faces +x."""
    parts = Boxes(finish("wood", texture(veneer, (0.45, 0.30, 0.20), seed=seed % 4)))
    parts.add((0.42, 0.42, 0.04), (0, 0, height - 0.02))
    for i in (-1, 1):
        for j in (-1, 1):
            tall = height - 0.04 if i > 0 else height + 0.45
            parts.add((0.04, 0.04, tall), (i * 0.19, j * 0.19, tall / 2), ("-z",))
    parts.add((0.025, 0.36, 0.24), (-0.19, 0, height + 0.30))
    return Prop((parts.seen(),), tuple(parts.colliders))


def shelf(
    seed: int,
    *,
    size: tuple[float, float, float] = (1.2, 0.35, 1.9),
    boards: int = 5,
    full: bool = True,
) -> Prop:
    """Return a shelf open to -y, with boxes and books on its boards."""
    x, y, z = size
    if not 2 <= boards <= 12:
        raise ValueError("a shelf has 2 to 12 boards")
    frame = Boxes(finish("wood", texture(veneer, (0.78, 0.72, 0.62), seed=seed % 4)))
    for side in (-1, 1):
        frame.add((0.025, y, z), (side * (x / 2 - 0.0125), 0, z / 2), ("-z",))
    pitch = (z - 0.05) / (boards - 1)
    for k in range(boards):
        frame.add((x - 0.05, y, 0.025), (0, 0, 0.03 + k * pitch))
    frame.add((x - 0.05, 0.01, z), (0, y / 2 - 0.005, z / 2))
    things = [Boxes(finish("plastic", texture(painted, c, 0.5))) for c in _PAINTS]
    for k in range((boards - 1) if full else 0):
        for n in range(4):
            wide, tall = (
                0.16 + 0.03 * ((seed + n * 7 + k * 3) % 4),
                pitch * (0.45 + 0.1 * ((n + k) % 4)),
            )
            at = (-x / 2 + 0.17 + n * (x - 0.3) / 3.2, 0.0, 0.0425 + k * pitch + tall / 2)
            things[(n + k + seed) % len(things)].add((wide, y * 0.7, tall), at)
    shown = [part.seen() for part in (frame, *things) if part.patches]
    solid = [c for part in (frame, *things) for c in part.colliders]
    return Prop(tuple(shown), tuple(solid))


_PAINTS = ((0.62, 0.16, 0.12), (0.15, 0.30, 0.55), (0.80, 0.68, 0.25), (0.25, 0.45, 0.28))
