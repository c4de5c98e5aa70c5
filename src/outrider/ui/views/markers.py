"""RViz's markers drawn in the scene as coloured lines; texts are left out."""

import math
from collections.abc import Callable

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.messages.types import Message
from outrider.ui.link.frame import packed
from outrider.ui.views.colours import plain

_ARROW, _CUBE, _SPHERE, _STRIP, _LIST = 0, 1, 2, 4, 5  # visualization_msgs/Marker
_ADD = 0
_MOST_MARKERS, _MOST_POINTS = 500, 5000
_TURN = np.linspace(0.0, 2 * math.pi, 25)
_RING = np.column_stack([np.cos(_TURN), np.sin(_TURN), np.zeros(len(_TURN))]) / 2


def markers_as_lines(message: Message, pose_of: Callable[[Message], Pose]) -> tuple[Array, Array]:
    """Return ends of lines (2 n, 3) of a MarkerArray, and their colours (2 n, 4)."""
    ends, colours = [np.zeros((0, 3))], [np.zeros((0, 4), np.uint8)]
    for marker in message.markers[:_MOST_MARKERS]:
        lines = _LINES.get(marker.type)
        if marker.action != _ADD or lines is None:
            continue
        found = pose_of(marker.pose).apply(lines(marker))
        if np.isfinite(found).all():
            ends.append(found)
            colours.append(plain(_colour(marker), len(found)))
    return np.concatenate(ends), np.concatenate(colours)


def packed_lines(key: str, ends: Array, colours: Array) -> bytes:
    """Return lines as the page draws them."""
    head = {"k": "lines", "id": key, "n": len(ends), "opacity": 1.0}
    return packed(head, ends.astype(np.float32), colours)


def _arrow(marker: Message) -> Array:
    """Return shaft and head: between two points, or along x of its pose."""
    points = _points(marker)[:2]
    if len(points) < 2:
        points = np.array([[0.0, 0.0, 0.0], [float(marker.scale.x), 0.0, 0.0]])
    start, end = points
    along = end - start
    aside = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < np.abs(along).max() else (1.0, 0, 0))
    barbs = [end - 0.2 * along + side * 0.1 * aside for side in (1.0, -1.0)]
    return np.array([start, end, end, barbs[0], end, barbs[1]])


def _strip(marker: Message) -> Array:
    points = _points(marker)
    return np.stack([points[:-1], points[1:]], axis=1).reshape(-1, 3)


def _list(marker: Message) -> Array:
    points = _points(marker)
    return points[: len(points) // 2 * 2]


def _sphere(marker: Message) -> Array:
    """Return three circles."""
    rings = [np.roll(_RING, turn, axis=1) for turn in range(3)]
    lines = [np.stack([ring[:-1], ring[1:]], axis=1).reshape(-1, 3) for ring in rings]
    return np.concatenate(lines) * _size(marker)


def _cube(marker: Message) -> Array:
    """Return twelve edges."""
    corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3, indexing="ij")).reshape(3, -1).T
    edges = [(a, a | bit) for bit in (1, 2, 4) for a in range(8) if not a & bit]
    ends: Array = corners[np.array(edges).reshape(-1)] * _size(marker)
    return ends


def _points(marker: Message) -> Array:
    points = marker.points[:_MOST_POINTS]
    return np.array([[p.x, p.y, p.z] for p in points], np.float64).reshape(-1, 3)


def _size(marker: Message) -> Array:
    return np.array([marker.scale.x, marker.scale.y, marker.scale.z], np.float64)


def _colour(marker: Message) -> tuple[int, int, int]:
    paint = marker.color
    shares = np.nan_to_num([paint.r, paint.g, paint.b]).clip(0.0, 1.0)
    red, green, blue = (int(255 * share) for share in shares)
    return red, green, blue


_LINES: dict[int, Callable[[Message], Array]] = {
    _ARROW: _arrow,
    _CUBE: _cube,
    _SPHERE: _sphere,
    _STRIP: _strip,
    _LIST: _list,
}
