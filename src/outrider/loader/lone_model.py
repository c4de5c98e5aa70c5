"""A model of another program by itself: on a plane, with room for a robot beside it."""

import math
from dataclasses import replace
from itertools import product

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.formats.import_file import Imported
from outrider.loader.foreign_world import foreign_world_spec, stands_still
from outrider.specs.world import FlatGround, ModelEntry, PoseSpec, WorldSpec
from outrider.world.assembly import WORLD, assemble
from outrider.world.model import Geometry, World
from outrider.world.tessellate import bounds

_ROOM = 0.75  # m from where a robot starts to the model
_STEP = 0.25  # m between the places that are tried, outward
_WAYS = (math.pi, -math.pi / 2, math.pi / 2, 0.0)  # behind it first, so that it lies ahead


def is_alone(found: Imported) -> bool:
    """Return whether a file has nothing that stands still: it needs something to lie on."""
    models = found.models
    if found.world is None and any(stands_still(model) for model in models):
        return False
    return bool(models) and all(model.mobility == "dynamic" for model in models)


def lone_model_spec(found: Imported, entry: ModelEntry) -> WorldSpec:
    """Return a plane on which models stand or lie as their file has them, and a free start."""
    low, high = _boxes(found)
    lift = -float(low[:, 2].min())
    spec = foreign_world_spec(found, entry)
    models = tuple(replace(model, pose=PoseSpec(z=lift)) for model in spec.models)
    return replace(spec, ground=FlatGround(), models=models, start=_start(low, high))


def _boxes(found: Imported) -> tuple[Array, Array]:
    """Return the lowest and highest corners (n, 3) of all shapes, as their file has them."""
    poses: list[Pose] = []
    boxes = [np.zeros((1, 3))]
    for body in assemble(World(found.report.name, found.models)).bodies:
        above = Pose() if body.parent == WORLD else poses[body.parent]
        poses.append(above @ body.pose)
        boxes += [_corners(poses[-1], shape) for shape in body.colliders or body.visuals]
    shapes = boxes[1:] or boxes
    return np.array([b.min(axis=0) for b in shapes]), np.array([b.max(axis=0) for b in shapes])


def _corners(pose: Pose, geometry: Geometry) -> Array:
    box = np.array(list(product(*zip(*bounds(geometry.shape), strict=True))))
    return np.array([(pose @ geometry.pose).apply(corner) for corner in box])


def _start(low: Array, high: Array) -> PoseSpec:
    """Return the place nearest to the origin where no shape is near, facing it."""
    for steps in range(math.ceil((np.abs([low, high]).max() + _ROOM) / _STEP) + 1):
        for way in _WAYS:
            x, y = _STEP * steps * math.cos(way), _STEP * steps * math.sin(way)
            x, y = round(x, 6) + 0.0, round(y, 6) + 0.0  # no -0.0
            near = (low[:, :2] < [x + _ROOM, y + _ROOM]) & (high[:, :2] > [x - _ROOM, y - _ROOM])
            if not near.all(axis=1).any():
                facing = math.degrees(way) - 180.0 if steps else 0.0
                return PoseSpec(x, y, yaw_deg=round(facing, 6) + 0.0)
    raise AssertionError("a place beyond all shapes is free")
