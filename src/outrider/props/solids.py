"""Props from a few solid parts: visuals and colliders are the same boxes."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from outrider.core.frames import Pose
from outrider.props.patches import Patch, box, joined
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Cylinder


def seen(patches: Iterable[Patch], material: Material) -> Geometry:
    """Return patches of one look as one piece of geometry."""
    return Geometry(joined(patches).mesh(), material=material)


def solid_box(
    size: ArrayLike, centre: ArrayLike, material: Material, rpy: ArrayLike = (0.0, 0.0, 0.0)
) -> Geometry:
    """Return a box to bump into."""
    x, y, z = (float(value) for value in np.asarray(size, float))
    return Geometry(Box((x, y, z)), Pose.from_rpy(centre, rpy), material)


def solid_cylinder(radius: float, length: float, centre: ArrayLike, material: Material) -> Geometry:
    """Return an upright cylinder to bump into."""
    return Geometry(Cylinder(radius, length), Pose(np.asarray(centre, float)), material)


class Boxes:
    """Boxes of one look, seen and bumped into alike."""

    def __init__(self, material: Material, metres: float | tuple[float, float] = 1.0) -> None:
        self.material, self.metres = material, metres
        self.patches: list[Patch] = []
        self.colliders: list[Geometry] = []

    def add(self, size: ArrayLike, centre: ArrayLike, leave_out: tuple[str, ...] = ()) -> None:
        """Add a box by its edge lengths and its middle."""
        self.patches.append(box(size, centre, self.metres, leave_out))
        self.colliders.append(solid_box(size, centre, self.material))

    def seen(self) -> Geometry:
        """Return all boxes as one piece of geometry."""
        return seen(self.patches, self.material)
