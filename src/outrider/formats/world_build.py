"""From a world's file to a world: ground, objects and materials become models."""

import math
from dataclasses import replace
from typing import assert_never

import numpy as np

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.ground import GROUND, ground_height, ground_shape, heights_at
from outrider.formats.materials_file import material
from outrider.formats.world_file import (
    BoxSpec,
    ConeSpec,
    CylinderSpec,
    ObjectSpec,
    ShapeSpec,
    SphereSpec,
    WorldSpec,
)
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Inertial, Link, Mobility, Model, World
from outrider.world.shapes import Box, Cone, Cylinder, Shape, Sphere
from outrider.world.tessellate import tessellate

__all__ = ["build_world", "ground_height", "object_model"]

LINK = "link"


def build_world(spec: WorldSpec, *, seed: int = 0, extra: tuple[ObjectSpec, ...] = ()) -> World:
    """Return the world of a file, with further objects (a scenario's obstacles) in it."""
    del seed  # a world looks the same in every run; its ground has a seed of its own
    objects = (*spec.objects, *extra)
    _check_names(objects)
    ground = ground_model(spec)
    models = [object_model(item, spec) for item in objects]
    return World(
        name=spec.name,
        models=tuple([ground, *models] if ground else models),
        gravity=spec.gravity,
        origin=spec.origin,
        start=spec.start.pose(ground_height(spec, spec.start.x, spec.start.y)),
    )


def ground_model(spec: WorldSpec) -> Model | None:
    """Return the ground as a static model, or None."""
    found = ground_shape(spec.ground)
    if found is None:
        return None
    shape, pose = found
    name = getattr(spec.ground, "material", "")
    geometry = Geometry(shape, Pose(), material(name, spec.materials, f"{spec.name}: ground"))
    link = Link(LINK, None, (geometry,), (geometry,))
    return Model(GROUND, (link,), pose=pose, mobility="static")


def object_model(item: ObjectSpec, spec: WorldSpec) -> Model:
    """Return an object as a model of one link, put on the ground if its height is open."""
    where = f"{spec.name}: object '{item.name}'"
    shape = _shape(item.shape, where)
    surface = material(item.material, spec.materials, where)
    if item.colour is not None:
        surface = replace(surface, colour=item.colour)
    geometry = Geometry(shape, Pose(), surface)
    link = Link(LINK, _inertial(shape, item.mass), (geometry,), (geometry,))
    try:
        pose = _pose(item, shape, spec)
    except WorldError as error:
        raise WorldError(f"{where}: {error}") from None
    return Model(item.name, (link,), pose=pose, mobility=_mobility(item))


def _check_names(objects: tuple[ObjectSpec, ...]) -> None:
    seen = {GROUND}
    for item in objects:
        if item.name in seen:
            raise WorldError(f"two things in the world have the name '{item.name}'")
        seen.add(item.name)


def _mobility(item: ObjectSpec) -> Mobility:
    if item.path is not None:
        return "scripted"
    return "dynamic" if item.mass > 0 else "static"


def _inertial(shape: Shape, mass: float) -> Inertial | None:
    return solid_inertial(shape, mass) if mass > 0 else None


def _shape(spec: ShapeSpec, where: str) -> Shape:
    match spec:
        case BoxSpec(size=size):
            if min(size) <= 0:
                raise ConfigError(f"{where}: shape.size: must be above 0, got {list(size)}")
            return Box(size)
        case SphereSpec(radius=radius):
            return Sphere(radius)
        case CylinderSpec(radius=radius, length=length):
            return Cylinder(radius, length)
        case ConeSpec(radius=radius, length=length):
            return Cone(radius, length)
    assert_never(spec)


def _pose(item: ObjectSpec, shape: Shape, spec: WorldSpec) -> Pose:
    """Return where an object is at the start; a scripted one starts where its path does."""
    if item.path is not None:
        if not item.path.points:
            raise WorldError("its path has no points")
        return Pose(np.array(item.path.points[0]), item.pose.pose().rotation)
    if item.pose.z is not None:
        return item.pose.pose()
    rotation = item.pose.pose().rotation
    below = ground_height(spec, item.pose.x, item.pose.y)
    place = Pose(np.array([item.pose.x, item.pose.y, below]), rotation)
    lift = _lift_free(shape, place, spec) if item.mass > 0 else _support(shape, place, _DOWN)
    return Pose(place.position + np.array([0.0, 0.0, lift]), rotation)


_DOWN = np.array([0.0, 0.0, -1.0])


def _lift_free(shape: Shape, place: Pose, spec: WorldSpec) -> float:
    """Return how far to lift a movable thing so that it touches the ground but is not in it.

    What stands fixed may be let into a slope; what can move would be thrown out of it.
    """
    found = ground_shape(spec.ground)
    if found is None or spec.ground.type == "flat":
        pose = Pose() if found is None else found[1]
        normal = matrix_from_quaternion(pose.rotation)[:, 2]
        return _support(shape, place, -normal) / float(normal[2])
    surface = place.apply(tessellate(shape).vertices)
    gaps = heights_at(*found, surface[:, :2]) - surface[:, 2]
    level = _support(shape, place, _DOWN)
    return level if np.isnan(gaps).all() else float(np.nanmax(gaps))


def _support(shape: Shape, place: Pose, direction: Array) -> float:
    """Return how far a shape reaches from its origin in a direction of the world."""
    d = direction @ matrix_from_quaternion(place.rotation)
    across, up = math.hypot(d[0], d[1]), float(d[2])
    match shape:
        case Box(size=size):
            return float(np.abs(d) @ np.array(size)) / 2
        case Sphere(radius=radius):
            return radius
        case Cylinder(radius=radius, length=length):
            return radius * across + abs(up) * length / 2
        case Cone(radius=radius, length=length):
            return max(up * length / 2, radius * across - up * length / 2)
    raise WorldError(f"how far a {type(shape).__name__} reaches is not known")
