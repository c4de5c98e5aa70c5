"""The common type of all props, and their scaling."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from outrider.core.errors import ConfigError, WorldError, near_match
from outrider.core.frames import Pose
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere


@dataclass(frozen=True, slots=True, eq=False)
class Prop:
    """A thing in its own frame, z up, standing on z = 0: what is seen, and what is bumped into."""

    visuals: tuple[Geometry, ...]
    colliders: tuple[Geometry, ...] = ()


class MakeProp(Protocol):
    """A pure function: the same seed and parameters give the same thing, byte for byte."""

    def __call__(self, seed: int, **parameters: object) -> Prop:
        """Return the thing."""
        ...


def make(
    maker: MakeProp, what: str, seed: int, parameters: Mapping[str, object], where: str
) -> Prop:
    """Make a thing; parameters it does not know are refused by name."""
    known = [name for name in inspect.signature(maker).parameters if name != "seed"]
    for name in parameters:
        if name not in known:
            listed = ", ".join(known) or "none"
            hint = near_match(name, known)
            raise ConfigError(f"{where}: a {what} has no parameter '{name}'{hint}; known: {listed}")
    try:
        return maker(seed, **parameters)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: a {what} cannot be created: {error}") from None


def scaled(prop: Prop, scale: float) -> Prop:
    """Return the thing at another size."""
    return Prop(
        tuple(_scaled(g, scale) for g in prop.visuals),
        tuple(_scaled(g, scale) for g in prop.colliders),
    )


def _scaled(geometry: Geometry, scale: float) -> Geometry:
    pose = Pose(geometry.pose.position * scale, geometry.pose.rotation)
    return replace(geometry, shape=scaled_shape(geometry.shape, scale), pose=pose)


def scaled_shape(shape: Shape, scale: float) -> Shape:
    """Return a shape so many times as large."""
    match shape:
        case Mesh():
            return replace(shape, vertices=shape.vertices * scale)
        case Box(size=size):
            return Box((size[0] * scale, size[1] * scale, size[2] * scale))
        case Sphere(radius=radius):
            return Sphere(radius * scale)
        case Cylinder() | Capsule() | Cone():
            return replace(shape, radius=shape.radius * scale, length=shape.length * scale)
    raise WorldError(f"a {type(shape).__name__} cannot be part of a prop")


def joined(meshes: list[Mesh]) -> Mesh:
    """Return many meshes as one; texture coordinates are kept if all have them."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = np.concatenate([mesh.faces + first[i] for i, mesh in enumerate(meshes)])
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    placed = [mesh.uv for mesh in meshes if mesh.uv is not None]
    uv = np.concatenate(placed) if len(placed) == len(meshes) else None
    return Mesh(vertices, faces.astype(np.int32), uv=uv)
