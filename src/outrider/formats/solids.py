"""Shapes of a file as geometry: what they look like, touch with, weigh, and how far they reach."""

import math
from dataclasses import dataclass, replace
from typing import assert_never

import numpy as np

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.foliage import solid_geometry
from outrider.formats.ground import named_file, scales
from outrider.formats.materials_file import material
from outrider.formats.mesh_asset import asset_geometry, read_mesh_asset
from outrider.formats.world_file import (
    RGBA,
    BoxSpec,
    CapsuleSpec,
    ConeSpec,
    CylinderSpec,
    MeshSpec,
    PartSpec,
    ShapeSpec,
    SphereSpec,
)
from outrider.world.inertia import combine, moved, solid_inertial
from outrider.world.materials import Material
from outrider.world.mesh_inertia import mesh_inertial, mesh_volume
from outrider.world.model import Geometry, Inertial, Link
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere


@dataclass(frozen=True, slots=True)
class Look:
    """What parts have that say nothing of their own, and whose they are in errors."""

    where: str
    material: str
    own: dict[str, Material]
    colour: RGBA | None = None
    texture: str = ""


def rigid_link(name: str, parts: tuple[PartSpec, ...], mass: float, look: Look) -> Link:
    """Return parts that hold together as one link; without mass it has no inertial."""
    geometry = tuple(g for part in parts for g in part_geometry(part, look))
    inertial = solid_mass(geometry, mass, look.where) if mass > 0 else None
    return Link(name, inertial, geometry, solid_geometry(geometry))


def part_geometry(part: PartSpec, look: Look) -> tuple[Geometry, ...]:
    """Return a part's geometry: one for a simple shape, one for each look of a mesh."""
    surface = material(part.material or look.material, look.own, look.where)
    colour, texture = part.colour or look.colour, part.texture or look.texture
    painted = surface if colour is None else replace(surface, colour=colour)
    if texture:
        path = str(named_file(texture, f"{look.where}: texture"))
        painted = replace(painted, texture=path)
    pose = part.pose.pose()
    if not isinstance(part.shape, MeshSpec):
        return (Geometry(simple_shape(part.shape, look.where), pose, painted),)
    found = _mesh_geometry(part.shape, pose, surface, look.where)
    if colour is None and not texture:
        return found
    return tuple(replace(g, material=painted) for g in found)


def _mesh_geometry(
    spec: MeshSpec, pose: Pose, surface: Material, where: str
) -> tuple[Geometry, ...]:
    scale = scales(spec.scale)
    if 0.0 in scale:
        raise ConfigError(f"{where}: shape.scale: a mesh cannot be scaled by zero")
    asset = read_mesh_asset(named_file(spec.file, f"{where}: shape.file"), scale)
    return asset_geometry(asset, pose, surface)


def simple_shape(spec: ShapeSpec, where: str) -> Shape:
    """Return the shape that a few numbers describe."""
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
        case CapsuleSpec(radius=radius, length=length):
            return Capsule(radius, length)
        case MeshSpec():
            raise ConfigError(f"{where}: shape.type: a mesh is not a simple shape")
    assert_never(spec)


def solid_mass(geometry: tuple[Geometry, ...], mass: float, where: str) -> Inertial:
    """Return the inertial of solids of one density that weigh so much together."""
    if len(geometry) == 1:
        return moved(_solid(geometry[0].shape, mass), geometry[0].pose)
    volumes = [volume_of(g.shape) for g in geometry]
    total = sum(volumes)
    if total <= 0:
        raise WorldError(f"{where}: it has a mass but no volume")
    parts = [
        moved(_solid(g.shape, mass * volume / total), g.pose)
        for g, volume in zip(geometry, volumes, strict=True)
        if volume > 0
    ]
    return combine(parts)


def _solid(shape: Shape, mass: float) -> Inertial:
    return mesh_inertial(shape, mass) if isinstance(shape, Mesh) else solid_inertial(shape, mass)


def volume_of(shape: Shape) -> float:
    """Return how much room a shape takes; planes and height fields take none."""
    match shape:
        case Box(size=size):
            return math.prod(size)
        case Sphere(radius=r):
            return 4 / 3 * math.pi * r**3
        case Cylinder(radius=r, length=length):
            return math.pi * r**2 * length
        case Cone(radius=r, length=length):
            return math.pi * r**2 * length / 3
        case Capsule(radius=r, length=length):
            return math.pi * r**2 * (length + 4 / 3 * r)
        case Mesh():
            return mesh_volume(shape)
    return 0.0


def reach(geometry: tuple[Geometry, ...], place: Pose, direction: Array) -> float:
    """Return how far things reach from the origin of ``place`` in a direction of the world."""
    d = direction @ matrix_from_quaternion(place.rotation)
    return max(float(d @ g.pose.position) + _reach(g.shape, g.pose, d) for g in geometry)


def _reach(shape: Shape, pose: Pose, direction: Array) -> float:
    d = direction @ matrix_from_quaternion(pose.rotation)
    across, up = math.hypot(d[0], d[1]), float(d[2])
    match shape:
        case Box(size=size):
            return float(np.abs(d) @ np.array(size)) / 2
        case Sphere(radius=radius):
            return radius
        case Cylinder(radius=radius, length=length):
            return radius * across + abs(up) * length / 2
        case Capsule(radius=radius, length=length):
            return radius + abs(up) * length / 2
        case Cone(radius=radius, length=length):
            return max(up * length / 2, radius * across - up * length / 2)
        case Mesh(vertices=vertices):
            return float((vertices @ d).max())
    raise WorldError(f"how far a {type(shape).__name__} reaches is not known")
