"""Fences of planks, and pipes on supports: props that follow the ground from point to point."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from outrider.core.frames import Array
from outrider.props.finishes import finish
from outrider.props.patches import Patch, box, rotation_y, rotation_z, tube
from outrider.props.prop import Prop
from outrider.props.solids import seen, solid_box
from outrider.props.textures.images import texture
from outrider.props.textures.masonry import concrete
from outrider.props.textures.metal import painted
from outrider.props.textures.wood import boards
from outrider.world.materials import Material
from outrider.world.model import Geometry

Points = Sequence[Sequence[float]]
STRAIGHT = ((0.0, 0.0, 0.0), (2.5, 0.0, 0.0), (5.0, 0.0, 0.0))
GREY_WOOD = (0.52, 0.45, 0.36)
POST = 0.14  # m


def fence(seed: int, *, points: Points = STRAIGHT, height: float = 1.3, planks: int = 3) -> Prop:
    """Return a plank fence with a post at each point."""
    path = checked(points)
    if height <= 0 or not 1 <= planks <= 20:
        raise ValueError("a fence needs a height above 0 and 1 to 20 planks")
    wood = finish("wood", texture(boards, GREY_WOOD, 8, 1.0, seed=seed % 4))
    up = np.array([0.0, 0.0, 1.0])
    posts = [
        box((POST, POST, height + 0.5), foot + up * (height / 2 - 0.2), (0.8, 2.0), ("-z",))
        for foot in path
    ]
    deep = (POST, POST, height + 0.5)
    colliders = [solid_box(deep, foot + up * (height / 2 - 0.2), wood) for foot in path]
    rails = []
    for start, end in pairwise(path):
        turn, length = rotation_along(start, end)
        for rail in range(planks):
            lift = up * height * (rail + 0.7) / planks
            plank = box((length, 0.035, 0.16), (0, 0, 0), (2.0, 0.8), ("-x", "+x"))
            rails.append(plank.rotated(turn).moved((start + end) / 2 + lift))
        colliders.append(_panel(start, end, height, wood))
    return Prop((seen([*posts, *rails], wood),), tuple(colliders))


def pipeline(
    seed: int,
    *,
    points: Points = STRAIGHT,
    radius: float = 0.4,
    height: float = 0.9,
    pipes: int = 1,
    sides: int = 12,
) -> Prop:
    """Return pipes side by side, their middle so high above the points, on concrete feet."""
    path = checked(points)
    if radius <= 0 or not 1 <= pipes <= 8 or not 3 <= sides <= 64:
        raise ValueError("a pipeline needs a radius above 0, 1 to 8 pipes and 3 to 64 sides")
    metal = finish("steel", texture(painted, (0.55, 0.57, 0.58), 1.6, seed=seed))
    feet = finish("concrete", texture(concrete))
    middle = path + np.array([0.0, 0.0, height])
    _, across, _ = _level_frames(path)
    offsets = (np.arange(pipes) - (pipes - 1) / 2) * radius * 2.6
    lines = [middle + across * offset for offset in offsets]
    shells = [tube(line, radius, sides, (1.0, 1.0), (True, True)) for line in lines]
    shells += [_collar(line, radius, sides) for line in lines]
    blocks = _supports(path, across, height - radius, pipes * radius * 2.6)
    stones = [solid_box(size, at, feet, (0, 0, yaw)) for size, at, yaw in blocks]
    shown = [box(size, (0, 0, 0), 1.5, ("-z",)).moved(at, yaw) for size, at, yaw in blocks]
    round_pipes = seen(shells, metal)
    return Prop((round_pipes, seen(shown, feet)), (round_pipes, *stones))


def checked(points: Points) -> Array:
    """Return points (n, 3), at least two."""
    path = np.asarray(points, float)
    if path.ndim != 2 or path.shape[1] != 3 or len(path) < 2:
        raise ValueError("points must be at least two of x, y, z")
    return path


def rotation_along(start: Array, end: Array) -> tuple[Array, float]:
    """Return the rotation that lays x along a line, upright, and the line's length."""
    step = end - start
    level = math.hypot(step[0], step[1])
    turn = rotation_z(math.atan2(step[1], step[0])) @ rotation_y(-math.atan2(step[2], level))
    return turn, float(np.linalg.norm(step))


def _panel(start: Array, end: Array, height: float, wood: Material) -> Geometry:
    """Return what one bay of a fence is bumped into as."""
    lift = np.array([0.0, 0.0, height / 2])
    return _beam(start + lift, end + lift, 0.035, height * 0.9, wood)


def _beam(start: Array, end: Array, width: float, height: float, material: Material) -> Geometry:
    step = end - start
    level = math.hypot(step[0], step[1])
    rpy = (0.0, -math.atan2(step[2], level), math.atan2(step[1], step[0]))
    size = (float(np.linalg.norm(step)), width, height)
    return solid_box(size, (start + end) / 2, material, rpy)


def _collar(line: Array, radius: float, sides: int) -> Patch:
    """Return the flange where two lengths of pipe meet, in the middle of the line."""
    index = len(line) // 2
    a, b = line[index - 1], line[index]
    along = (b - a) / np.linalg.norm(b - a)
    ends = np.stack([b - along * 0.08, b + along * 0.08])
    return tube(ends, radius * 1.18, sides, (1.0, 1.0), (True, True))


def _level_frames(path: Array) -> tuple[Array, Array, Array]:
    step = np.gradient(path, axis=0) * [1.0, 1.0, 0.0]
    along = step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    return along, across, np.broadcast_to([0.0, 0.0, 1.0], along.shape)


def _supports(
    path: Array, across: Array, height: float, width: float
) -> list[tuple[tuple[float, float, float], Array, float]]:
    """Return the size, middle and heading of the block under each second point."""
    blocks = []
    for point, side in zip(path[::2], across[::2], strict=True):
        yaw = math.atan2(-side[0], side[1])
        size = (0.4, width, height + 0.4)
        blocks.append((size, point + np.array([0.0, 0.0, height / 2 - 0.18]), yaw))
    return blocks
