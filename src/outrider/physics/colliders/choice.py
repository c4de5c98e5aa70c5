"""The choice of collision shapes for a mesh where an engine needs convex ones."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from outrider.core.frames import Pose
from outrider.physics.colliders.boxes import boxes
from outrider.physics.colliders.convex import MOST_PARTS, convex_parts, hull
from outrider.physics.colliders.mesh import Piece, taken_apart, weld
from outrider.physics.colliders.primitives import primitive
from outrider.physics.colliders.pyramids import pyramids
from outrider.physics.colliders.slices import slices
from outrider.world.shapes import Mesh, Shape
from outrider.world.tessellate import bounds

Placed = tuple[Shape, Pose]

MOST_PIECES = 1000  # of one mesh that moves: each costs every step some time
MOST_PYRAMIDS = 5000  # triangles of a fixed mesh that are written one by one
MOST_CUT = 8  # concave parts of one mesh that are cut: each takes seconds


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Shapes with poses in the mesh's frame, and a sentence for all that is not as it looks."""

    pieces: tuple[Placed, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ColliderChoice:
    """A mesh: part of a moving body, or fixed and to be written for a program without triangles."""

    mesh: Mesh
    static: bool = False

    def key(self) -> tuple[object, ...]:
        """Return what the answer depends on."""
        return self.mesh.vertices, self.mesh.faces, self.static

    def make(self) -> Made:
        """Work it out."""
        return _Maker(self).finish()


@dataclass(slots=True)
class _Maker:
    choice: ColliderChoice
    pieces: list[Placed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cuts: int = 0

    def finish(self) -> Made:
        self._add_all(self.choice.mesh)
        if not self.choice.static:
            self._keep_largest()
        pieces = [_centred(*piece) for piece in self.pieces]
        return Made(tuple(pieces), tuple(dict.fromkeys(self.notes)))

    def _add_all(self, mesh: Mesh) -> None:
        whole = weld(mesh.vertices, mesh.faces) if len(mesh.faces) else None
        if whole is None or not len(whole.faces):
            self.notes.append("its triangles have no area: nothing collides with it")
            return
        for part in taken_apart(whole):
            self._add(part)

    def _add(self, part: Piece) -> None:
        found = primitive(part)
        if found is not None:
            self.pieces.append(found)
        elif part.convex:
            self.pieces.append((part.mesh(), Pose()))
        elif (blocks := boxes(part)) is not None:
            self.pieces += blocks
        elif self.choice.static and len(part.faces) <= MOST_PYRAMIDS:
            self.pieces += [(pyramid, Pose()) for pyramid in pyramids(part)]
        else:
            self._cut(part)

    def _cut(self, part: Piece) -> None:
        """Add convex parts: of a solid by CoACD, of an open sheet by slices."""
        parts = None
        if not part.closed:
            parts = slices(part, MOST_PARTS)
        elif self.cuts < MOST_CUT:
            self.cuts += 1
            parts = convex_parts(part)
        if parts is None:
            self._hull(part)
            return
        self.pieces += [(piece, Pose()) for piece in parts]

    def _hull(self, part: Piece) -> None:
        made = hull(part.vertices)
        if made is None:  # a flat sheet: solids of no thickness cannot collide
            self.pieces += [(pyramid, Pose()) for pyramid in pyramids(part)]
            return
        self.notes.append(
            f"a concave part of {len(part.faces)} triangles collides as its convex hull"
        )
        self.pieces.append((made, Pose()))

    def _keep_largest(self) -> None:
        """Leave out the smallest pieces where there are too many for an engine."""
        if len(self.pieces) <= MOST_PIECES:
            return
        sizes = np.array([_size(shape) for shape, _ in self.pieces])
        order = np.sort(np.argsort(-sizes, kind="stable")[:MOST_PIECES])
        dropped = len(self.pieces) - MOST_PIECES
        limit = float(np.sort(sizes)[dropped - 1])
        self.notes.append(f"its {dropped} smallest parts, up to {limit:.3g} m, do not collide")
        self.pieces = [self.pieces[i] for i in order]


def _centred(shape: Shape, pose: Pose) -> Placed:
    """Put a mesh's origin into its middle: engines keep its corners as 32-bit floats."""
    if not isinstance(shape, Mesh):
        return shape, pose
    middle = (shape.vertices.min(axis=0) + shape.vertices.max(axis=0)) / 2
    return Mesh(shape.vertices - middle, shape.faces), pose @ Pose(middle)


def _size(shape: Shape) -> float:
    low, high = bounds(shape)
    return float(np.linalg.norm(high - low))
