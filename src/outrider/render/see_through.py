"""Holes for the rays of sensors: a LiDAR sees through a leaf card where a camera does."""

from dataclasses import replace

import numpy as np

from outrider.render.alpha_test import has_holes, hit_filter_of
from outrider.render.texture.coordinates import texture_coordinates
from outrider.scene.embree import HitFilter
from outrider.scene.part import Part
from outrider.scene.surface import Piece


def see_through(part: Part) -> Part:
    """Return a part with the holes of its textures; the part itself where they have none."""
    pieces = [piece for piece in part.surface.pieces() if has_holes(piece[1].material)]
    hit_filters = {piece[0]: _hit_filter(piece) for piece in pieces}
    return (
        replace(part, surface=part.surface.with_hit_filters(hit_filters)) if hit_filters else part
    )


def _hit_filter(piece: Piece) -> HitFilter:
    _, geometry, vertices, faces = piece
    found = texture_coordinates(geometry, vertices, faces)
    uv, corners = (None, faces) if found is None else found
    return hit_filter_of(geometry.material, uv, np.ascontiguousarray(corners))
