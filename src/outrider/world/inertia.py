"""Mass properties: exact solids, exact merging, and a check that a body can exist."""

import math
from collections.abc import Sequence

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.world.model import Inertial
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere

TRIANGLE_TOLERANCE = 1e-6  # files round their figures
SYMMETRY_TOLERANCE = 1e-9  # of the largest element: turning it leaves rounding where zeros were


def solid_inertial(shape: Shape, mass: float) -> Inertial:
    """Return the inertial of a solid of even density, in the shape's frame."""
    match shape:
        case Box(size=size):
            return Inertial(mass, _box(mass, size))
        case Sphere(radius=radius):
            return Inertial(mass, 0.4 * mass * radius**2 * np.eye(3))
        case Cylinder(radius=radius, length=length):
            return Inertial(mass, _cylinder(mass, radius, length))
        case Capsule(radius=radius, length=length):
            return Inertial(mass, _capsule(mass, radius, length))
        case Cone(radius=radius, length=length):
            centre = Pose(np.array([0.0, 0.0, -length / 4]))
            return Inertial(mass, _cone(mass, radius, length), centre)
    raise WorldError(f"a {type(shape).__name__} has no inertia by formula; give it an inertial")


def combine(inertials: Sequence[Inertial]) -> Inertial:
    """Merge inertials given in one frame, by the parallel-axis rule; axes are that frame's."""
    mass = sum(part.mass for part in inertials)
    if mass <= 0:
        return Inertial(0.0, np.zeros((3, 3)))
    moments = [part.mass * part.pose.position for part in inertials]
    centre = np.sum(moments, axis=0) / mass
    inertia = np.sum([_about(part, centre) for part in inertials], axis=0)
    return Inertial(mass, inertia, Pose(centre))


def moved(inertial: Inertial, T_frame_link: Pose) -> Inertial:
    """Return an inertial of a link as seen from a frame in which the link has that pose."""
    return Inertial(inertial.mass, inertial.inertia, T_frame_link @ inertial.pose)


def check_inertial(inertial: Inertial, name: str) -> None:
    """Refuse a mass or inertia that no body can have; ``name`` says whose it is."""
    mass, inertia = inertial.mass, np.asarray(inertial.inertia)
    if not (math.isfinite(mass) and np.isfinite(inertia).all()):
        raise WorldError(f"{name}: mass and inertia must be finite numbers")
    if mass < 0:
        raise WorldError(f"{name}: a mass cannot be negative, got {mass:g} kg")
    if mass == 0:
        if inertia.any():
            raise WorldError(f"{name}: the mass is zero but the inertia is not")
        return
    if np.abs(inertia - inertia.T).max() > SYMMETRY_TOLERANCE * np.abs(inertia).max():
        raise WorldError(f"{name}: the inertia is not symmetric")
    _check_moments([float(moment) for moment in np.linalg.eigvalsh(inertia)], name)


def _check_moments(moments: list[float], name: str) -> None:
    """Refuse principal moments (ascending) that break positivity or the triangle inequality."""
    low, middle, high = moments
    shown = f"its principal moments are {low:.6g}, {middle:.6g} and {high:.6g} kg m^2"
    if low <= 0:
        raise WorldError(f"{name}: the inertia is not positive definite: {shown}")
    if high > (low + middle) * (1 + TRIANGLE_TOLERANCE):
        raise WorldError(
            f"{name}: no body has this inertia: {shown}, and the largest may not exceed "
            f"the sum of the others"
        )


def _about(part: Inertial, point: Array) -> Array:
    """Return the inertia of a part about another point, in the axes of the common frame."""
    rotation = matrix_from_quaternion(part.pose.rotation)
    offset = part.pose.position - point
    shift = float(offset @ offset) * np.eye(3) - np.outer(offset, offset)
    about: Array = rotation @ part.inertia @ rotation.T + part.mass * shift
    return about


def _box(mass: float, size: tuple[float, float, float]) -> Array:
    x, y, z = (edge**2 for edge in size)
    return mass / 12 * np.diag([y + z, x + z, x + y])


def _cylinder(mass: float, radius: float, length: float) -> Array:
    across = mass * (3 * radius**2 + length**2) / 12
    return np.diag([across, across, mass * radius**2 / 2])


def _capsule(mass: float, radius: float, length: float) -> Array:
    """Add a tube and two half balls, whose centres lie 3/8 of the radius beyond its ends."""
    share = length / (length + 4 * radius / 3)
    tube, ball = mass * share, mass * (1 - share)
    arm = length**2 / 4 + 3 * length * radius / 8
    ends = ball * (0.4 * radius**2 * np.eye(3) + np.diag([arm, arm, 0.0]))
    return _cylinder(tube, radius, length) + ends


def _cone(mass: float, radius: float, length: float) -> Array:
    across = mass * (3 * radius**2 / 20 + 3 * length**2 / 80)
    return np.diag([across, across, 0.3 * mass * radius**2])
