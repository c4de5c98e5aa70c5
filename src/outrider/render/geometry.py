"""The scene as pieces to draw: the triangles that rays hit, normals, texture coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.render.normals import smooth_normals
from outrider.render.picture import NOTHING, NOTHING_NAME
from outrider.render.texture.coordinates import texture_coordinates
from outrider.scene.part import Part
from outrider.scene.scene import Scene
from outrider.scene.surface import Floats32, Surface
from outrider.world.materials import Material
from outrider.world.shapes import Faces


@dataclass(frozen=True, slots=True, eq=False)
class DrawPiece:
    """One shape, in the frame of its part; the triangles are those of the part's surface, in order.

    A vertex has one normal and one texture coordinate, so there may be more of them than the
    surface has. ``uv`` has v upward; it is None where the material has no texture.
    """

    vertices: Floats32  # (n, 3)
    normals: Floats32  # (n, 3), unit: smooth up to a crease of 35 degrees
    uv: Floats32 | None  # (n, 2)
    faces: Faces  # (m, 3)
    material: Material
    label: int
    low: Array  # of a box around it
    high: Array
    covers: bool = True  # whether depth and labels show it: one may see through it

    @property
    def returns_infrared(self) -> bool:
        """Whether near infrared light ends on it; one that is clear and absorbs returns none."""
        given = self.material.transmits_infrared
        return self.covers if given is None else not given

    @property
    def absorbs_infrared(self) -> bool:
        """Whether near infrared light enters it and is lost, as in water."""
        return not self.returns_infrared and self.material.infrared_absorption > 0


@dataclass(frozen=True, slots=True, eq=False)
class DrawGroup:
    """The pieces of one part: of the world (body -1) or of a body, in whose frame they are."""

    body: int
    model: int
    part: Part
    pieces: tuple[DrawPiece, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """All there is to draw, and what the labels mean."""

    static: DrawGroup | None
    movers: tuple[DrawGroup, ...]
    names: dict[int, str]  # label -> "model" or "model/link"
    relief_seed: int | None = None  # of the ground below its mesh; None: it is as smooth as that


def drawing_of(scene: Scene) -> Drawing:
    """Return the pieces of everything that sensors may see."""
    view = scene.view
    labels = _Labels()
    drawn = scene.drawn()
    static = None if drawn is None else _static_group(drawn, labels)
    movers = tuple(_group(part, scene, labels) for part in view.movers)
    return Drawing(static, movers, labels.names, scene.relief_seed)


class _Labels:
    def __init__(self) -> None:
        self.names = {NOTHING: NOTHING_NAME}
        self._numbers = {NOTHING_NAME: NOTHING}

    def of(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._numbers))
        self.names[number] = name
        return number


_last_static: list[tuple[Part, tuple[DrawPiece, ...], tuple[str, ...]]] = []


def _static_group(part: Part, labels: _Labels) -> DrawGroup:
    """Return the world's pieces; those of the last world are kept, as robots come and go."""
    if not (_last_static and _last_static[0][0] is part):
        own = _Labels()
        pieces = tuple(_pieces(part.surface, [own.of(name or "world") for name in part.names]))
        _last_static[:] = [(part, pieces, tuple(own.names.values()))]
    _, pieces, names = _last_static[0]
    for name in names[1:]:  # the same numbers as before: they come first
        labels.of(name)
    return DrawGroup(part.body, part.model, part, pieces)


def _group(part: Part, scene: Scene, labels: _Labels) -> DrawGroup:
    label = labels.of(scene.assembly.bodies[part.body].name)
    pieces = _pieces(part.surface, [label] * len(part.names))
    return DrawGroup(part.body, part.model, part, tuple(pieces))


def _pieces(surface: Surface, labels: list[int]) -> list[DrawPiece]:
    rows = zip(surface.geometry, surface.meshes, labels, strict=True)
    return [
        _piece(
            vertices,
            faces,
            geometry.material,
            label,
            texture_coordinates(geometry, vertices, faces),
        )
        for geometry, (vertices, faces), label in rows
    ]


def _piece(
    vertices: Floats32,
    faces: Faces,
    material: Material,
    label: int,
    coordinates: tuple[Floats32, Faces] | None,
) -> DrawPiece:
    """Split vertices that have several normals or texture coordinates."""
    uv_faces = faces if coordinates is None else coordinates[1]
    normals, source, uv_source, new_faces = smooth_normals(vertices, faces, uv_faces)
    uv = None if coordinates is None else np.ascontiguousarray(coordinates[0][uv_source])
    points = np.ascontiguousarray(vertices[source])
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return DrawPiece(
        points,
        normals,
        uv,
        faces=new_faces,
        material=material,
        label=label,
        low=low.astype(np.float64),
        high=high.astype(np.float64),
    )
