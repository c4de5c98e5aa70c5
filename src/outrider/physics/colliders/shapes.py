"""Shapes for engines that collide only convex things and height fields.

What a mesh collides as is chosen once, to be true to its surface: nothing invisible may stand where
the mesh has a hole (docs/colliders.md), and kept on disk.
"""

from dataclasses import dataclass

from outrider.physics.colliders.choice import Choice
from outrider.physics.colliders.store import stored
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh


@dataclass(frozen=True, slots=True, eq=False)
class Colliders:
    """What a geometry collides as, and a sentence for everything that is not as it looks."""

    pieces: tuple[Geometry, ...]
    notes: tuple[str, ...] = ()


def solid(geometry: Geometry, *, static: bool) -> list[Geometry]:
    """Return what a mesh collides as; other shapes stay as they are."""
    return list(colliders(geometry, static=static).pieces)


def colliders(geometry: Geometry, *, static: bool) -> Colliders:
    """Return what a geometry collides as, with notes."""
    if not isinstance(geometry.shape, Mesh):
        return Colliders((geometry,))
    made = stored(Choice.of(geometry.shape, geometry.pose, static=static))
    pieces = tuple(
        Geometry(shape, geometry.pose @ pose, geometry.material, geometry.name)
        for shape, pose in made.pieces
    )
    return Colliders(pieces, made.notes)
