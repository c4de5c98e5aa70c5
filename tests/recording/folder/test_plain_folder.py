"""Plain folders: what other programs read is what was said."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))
from recording_bench import IMAGE, IMU, TRUTH, World, record_all

from outrider.messages.convert import from_dict
from outrider.recording.folder.images import pixels, write_image
from outrider.recording.writer import UnwritableError


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "drive"
    world, report = record_all(path)
    assert not report.failure
    return path, world


def said(world, topic):
    return [values for name, _, _, values in world.said if name == topic]


def test_truth_is_a_table_with_both_times(folder):
    path, world = folder
    rows = table(path / "ground_truth" / "state.csv")
    assert len(rows) == len(said(world, TRUTH)) == 120
    assert rows[4]["time_s"] == rows[4]["log_time_s"] == "0.050000000"
    assert float(rows[4]["pose.pose.position.x"]) == 0.05
    assert rows[4]["child_frame_id"] == "base_link"


def test_numbers_come_back_to_the_last_bit(folder):
    path, world = folder
    rows = table(path / "imu" / "data.csv")
    for row, values in zip(rows, said(world, IMU), strict=True):
        assert float(row["angular_velocity.x"]) == values["angular_velocity"]["x"]


def test_images_are_png_with_a_row_each(folder):
    path, world = folder
    rows = table(path / "front" / "left" / "image_raw.csv")
    for row, values in zip(rows, said(world, IMAGE), strict=True):
        shown = np.asarray(Image.open(path / row["file"]))
        assert shown.ravel().tolist() == values["data"]
    assert rows[0]["time_s"] == "0.025000000"
    assert rows[0]["log_time_s"] == "0.050000000"


def test_clouds_are_arrays_with_named_fields(folder):
    path, world = folder
    points = np.load(path / "mid" / "points" / "000000.npy")
    assert points.dtype.names == ("x", "y", "z", "intensity")
    raw = np.array(said(world, "/mid/points")[0]["data"], np.uint8).view(np.float32)
    assert points["intensity"].tolist() == raw.reshape(-1, 4)[:, 3].tolist()


def test_frames_have_a_row_each(folder):
    (row,) = table(folder[0] / "tf_static.csv")
    assert row["header.frame_id"] == "base_link"
    assert row["transform.translation.z"] == "0.4"


def test_the_manifest_lists_all_topics(folder):
    told = json.loads((folder[0] / "recording.json").read_text())
    assert told["complete"] is True
    assert {row["topic"]: row["messages"] for row in told["topics"]}[IMU] == 120


def test_clouds_as_ply_are_read_by_others(tmp_path):
    world, _ = record_all(tmp_path / "ply", steps=10, format="folder-ply")
    cloud = trimesh.load(tmp_path / "ply" / "mid" / "points" / "000000.ply")
    raw = np.array(said(world, "/mid/points")[0]["data"], np.uint8).view(np.float32)
    assert cloud.vertices.shape == (50, 3)
    assert cloud.vertices == pytest.approx(raw.reshape(-1, 4)[:, :3])


@pytest.mark.parametrize(
    ("encoding", "data", "shape", "first"),
    [
        ("mono8", np.arange(12, dtype=np.uint8), (3, 4), 0),
        ("bgr8", np.arange(36, dtype=np.uint8), (3, 4, 3), [2, 1, 0]),
        ("16UC1", np.arange(1000, 1012, dtype=np.uint16), (3, 4), 1000),
        ("32FC1", np.linspace(0.5, 2.0, 12, dtype=np.float32), (3, 4), 0.5),
    ],
)
def test_every_encoding_of_our_cameras_has_a_file(encoding, data, shape, first, tmp_path):
    octets = data.view(np.uint8)
    values = {
        "height": 3,
        "width": 4,
        "encoding": encoding,
        "step": len(octets) // 3,
        "data": octets,
    }
    file = write_image(tmp_path / "x", pixels(from_dict("sensor_msgs/msg/Image", values)))
    found = np.load(file) if file.suffix == ".npy" else np.asarray(Image.open(file))
    assert found.shape == shape
    assert found[0, 0].tolist() == first


def test_an_encoding_without_a_file_is_told(tmp_path):
    with pytest.raises(UnwritableError, match="'yuv422' have no file format"):
        pixels(from_dict("sensor_msgs/msg/Image", {"encoding": "yuv422"}))
    assert World().bus.topics()
