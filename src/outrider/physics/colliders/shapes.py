"""Shapes for programs that collide only convex bodies: moving ones, and exported worlds.

What never moves collides as it is, triangle by triangle (physics/triangles). What a moving mesh
collides as is chosen once, to be true to its surface (docs/colliders.md), and kept on disk.
"""

from dataclasses import dataclass

from outrider.physics.colliders.choice import ColliderChoice
from outrider.physics.colliders.store import stored
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh


@dataclass(frozen=True, slots=True, eq=False)
class Colliders:
    """What a geometry collides as, and a sentence for everything that is not as it looks."""

    pieces: tuple[Geometry, ...]
    notes: tuple[str, ...] = ()


def solid(geometry: Geometry) -> list[Geometry]:
    """Return what a mesh that moves collides as; other shapes stay as they are."""
    return list(colliders(geometry, static=False).pieces)


def colliders(geometry: Geometry, *, static: bool) -> Colliders:
    """Return what a geometry collides as in our engines, with notes."""
    return Colliders((geometry,)) if static else convex(geometry, static=False)


def convex(geometry: Geometry, *, static: bool) -> Colliders:
    """Return a geometry as convex shapes, for programs that know nothing else."""
    if not isinstance(geometry.shape, Mesh):
        return Colliders((geometry,))
    made = stored(ColliderChoice(geometry.shape, static))
    pieces = tuple(
        Geometry(shape, geometry.pose @ pose, geometry.material, geometry.name)
        for shape, pose in made.pieces
    )
    return Colliders(pieces, made.notes)
