"""Messages as things drawn in the scene."""

import json
import math
import struct
from typing import Any

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.messages.convert import from_dict
from outrider.messages.types import Header, LaserScan, PointCloud2, PointField, Range, Time
from outrider.ui.stage.mesh import WebMesh
from outrider.ui.stage.tiles import tiles_of
from outrider.ui.views.cards import image_card, scan_card
from outrider.ui.views.drawn import (
    ViewStyle,
    draw_cloud,
    draw_grid,
    draw_markers,
    draw_path,
    draw_range,
    draw_scan,
)
from outrider.world.model import Geometry
from outrider.world.shapes import Mesh

TURNED = Pose.from_rpy((1.0, 2.0, 3.0), (0.0, 0.0, math.pi / 2))


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + length]), data[4 + length :]


def places(data: bytes) -> tuple[dict[str, Any], np.ndarray]:
    head, rest = unpacked(data)
    return head, np.frombuffer(rest, np.float32, 3 * head["n"]).reshape(-1, 3)


def scan(ranges: list[float]) -> LaserScan:
    top = Header(Time(0, 0), "laser")
    values = np.array(ranges, np.float32)
    step = math.pi / 2
    return LaserScan(top, -step, step, step, 0.0, 0.1, 0.1, 10.0, values, np.zeros(0, np.float32))


def cloud(rows: list[tuple[float, float, float, float]], height: int = 1) -> PointCloud2:
    fields = [PointField(n, 4 * i, 7, 1) for i, n in enumerate(("x", "y", "z", "intensity"))]
    data = np.array(rows, np.float32).reshape(-1).view(np.uint8)
    width = len(rows) // height
    top = Header(Time(0, 0), "laser")
    return PointCloud2(top, height, width, fields, False, 16, 16 * width, data, False)


def test_a_scan_lies_where_its_sensor_was() -> None:
    head, found = places(draw_scan("/scan", scan([1.0, 2.0, math.inf]), TURNED, ViewStyle()))
    assert head["n"] == 2  # nothing where nothing was seen
    np.testing.assert_allclose(found, [[2.0, 2.0, 3.0], [1.0, 4.0, 3.0]], atol=1e-6)


def test_lines_begin_at_the_sensor() -> None:
    head, found = places(draw_scan("/scan", scan([1.0, 2.0, 3.0]), TURNED, ViewStyle("lines")))
    assert head["k"] == "lines"
    np.testing.assert_allclose(found[0::2], np.tile([1.0, 2.0, 3.0], (3, 1)), atol=1e-6)


def test_points_that_are_no_numbers_are_left_out_and_colours_follow_the_intensity() -> None:
    rows = [(1, 0, 0, 0.0), (2, 0, 0, 100.0), (math.nan, 0, 0, 50.0)]
    data = draw_cloud("/points", cloud(rows), Pose(), ViewStyle(colour="intensity"))
    head, rest = unpacked(data)
    assert head["n"] == 2
    colours = np.frombuffer(rest[24:], np.uint8).reshape(-1, 4)
    assert colours[0, 2] > colours[0, 0]  # blue for weak echoes
    assert colours[1, 0] > colours[1, 2]  # red for strong ones


def test_a_mesh_has_no_faces_across_gaps() -> None:
    rows = [(5, y, z, 1.0) for z in (0.0, 0.2) for y in (0.0, 0.2, 4.0)]
    head, _ = unpacked(draw_cloud("/points", cloud(rows, 2), Pose(), ViewStyle("mesh")))
    assert head["k"] == "faces"
    assert head["m"] == 6  # two triangles between the first two columns


def test_a_cone_ends_at_the_echo() -> None:
    message = Range(Header(Time(0, 0), "ping"), 0, 0.4, 0.02, 3.0, 1.5, 0.0)
    _, found = places(draw_range("/range", message, Pose(), ViewStyle()))
    np.testing.assert_allclose(np.linalg.norm(found[1:], axis=1), 1.5, atol=1e-6)


def test_a_grid_from_outside_shows_free_taken_and_unknown() -> None:
    message = from_dict(
        "nav_msgs/msg/OccupancyGrid",
        {
            "info": {
                "resolution": 0.5,
                "width": 3,
                "height": 1,
                "origin": {"position": {"x": 2.0}, "orientation": {"w": 1.0}},
            },
            "data": [0, 100, -1],
        },
    )
    head, rest = unpacked(draw_grid("/map", message, Pose(), ViewStyle()))
    assert (head["width"], head["height"], head["cell"], head["origin"][0]) == (3, 1, 0.5, 2.0)
    free, taken, unknown = np.frombuffer(rest, np.uint8).reshape(-1, 4)
    assert free[0] > 200 > 40 > taken[0]
    assert unknown[3] == 0


