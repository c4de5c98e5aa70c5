"""KITTI's layout, checked by its own definitions: cam_k = P_k (Tr X), poses of camera 0."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from recording_bench import STATIC, World

RIGHT, INFO = "/front/right/image_raw", "/front/{}/camera_info"
MADE = "/cloud_deskewed"  # by a program, of the LiDAR's


@pytest.fixture(scope="module")
def sequence(tmp_path_factory):
    """A robot that drives along x at 1 m/s; its camera looks along x, 0.3 m up, 0.2 m ahead."""
    path = tmp_path_factory.mktemp("kitti") / "drive.kitti"
    world = World()
    world.bus.declare(RIGHT, "sensor_msgs/msg/Image")
    world.bus.declare(MADE, "sensor_msgs/msg/PointCloud2")
    for side in ("left", "right"):
        world.bus.declare(INFO.format(side), "sensor_msgs/msg/CameraInfo")
    with world.recorder(path) as recorder:
        frames = [
            ("base_link", "mid", (0, 0, 0.4), (0, 0, 0, 1)),
            ("base_link", "camera", (0.2, 0, 0.3), (-0.5, 0.5, -0.5, 0.5)),
        ]
        world.say(STATIC, 0, {"transforms": [_transform(*frame) for frame in frames]})
        for side, shift in (("left", 0.0), ("right", -94.6)):
            p = [788.0, 0, 511.5, shift, 0, 788.0, 383.5, 0, 0, 0, 1, 0]
            world.say(INFO.format(side), 0, {"p": p})
        for _ in range(200):
            world.run(1)
            topic, _, measured, values = world.said[-1]
            if topic == "/front/left/image_raw":
                world.say(RIGHT, measured, values)
            elif topic == "/mid/points":
                bare = [field for field in values["fields"] if field["name"] in "xyz"]
                few = {"fields": bare, "width": 7, "data": values["data"][: 7 * 16]}
                world.say(MADE, measured, values | few)
            if topic == "/mid/points" and world.said[-3][0] == "/front/left/image_raw":
                world.say(RIGHT, world.said[-3][2], world.said[-3][3])
    assert not recorder.report.failure
    return path


def numbers(path):
    return np.array([[float(v) for v in line.split()] for line in path.read_text().splitlines()])


def calibration(sequence):
    lines = (sequence / "sequences" / "00" / "calib.txt").read_text().splitlines()
    return {
        key: np.array([float(v) for v in rest.split()]).reshape(3, 4)
        for key, rest in (line.split(": ") for line in lines)
    }


def test_every_frame_has_both_images_a_cloud_a_time_and_a_pose(sequence):
    folder = sequence / "sequences" / "00"
    times = numbers(folder / "times.txt").ravel()
    assert len(times) == 20
    for name, suffix in (("image_2", "png"), ("image_3", "png"), ("velodyne", "bin")):
        files = sorted(file.name for file in (folder / name).iterdir())
        assert files == [f"{k:06d}.{suffix}" for k in range(20)]
    assert np.diff(times)[:-1] == pytest.approx(0.1)  # of the last, the next image was not out
    assert numbers(sequence / "poses" / "00.txt").shape == (20, 12)


def test_poses_are_the_left_cameras_seen_from_its_first(sequence):
    poses = numbers(sequence / "poses" / "00.txt").reshape(-1, 3, 4)
    times = numbers(sequence / "sequences" / "00" / "times.txt").ravel()
    assert poses[0] == pytest.approx(np.eye(3, 4), abs=1e-9)
    assert poses[:, 2, 3] == pytest.approx(times)  # z is ahead; 1 m/s
    assert poses[:, :2, 3] == pytest.approx(0.0, abs=1e-9)


def test_calibration_takes_a_point_of_the_cloud_to_its_pixel(sequence):
    given = calibration(sequence)
    ahead = np.array([10.2, 0.0, -0.1, 1.0])  # of the LiDAR: 10 m before the camera, level with it
    in_camera = np.append(given["Tr"] @ ahead, 1.0)
    assert in_camera[:3] == pytest.approx([0.0, 0.0, 10.0])
    pixel = given["P2"] @ in_camera
    assert pixel[:2] / pixel[2] == pytest.approx([511.5, 383.5])
    right = given["P3"] @ in_camera
    assert right[0] / right[2] == pytest.approx(511.5 - 94.6 / 10.0)


def test_clouds_are_four_float32_a_point_with_reflectance_up_to_one(sequence):
    file = sequence / "sequences" / "00" / "velodyne" / "000000.bin"
    points = np.fromfile(file, np.float32).reshape(-1, 4)
    assert len(points) == 50  # the LiDAR's own, not what a program made of it
    assert 0.0 <= points[:, 3].min() <= points[:, 3].max() <= 1.0


def _transform(parent, child, place, turn):
    return {
        "header": {"frame_id": parent},
        "child_frame_id": child,
        "transform": {
            "translation": dict(zip("xyz", map(float, place), strict=True)),
            "rotation": dict(zip("xyzw", map(float, turn), strict=True)),
        },
    }
