"""What light passes: the transparent pieces of a drawing, apart from the solid ones."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from outrider.render.geometry import DrawGroup, Drawing, DrawPiece
from outrider.render.light import CUT
from outrider.render.texture.mipmaps import texture_of
from outrider.scene.surface import Floats32
from outrider.world.materials import OPAQUE, Material
from outrider.world.shapes import Faces


def split(drawing: Drawing) -> tuple[Drawing, Drawing | None]:
    """Return what is solid and what is transparent, with all groups in both; None for nothing."""
    groups = [*([drawing.static] if drawing.static else []), *drawing.movers]
    if not any(is_transparent(piece) for group in groups for piece in group.pieces):
        return drawing, None
    return _part(drawing, False), _part(drawing, True)


def met_by_infrared(drawing: Drawing) -> Drawing | None:
    """Return what near infrared light ends on or is lost in; None if that is all that covers."""
    groups = [*([drawing.static] if drawing.static else []), *drawing.movers]
    pieces = [_as_drawn(piece) for group in groups for piece in group.pieces]
    if all(p.returns_infrared == p.covers and not p.absorbs_infrared for p in pieces):
        return None
    static = _met_group(drawing.static) if drawing.static else None
    movers = [_met_group(group) for group in drawing.movers]
    return replace(
        drawing,
        static=static if static and static.pieces else None,
        movers=tuple(group for group in movers if group.pieces),
    )


def _met_group(group: DrawGroup) -> DrawGroup:
    drawn = [_as_drawn(piece) for piece in group.pieces]
    kept = [k for k, p in enumerate(drawn) if p.returns_infrared or p.absorbs_infrared]
    part = replace(group.part, surface=group.part.surface.only(kept))
    return replace(group, part=part, pieces=tuple(drawn[k] for k in kept))


def _as_drawn(piece: DrawPiece) -> DrawPiece:
    return _pane(piece) if is_transparent(piece) else piece


def is_transparent(piece: DrawPiece) -> bool:
    """Return whether one sees through a piece: by its material, or by most of its texture."""
    return piece.material.colour[3] < OPAQUE or _translucent(piece)


def _translucent(piece: DrawPiece) -> bool:
    return piece.uv is not None and texture_of(piece.material.texture).translucent


def _part(drawing: Drawing, transparent: bool) -> Drawing:
    static = _group(drawing.static, transparent) if drawing.static else None
    movers = tuple(_group(group, transparent) for group in drawing.movers)
    seed = None if transparent else drawing.relief_seed
    return Drawing(static, movers, drawing.names, seed)


def _group(group: DrawGroup, transparent: bool) -> DrawGroup:
    """Return some of a group's pieces; the group itself if these are all."""
    kept = [k for k, piece in enumerate(group.pieces) if is_transparent(piece) == transparent]
    if len(kept) == len(group.pieces) and not transparent:
        return group
    pieces = tuple(group.pieces[k] for k in kept)
    part = replace(group.part, surface=group.part.surface.only(kept))
    return replace(group, part=part, pieces=tuple(map(_pane, pieces)) if transparent else pieces)


def _pane(piece: DrawPiece) -> DrawPiece:
    """Return a transparent piece with the opacity of each of its faces."""
    shown = piece.material.colour[3]
    if piece.uv is not None:
        shown *= texture_of(piece.material.texture).opacity
    material = replace(of_a_face(piece.material, piece.vertices, piece.faces), detail="")
    return replace(piece, material=material, covers=shown >= CUT)


def of_a_face(material: Material, vertices: Floats32, faces: Faces) -> Material:
    """Return a material with the opacity of one face of a shape.

    A closed shape is looked through twice, so that each of its faces takes half, as a factor.
    """
    r, g, b, opacity = material.colour
    if opacity >= OPAQUE or not is_closed(vertices, faces):
        return material
    return replace(material, colour=(r, g, b, 1.0 - math.sqrt(max(0.0, 1.0 - opacity))))


def is_closed(vertices: Floats32, faces: Faces) -> bool:
    """Return whether every edge of a mesh has a triangle on both sides; vertices may be split."""
    _, place = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    corners = place.reshape(-1)[faces]
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    _, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    return bool((count % 2 == 0).all())
