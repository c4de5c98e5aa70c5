"""Faces written twice, as SketchUp does for front and back: which of two in one place is seen."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.formats.mesh.polygons import weld
from outrider.world.shapes import Faces

MAX_FACES = 500_000  # larger meshes are scans and terrain, which nobody draws twice


def seen_faces(
    parts: list[tuple[Array, Faces]], ranks: list[int]
) -> list[NDArray[np.bool_]] | None:
    """Tell for each face of each part whether it is the one to draw of those in its place.

    Of several faces over the same three points the one of the highest rank is kept, the first of
    equals. None if no two share a place.
    """
    counts = [len(faces) for _, faces in parts]
    if sum(counts) > MAX_FACES:
        return None
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    _, number = weld(np.concatenate([vertices for vertices, _ in parts]))
    corners = [number[faces + start] for (_, faces), start in zip(parts, starts, strict=False)]
    keys = np.sort(np.concatenate(corners), axis=1)
    rank = np.repeat(ranks, counts)
    order = np.lexsort((-rank, keys[:, 2], keys[:, 1], keys[:, 0]))  # keeps the order of equals
    first = np.ones(len(order), bool)
    first[1:] = (keys[order][1:] != keys[order][:-1]).any(axis=1)
    if first.all():
        return None
    seen = np.zeros(len(order), bool)
    seen[order] = first
    return np.split(seen, np.cumsum(counts)[:-1])
