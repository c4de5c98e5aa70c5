"""Outlines of SDF, extruded to solids."""

from __future__ import annotations

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.polygons import clip_ears
from outrider.formats.xml_source import Element, XmlSource
from outrider.world.shapes import Mesh

MAX_POINTS = 4096


def polyline_mesh(source: XmlSource, geometry: Element) -> Mesh | None:
    """Return the solid over an outline; further outlines inside the first are holes."""
    outlines = [_outline(source, element) for element in geometry.findall("polyline")]
    if not outlines:
        return None
    height = max(source.child_number(e, "height", 1.0) for e in geometry.findall("polyline"))
    if height <= 0:
        source.note(geometry, "has no extent and was left out")
        return None
    outer, *holes = outlines
    loops = [outer if _area(outer) > 0 else outer[::-1]]
    loops += [hole if _area(hole) < 0 else hole[::-1] for hole in holes]
    try:
        caps = clip_ears([_raised(loop, 0.0) for loop in loops])
    except FormatError as error:
        raise source.fail(geometry, str(error)) from None
    return _extruded(loops, np.asarray(caps, np.int64), height)


def _outline(source: XmlSource, element: Element) -> Array:
    points = [
        source.parse(point, "point", point.text or "", 2) for point in element.findall("point")
    ]
    flat = np.array(points[: MAX_POINTS + 1])
    if len(points) > MAX_POINTS:
        raise source.fail(element, f"an outline has at most {MAX_POINTS} points")
    if len(points) > 1 and np.array_equal(flat[0], flat[-1]):
        flat = flat[:-1]  # closed by hand
    if len(flat) < 3 or abs(_area(flat)) < 1e-12:
        raise source.fail(element, "an outline needs three points that are not in line")
    return flat


def _extruded(
    loops: list[Array], caps: np.ndarray[tuple[int, ...], np.dtype[np.int64]], height: float
) -> Mesh:
    flat = np.concatenate(loops)
    count = len(flat)
    vertices = np.concatenate([_raised(flat, 0.0), _raised(flat, height)])
    sides = []
    start = 0
    for loop in loops:
        here = start + np.arange(len(loop))
        there = start + (np.arange(len(loop)) + 1) % len(loop)
        sides.append(np.stack([here, there, there + count], axis=1))
        sides.append(np.stack([here, there + count, here + count], axis=1))
        start += len(loop)
    faces = np.concatenate([caps[:, ::-1], caps + count, *sides])
    return Mesh(vertices, faces.astype(np.int32), source="polyline")


def _raised(loop: Array, height: float) -> Array:
    return np.column_stack([loop, np.full(len(loop), height)])


def _area(loop: Array) -> float:
    x, y = loop.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
