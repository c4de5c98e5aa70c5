"""Shapes of a file as geometry: visuals, colliders and masses."""

from dataclasses import dataclass, replace
from typing import assert_never

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import Pose
from outrider.formats.mesh.asset import asset_geometry, read_mesh_asset
from outrider.formats.mesh.foliage import solid_geometry
from outrider.loader.ground import scales
from outrider.loader.ground_file import named_file
from outrider.loader.materials import material
from outrider.specs.world import (
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
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere
from outrider.world.solids import solid_mass


@dataclass(frozen=True, slots=True)
class Appearance:
    """Defaults for parts without their own appearance, and their owner's name for errors."""

    where: str
    material: str
    own: dict[str, Material]
    colour: RGBA | None = None
    texture: str = ""


def rigid_link(name: str, parts: tuple[PartSpec, ...], mass: float, look: Appearance) -> Link:
    """Return parts that hold together as one link; without mass it has no inertial."""
    geometry = tuple(g for part in parts for g in part_geometry(part, look))
    inertial = solid_mass(geometry, mass, look.where) if mass > 0 else None
    return Link(name, inertial, geometry, solid_geometry(geometry))


def part_geometry(part: PartSpec, look: Appearance) -> tuple[Geometry, ...]:
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
    try:
        return _simple_shape(spec, where)
    except WorldError as error:
        raise ConfigError(f"{where}: shape: {error}") from None


def _simple_shape(spec: ShapeSpec, where: str) -> Shape:
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