def test_a_path_is_a_line_through_its_poses() -> None:
    poses = [{"pose": {"position": {"x": float(x)}}} for x in range(3)]
    head, found = places(
        draw_path("/plan", from_dict("nav_msgs/msg/Path", {"poses": poses}), Pose(), ViewStyle())
    )
    assert head["n"] == 3
    np.testing.assert_allclose(found[:, 0], [0, 1, 2])


@pytest.mark.parametrize(("encoding", "depth"), [("rgb8", 3), ("mono8", 1), ("32FC1", 4)])
def test_images_of_all_kinds_become_pictures(encoding: str, depth: int) -> None:
    pixels = np.arange(8 * 6 * depth, dtype=np.uint8)
    message = from_dict(
        "sensor_msgs/msg/Image",
        {"height": 6, "width": 8, "encoding": encoding, "step": 8 * depth, "data": pixels},
    )
    assert image_card("/image", message).startswith(b"\xff\xd8\xff")


def test_a_scan_card_is_a_picture() -> None:
    assert scan_card("/scan", scan([1.0, 2.0, 3.0])).startswith(b"\xff\xd8\xff")


def test_tiles_of_a_large_ground_meet_without_gaps_and_are_coarse_from_afar() -> None:
    side = 301
    x, y = np.meshgrid(np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32))
    points = np.column_stack([x.ravel(), y.ravel(), np.sin(x.ravel() / 20)]).astype(np.float32)
    corner = np.arange(side * side).reshape(side, side)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([b, d, c], -1)]).reshape(-1, 3)
    ground = Geometry(Mesh(points.astype(np.float64), faces.astype(np.int32)))
    tiles = tiles_of(ground, points, faces.astype(np.int32), 4)
    assert tiles is not None
    fine = [tiles.mesh(i, fine=True) for i in range(len(tiles))]
    coarse = [tiles.mesh(i, fine=False) for i in range(len(tiles))]
    assert sum(len(mesh.indices) for mesh in fine) == faces.size
    assert sum(len(mesh.indices) for mesh in coarse) < 0.9 * faces.size
    for whole, rough in zip(fine, coarse, strict=True):
        assert _rim(whole) == _rim(rough)


def _rim(mesh: WebMesh) -> set[tuple[tuple[float, ...], ...]]:
    """Return the edges inside the ground that only one triangle of a tile has."""
    found: dict[tuple[tuple[float, ...], ...], int] = {}
    for triangle in mesh.indices.reshape(-1, 3):
        for k in range(3):
            ends = sorted(tuple(mesh.positions[triangle[j]].tolist()) for j in (k, (k + 1) % 3))
            found[tuple(ends)] = found.get(tuple(ends), 0) + 1
    inside = (edge for edge, count in found.items() if count == 1)
    return {e for e in inside if all(0.0 < p[0] < 300.0 and 0.0 < p[1] < 300.0 for p in e)}


def test_markers_become_lines_in_their_colours() -> None:
    at = {"position": {"x": 1.0}, "orientation": {"w": 1.0}}
    red, size = {"r": 1.0, "a": 1.0}, {"x": 2.0, "y": 2.0, "z": 2.0}
    corners = [{"x": 0.0}, {"x": 1.0}, {"x": 1.0, "y": 1.0}]
    markers = [
        {"action": 3},  # take away what was drawn before
        {"type": 4, "pose": at, "color": red, "points": corners},
        {"type": 1, "pose": at, "scale": size},
        {"type": 2, "pose": at, "scale": size},
        {"type": 0, "pose": at, "points": corners[:2]},
        {"type": 9, "text": "not drawn"},
        {"type": 4, "pose": at, "points": [{"x": math.nan}, {"x": 1.0}]},
    ]
    message = from_dict("visualization_msgs/msg/MarkerArray", {"markers": markers})
    head, found = places(draw_markers("/markers", message, TURNED, ViewStyle()))
    assert head["k"] == "lines"
    assert head["n"] == 4 + 24 + 3 * 48 + 6
    np.testing.assert_allclose(found[:4], [[1, 0, 0], [2, 0, 0], [2, 0, 0], [2, 1, 0]])
    cube, sphere = found[4:28] - [1, 0, 0], found[28:172] - [1, 0, 0]
    assert (np.abs(cube) == 1.0).all()
    np.testing.assert_allclose(np.linalg.norm(sphere, axis=1), 1.0, atol=1e-6)
