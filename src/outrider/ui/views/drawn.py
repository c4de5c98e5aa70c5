"""Messages drawn in the scene: clouds, beams, cones, maps, paths, arrows."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from outrider.core.frames import AnyArray, Array, Pose
from outrider.messages.point_cloud import cloud_records
from outrider.messages.types import Message
from outrider.sensors.gnss.geodesy import LocalFrame
from outrider.ui.link.frame import packed
from outrider.ui.views.colours import coloured, plain
from outrider.ui.views.markers import markers_as_lines, packed_lines
from outrider.ui.views.tracks import track_with
from outrider.world.model import GeoOrigin

Style: TypeAlias = Literal["points", "lines", "mesh"]
ColourBy: TypeAlias = Literal["range", "intensity", "ring", "height"]

_MOST_POINTS = 60_000
_MOST_RAYS = 4000
_FREE = 60  # of 255: how much a map's free space hides what is below
_FAR_EDGE = 1.0  # m: neighbours farther apart than this share of their range make no face


@dataclass(frozen=True, slots=True)
class ViewStyle:
    """How a cloud or scan is drawn."""

    style: Style = "points"
    colour: ColourBy = "range"
    origin: GeoOrigin = field(default_factory=GeoOrigin)  # of the world


Draw: TypeAlias = Callable[[str, Message, Pose, ViewStyle], bytes]


def draw_cloud(key: str, message: Message, pose: Pose, manner: ViewStyle) -> bytes:
    """Draw a PointCloud2."""
    rows = cloud_records(message)
    local = np.column_stack([rows["x"], rows["y"], rows["z"]]).astype(np.float64)
    seen = np.asarray(np.isfinite(local).all(axis=1))
    ranges = np.linalg.norm(np.where(seen[:, None], local, 0.0), axis=1)
    names = rows.dtype.names or ()
    by = {
        "range": ranges,
        "intensity": rows["intensity"] if "intensity" in names else ranges,
        "ring": rows["ring"] if "ring" in names else ranges,
        "height": local[:, 2],
    }[manner.colour].astype(np.float64)
    return _points(key, (local, seen, by, int(message.height)), pose, manner)


def draw_scan(key: str, message: Message, pose: Pose, manner: ViewStyle) -> bytes:
    """Draw a LaserScan."""
    ranges = np.asarray(message.ranges, np.float64)
    angle = message.angle_min + np.arange(len(ranges)) * message.angle_increment
    seen = np.isfinite(ranges) & (ranges >= message.range_min) & (ranges <= message.range_max)
    known = np.where(seen, ranges, 0.0)
    local = np.column_stack([known * np.cos(angle), known * np.sin(angle), np.zeros(len(ranges))])
    strength = np.asarray(message.intensities, np.float64)
    by = strength if manner.colour == "intensity" and len(strength) == len(ranges) else known
    return _points(key, (local, seen, by, 1), pose, manner)


def _points(
    key: str, found: tuple[Array, AnyArray, Array, int], pose: Pose, manner: ViewStyle
) -> bytes:
    local, seen, by, height = found
    if not seen.any():
        return packed({"k": "cloud", "id": key, "n": 0}, np.zeros((0, 3), np.float32))
    low, high = (float(v) for v in np.percentile(by[seen], (2, 98)))
    colours = coloured(by, low, high)
    if manner.style == "mesh" and height > 1:
        return _mesh(key, found, pose, colours)
    places, colours = pose.apply(local[seen]), colours[seen]
    if manner.style == "lines":
        step = max(1, len(places) // _MOST_RAYS)
        return _rays(key, places[::step], colours[::step], pose)
    step = max(1, math.ceil(len(places) / _MOST_POINTS))
    places, colours = places[::step], colours[::step]
    head = {
        "k": "cloud",
        "id": key,
        "n": len(places),
        "size": 3 if height > 1 or len(places) > 2000 else 5,
    }
    return packed(head, places.astype(np.float32), colours)


def _rays(key: str, ends: Array, colours: AnyArray, pose: Pose) -> bytes:
    both = np.empty((2 * len(ends), 3), np.float32)
    both[0::2], both[1::2] = pose.position, ends
    paint = np.repeat(colours, 2, axis=0)
    paint[0::2, 3] = 40
    return packed({"k": "lines", "id": key, "n": len(both), "opacity": 0.45}, both, paint)


def _mesh(
    key: str, found: tuple[Array, AnyArray, Array, int], pose: Pose, colours: AnyArray
) -> bytes:
    """Draw neighbours of an ordered cloud as faces, except across depth edges."""
    local, seen, _, height = found
    width = len(local) // height
    index = np.arange(height * width).reshape(height, width)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    faces = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)]
    )
    faces = faces[seen[faces].all(axis=1)]
    corners = local[faces]
    reach = np.linalg.norm(corners, axis=2).min(axis=1)
    edge = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    faces = faces[edge < np.minimum(_FAR_EDGE, 0.25 * reach)].astype(np.uint32)
    places = pose.apply(np.where(seen[:, None], local, 0.0)).astype(np.float32)
    head = {"k": "faces", "id": key, "n": len(places), "m": faces.size, "opacity": 0.6}
    return packed(head, places, colours, faces)


def draw_range(key: str, message: Message, pose: Pose, _manner: ViewStyle) -> bytes:
    """Draw a range sensor's cone up to its range, and a ring at the echo."""
    heard = math.isfinite(message.range)
    reach = float(message.range) if heard else float(message.max_range)
    half = max(0.5 * float(message.field_of_view), 0.01)
    turn = np.linspace(0.0, 2 * math.pi, 25)[:-1]
    side = reach * math.sin(half)
    rim = np.column_stack(
        [np.full(len(turn), reach * math.cos(half)), side * np.cos(turn), side * np.sin(turn)]
    )
    local = np.vstack([np.zeros((1, 3)), rim, [[reach, 0.0, 0.0]]])
    count = len(turn)
    ring = np.arange(count)
    after = (ring + 1) % count
    hull = np.column_stack([np.zeros(count), ring + 1, after + 1])
    cap = np.column_stack([np.full(count, count + 1), ring + 1, after + 1])
    faces = np.vstack([hull, cap]).astype(np.uint32)
    colour = plain((255, 110, 60) if heard else (90, 170, 255), len(local))
    head = {"k": "faces", "id": key, "n": len(local), "m": faces.size, "opacity": 0.28}
    return packed(head, pose.apply(local).astype(np.float32), colour, faces)


