"""Boxes on a floor, for benchmarks: at rest, pushed by a blade, or a heap that falls together."""

import math
from dataclasses import replace

import numpy as np

from outrider.core.frames import Pose
from outrider.core.seeds import generator
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Plane

_SIDE = 0.4  # m
_LAYER = 100  # boxes of a heap
_GAP, _ROW = 0.02, 20  # m between boxes that are pushed, boxes in a row
BLADE = "blade"


def resting(count: int) -> World:
    """Return boxes that stand on a floor, apart from each other."""
    row = math.ceil(math.sqrt(count))
    return _world(
        [(2 * _SIDE * (k % row), 2 * _SIDE * (k // row), _SIDE / 2) for k in range(count)]
    )


def heap(count: int) -> World:
    """Return boxes that fall onto each other, layer upon layer, every one a little aside."""
    aside = generator(3, "heap").uniform(-0.3, 0.3, (count, 2)) * _SIDE
    places = []
    for k, (x, y) in enumerate(aside.tolist()):
        layer, place = divmod(k, _LAYER)
        column, row = divmod(place, 10)
        grid = 1.05 * _SIDE * np.array([column, row, layer + 0.5])
        places.append((grid[0] + x, grid[1] + y, grid[2] + 0.01))
    return _world(places)


def before_a_blade(count: int) -> World:
    """Return rows of boxes that stand close together, and a blade to push them with along x."""
    pitch = _SIDE + _GAP
    world = _world([(pitch * (k % _ROW), pitch * (k // _ROW), _SIDE / 2) for k in range(count)])
    width = pitch * math.ceil(count / _ROW)
    shape = Geometry(Box((0.2, width, 0.5)))
    at = Pose(np.array([-_SIDE, (width - pitch) / 2, 0.3]))
    blade = Model(BLADE, (Link(BLADE, None, (shape,), (shape,)),), pose=at, mobility="scripted")
    return replace(world, models=(*world.models, blade))


def _world(places: list[tuple[float, float, float]]) -> World:
    shape = Box((_SIDE, _SIDE, _SIDE))
    box = Link("box", solid_inertial(shape, 20.0), (Geometry(shape),), (Geometry(shape),))
    boxes = [Model(f"box_{k}", (box,), pose=Pose(np.array(at))) for k, at in enumerate(places)]
    floor = Link("ground", None, (), (Geometry(Plane()),))
    return World("boxes", (Model("ground", (floor,), mobility="static"), *boxes))
