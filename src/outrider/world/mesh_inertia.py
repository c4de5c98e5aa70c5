"""Volume and inertia of what a mesh encloses."""

import numpy as np

from outrider.core.errors import WorldError
from outrider.core.frames import Array, Pose
from outrider.world.inertia import check_inertial, solid_inertial
from outrider.world.model import Inertial
from outrider.world.shapes import Box, Mesh
from outrider.world.tessellate import bounds


def mesh_volume(mesh: Mesh) -> float:
    """Return the enclosed volume; that of the box around it if the mesh encloses nothing."""
    volume = float(_tetrahedra(mesh)[1].sum())
    return volume if volume > 1e-3 * _box_volume(mesh) else _box_volume(mesh)


def mesh_inertial(mesh: Mesh, mass: float) -> Inertial:
    """Return the inertial of a closed mesh of even density; an open one counts as its box."""
    corners, volumes = _tetrahedra(mesh)
    total = float(volumes.sum())
    if total <= 1e-3 * _box_volume(mesh):
        return _boxed(mesh, mass)
    sums = corners.sum(axis=1)
    centre = volumes @ sums / (4 * total)
    # the second moments of a tetrahedron with one corner in the origin (Tonon 2005)
    products = np.einsum("tki,tkj->tij", corners, corners) + np.einsum("ti,tj->tij", sums, sums)
    second = np.einsum("t,tij->ij", volumes, products) / (20 * total) - np.outer(centre, centre)
    found = Inertial(mass, mass * (np.trace(second) * np.eye(3) - second), Pose(centre))
    try:
        check_inertial(found, "mesh")
    except WorldError:  # surfaces that cross themselves or face inward
        return _boxed(mesh, mass)
    return found


def _tetrahedra(mesh: Mesh) -> tuple[Array, Array]:
    """Return the corners (n, 3, 3) of a tetrahedron on each triangle, and its signed volume."""
    corners = mesh.vertices[mesh.faces]
    volumes = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return corners, volumes


def _box_volume(mesh: Mesh) -> float:
    low, high = bounds(mesh)
    return float(np.prod(np.maximum(high - low, 1e-4)))


def _boxed(mesh: Mesh, mass: float) -> Inertial:
    low, high = bounds(mesh)
    x, y, z = np.maximum(high - low, 1e-4).tolist()
    box = solid_inertial(Box((x, y, z)), mass)
    return Inertial(mass, box.inertia, Pose((low + high) / 2))