def draw_point(key: str, message: Message, pose: Pose, _manner: ViewStyle) -> bytes:
    """Draw a PointStamped: where a beam was reflected."""
    place = np.array([[message.point.x, message.point.y, message.point.z]])
    known = place[np.isfinite(place).all(axis=1)]
    places = pose.apply(known).astype(np.float32)
    return packed(
        {"k": "marks", "id": key, "n": len(places), "radius": 0.035, "over": True}, places
    )


def draw_grid(key: str, message: Message, pose: Pose, _manner: ViewStyle) -> bytes:
    """Draw an OccupancyGrid: free light, occupied dark, unknown transparent; costs as colours."""
    info = message.info
    cells = np.asarray(message.data, np.int16).reshape(info.height, info.width)
    paint = np.zeros((info.height, info.width, 4), np.uint8)
    known = cells >= 0
    shade = (235 - 2.2 * np.clip(cells, 0, 100)).astype(np.uint8)
    paint[known] = np.column_stack([shade[known]] * 3 + [np.full(int(known.sum()), 255, np.uint8)])
    paint[cells == 0, 3] = _FREE  # a robot on the map stays visible
    between = known & (cells > 0) & (cells < 100)
    paint[between] = coloured(cells[between].astype(np.float64), 0.0, 100.0)
    origin = pose @ _pose(info.origin)
    x, y, z = origin.position.tolist()
    head = {
        "k": "map",
        "id": key,
        "width": int(info.width),
        "height": int(info.height),
        "cell": float(info.resolution),
        "origin": [x, y, z + 0.05],
        "yaw": float(origin.rpy[2]),
        "n": int(known.sum()),
    }
    return packed(head, paint)


def draw_path(key: str, message: Message, pose: Pose, _manner: ViewStyle) -> bytes:
    """Draw a Path."""
    points = [p.pose.position for p in message.poses[:5000]]
    places = np.array([[p.x, p.y, p.z + 0.06] for p in points]).reshape(-1, 3)
    head = {"k": "path", "id": key, "n": len(places), "colour": "#4fc3f7"}
    return packed(head, pose.apply(places).astype(np.float32))


def draw_pose(key: str, message: Message, pose: Pose, _manner: ViewStyle) -> bytes:
    """Draw a PoseStamped or Odometry as an arrow."""
    inner = message.pose.pose if hasattr(message.pose, "pose") else message.pose
    at = pose @ _pose(inner)
    arrow = np.array(
        [[0, 0, 0], [0.8, 0, 0], [0.8, 0, 0], [0.6, 0.12, 0], [0.8, 0, 0], [0.6, -0.12, 0]]
    )
    places = at.apply(arrow + np.array([0.0, 0.0, 0.1])).astype(np.float32)
    head = {"k": "lines", "id": key, "n": len(places), "opacity": 1.0}
    return packed(head, places, plain((255, 90, 200), len(places)))


def draw_markers(key: str, message: Message, _sensor: Pose, _manner: ViewStyle) -> bytes:
    """Draw a MarkerArray: what components show."""
    return packed_lines(key, *markers_as_lines(message, _pose))


def draw_fix(key: str, message: Message, _pose: Pose, manner: ViewStyle) -> bytes:
    """Draw all fixes so far as dots above the ground."""
    frame = LocalFrame(manner.origin)
    places = [frame.local(*fix) for fix in track_with(key, message).tolist()]
    dots = np.array(places, np.float32).reshape(-1, 3)
    dots[:, 2] += 0.1
    head = {"k": "marks", "id": key, "n": len(dots), "radius": 0.06, "colour": "#4fc3f7"}
    return packed(head, dots)


DRAWERS: dict[str, Draw] = {
    "sensor_msgs/msg/PointCloud2": draw_cloud,
    "sensor_msgs/msg/LaserScan": draw_scan,
    "sensor_msgs/msg/Range": draw_range,
    "geometry_msgs/msg/PointStamped": draw_point,
    "nav_msgs/msg/OccupancyGrid": draw_grid,
    "nav_msgs/msg/Path": draw_path,
    "geometry_msgs/msg/PoseStamped": draw_pose,
    "nav_msgs/msg/Odometry": draw_pose,
    "sensor_msgs/msg/NavSatFix": draw_fix,
    "visualization_msgs/msg/MarkerArray": draw_markers,
}


def _pose(message: Message) -> Pose:
    p, q = message.position, message.orientation
    turn = np.array([q.x, q.y, q.z, q.w])
    length = float(np.linalg.norm(turn))
    place = np.array([p.x, p.y, p.z])
    return Pose(place, turn / length) if length > 1e-9 else Pose(place)
