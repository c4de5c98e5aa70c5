"""Which shapes a mesh collides as: the simplest that are true to its surface."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from outrider.core.frames import Pose
from outrider.physics.colliders.boxes import boxes
from outrider.physics.colliders.convex import MOST_PARTS, convex_parts, hull
from outrider.physics.colliders.gap import surface_gap
from outrider.physics.colliders.ground import CLOSE, Ground, height_field, is_ground
from outrider.physics.colliders.mesh import Piece, taken_apart, weld
from outrider.physics.colliders.primitives import primitive
from outrider.physics.colliders.slabs import slabs
from outrider.physics.colliders.slices import slices
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh, Shape
from outrider.world.tessellate import bounds

Placed = tuple[Shape, Pose]

MOST_PIECES = 1000  # of one mesh: each costs every step some time
MOST_SLABBED = 20_000  # triangles that are joined into polygons one by one
ABRUPT = 0.3  # m: a ground farther from its height field may be several, above one another
MOST_CUT = 8  # concave moving parts of one mesh that are cut: each takes seconds
MANY_SLABS = 300  # a small thing of more flat parts is better cut into convex parts
LEAF, MANY_LEAVES = 1.0, 100  # m; so many sheets smaller than that are leaves
LARGE = 5.0  # m: larger things are not cut, because CoACD is true to a share of the size
FEW_FLAT = 12  # so many slabs of a small thing are never too many
FEW_FACES = 128  # a ground of so few triangles needs no height field


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Shapes with poses in the mesh's frame, and a sentence for all that is not as it looks."""

    pieces: tuple[Placed, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A mesh, fixed in the world or part of a moving body; fixed ones know how they are tilted.

    Place and heading do not matter: a hundred equal trees are worked out once.
    """

    mesh: Mesh
    pose: Pose  # of the mesh in an upright frame
    static: bool

    @classmethod
    def of(cls, mesh: Mesh, T_world_mesh: Pose, *, static: bool) -> Choice:
        """Return the choice for a mesh as it stands."""
        roll, pitch, _ = T_world_mesh.rpy
        tilt = [0.0 if abs(angle) < 1e-9 else angle for angle in (roll, pitch)]
        return cls(mesh, Pose.from_rpy([0, 0, 0], [*tilt, 0.0]) if static else Pose(), static)

    def key(self) -> tuple[object, ...]:
        """Return what the answer depends on."""
        turned = [float(value) for value in self.pose.rotation]
        return self.mesh.vertices, self.mesh.faces, self.static, turned

    def make(self) -> Made:
        """Work it out."""
        return _Maker(self).finish()


@dataclass(slots=True)
class _Maker:
    choice: Choice
    pieces: list[Placed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cuts: int = 0

    def finish(self) -> Made:
        mesh = self.choice.mesh
        # welding and taking apart millions of triangles takes long, and a ground needs neither
        if not self._ground(Piece(mesh.vertices, mesh.faces), ABRUPT):
            self._add_all(mesh)
        self._keep_largest()
        pieces = [_centred(*piece) for piece in self.pieces]
        return Made(tuple(pieces), tuple(dict.fromkeys(self.notes)))

    def _add_all(self, mesh: Mesh) -> None:
        whole = weld(mesh.vertices, mesh.faces) if len(mesh.faces) else None
        if whole is None or not len(whole.faces):
            self.notes.append("its triangles have no area: nothing collides with it")
            return
        for part in self._without_leaves(taken_apart(whole)):
            self._add(part)

    def _without_leaves(self, parts: list[Piece]) -> list[Piece]:
        """Leave out small loose sheets where there are many: foliage does not stop a vehicle."""
        leaves = [p for p in parts if len(p.faces) <= 8 and p.size < LEAF and not p.closed]
        if len(leaves) <= MANY_LEAVES:
            return parts
        self.notes.append(
            f"{len(leaves)} small loose sheets (leaves), of up to"
            f" {max(leaf.size for leaf in leaves):.2g} m, do not collide"
        )
        gone = {id(part) for part in leaves}
        return [part for part in parts if id(part) not in gone]

    def _add(self, part: Piece) -> None:
        found = primitive(part)
        if found is not None:
            self.pieces.append(found)
        elif part.convex:
            self.pieces.append((part.mesh(), Pose()))
        elif (blocks := boxes(part)) is not None:
            self.pieces += blocks
        elif self.choice.static:
            self._fixed(part)
        else:
            self._cut(part)

    def _ground(self, part: Piece, most: float = np.inf) -> bool:
        """Add a height field for a large ground, if none of it is farther off than that."""
        if not self.choice.static or len(part.faces) <= MOST_SLABBED:
            return False
        if not is_ground(part, self.choice.pose):
            return False
        made = height_field(part, self.choice.pose)
        if made.gap <= most:
            self._add_field(part, made)
        return made.gap <= most

    def _add_field(self, part: Piece, made: Ground) -> None:
        if made.gap > CLOSE:
            self.notes.append(
                f"a ground of {len(part.faces)} triangles differs from its height field by up to"
                f" {made.gap:.3g} m"
            )
        if made.holes:
            self.notes.append(f"the rims of holes in a ground are true to {_cell(made):.3g} m")
        self.pieces.append((made.field, self.choice.pose.inverse() @ made.pose))

    def _fixed(self, part: Piece) -> None:
        """Add what never moves: exact slabs if they are few, else a field, parts, or many slabs."""
        if self._ground(part):
            return
        if len(part.faces) > MOST_SLABBED:
            self._large(part)
            return
        field_ = self._field_if_ground(part)
        if field_ is not None and field_.gap <= CLOSE and not field_.holes:
            self._add_field(part, field_)
            return
        made = slabs(part, self.choice.pose)
        if field_ is not None and len(made) > MOST_PIECES:
            self._add_field(part, field_)
            return
        if len(made) > FEW_FLAT and self._sliced(part, len(made) // 3):
            return
        if len(made) > MANY_SLABS and self._true_parts(part):
            return
        self.pieces += made

    def _field_if_ground(self, part: Piece) -> Ground | None:
        if len(part.faces) <= FEW_FACES or not is_ground(part, self.choice.pose):
            return None
        return height_field(part, self.choice.pose)

    def _sliced(self, part: Piece, most: int) -> bool:
        """Add a few hulls for a small thing of many facets."""
        made = slices(part, most) if part.size < LARGE else None
        if made is None:
            return False
        self.pieces += [(mesh, Pose()) for mesh in made]
        return True

    def _true_parts(self, part: Piece) -> bool:
        """Add convex parts of a small thing if they are true to it."""
        if not part.closed or part.size > LARGE or self.cuts >= MOST_CUT:
            return False
        self.cuts += 1
        parts = convex_parts(part)
        if parts is None:
            return False
        made = [Geometry(mesh) for mesh in parts]
        if surface_gap(Geometry(part.mesh()), made, 1000)[0] > max(CLOSE, 0.02 * part.size):
            return False
        self.pieces += [(mesh, Pose()) for mesh in parts]
        return True

    def _large(self, part: Piece) -> None:
        """Add convex parts, or a height field of what is seen from above: the best that is left."""
        if self._true_parts(part):
            return
        made = height_field(part, self.choice.pose)
        self.notes.append(
            f"a part of {len(part.faces)} triangles with overhangs collides as it is seen from"
            " above: take it apart, or give it a simpler collider"
        )
        self._add_field(part, made)

    def _cut(self, part: Piece) -> None:
        """Add convex parts of what moves: of a solid by CoACD, of an open sheet by slices."""
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
            self.pieces += slabs(part, self.choice.pose)
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


def _cell(ground: Ground) -> float:
    counts = np.array(ground.field.heights.shape) - 1
    return float((np.array(ground.field.size) / counts).max())
