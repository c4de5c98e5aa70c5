"""Solids of one density: mass, volume and extent."""

import math

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.world.inertia import combine, moved, solid_inertial
from outrider.world.mesh_inertia import mesh_inertial, mesh_volume
from outrider.world.model import Geometry, Inertial
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere


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
