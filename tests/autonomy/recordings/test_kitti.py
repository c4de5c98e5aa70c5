"""A KITTI folder that is made up, through the command that reads it."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import room
import two_eyes
from PIL import Image
from typer.testing import CliRunner

from outrider.autonomy.recordings.kitti import Kitti
from outrider.cli.main import app
from outrider.core.errors import AutonomyError
from outrider.core.frames import Pose

STEP = 0.06


def calibration() -> str:
    def eye(x: float) -> list[float]:
        f = two_eyes.FOCAL
        return [f, 0, two_eyes.CX, -f * x, 0, f, two_eyes.CY, 0, 0, 0, 1, 0]

    rows = {
        "P0": eye(0),
        "P1": eye(two_eyes.BASELINE),
        "Tr": [0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0],
    }
    rows |= {"P2": eye(-0.06), "P3": eye(-0.06 + two_eyes.BASELINE)}  # colour, 6 cm to the left
    return "".join(f"{n}: {' '.join(str(v) for v in row)}\n" for n, row in rows.items())


def folder(path: Path, scans: int = 0, pairs: int = 0, eyes: tuple[int, int] = (0, 1)) -> Path:
    (path / "calib.txt").write_text(calibration())
    count = max(scans, pairs)
    (path / "times.txt").write_text("".join(f"{0.1 * k:.6e}\n" for k in range(count)))
    left, right = (f"image_{eye}" for eye in eyes)
    for name, n in (("velodyne", scans), (left, pairs), (right, pairs)):
        if n:
            (path / name).mkdir()
    for k in range(scans):
        xyz = room.scan_points(Pose([STEP * k, 0.0, 0.0]), seed=k)
        full = np.concatenate([xyz, np.ones((len(xyz), 1))], axis=1).astype(np.float32)
        full.tofile(path / "velodyne" / f"{k:06d}.bin")
    texture = two_eyes.texture()
    for k in range(pairs):
        for eye, shift in ((left, 0.0), (right, two_eyes.BASELINE)):
            picture = two_eyes.wall(texture, shift, 0.0, STEP * k, 5.0)
            Image.fromarray(picture).save(path / eye / f"{k:06d}.png")
    return path


def run(path: Path, *more: str) -> dict:
    result = CliRunner().invoke(app, ["autonomy", "--from", str(path), "--json", *more])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_lidar_odometry_runs_on_its_scans(tmp_path: Path) -> None:
    source = folder(tmp_path, scans=15)
    out = tmp_path / "out"
    figures = run(source, "--odometry", "lidar", "--out", str(out))
    assert figures["poses"] == 15
    assert figures["length_m"] == pytest.approx(14 * STEP, abs=0.06)
    lines = (out / "trajectory.tum").read_text().splitlines()
    assert len([line for line in lines if not line.startswith("#")]) == 15
    assert (out / "map.pgm").exists()
    assert (out / "way.png").stat().st_size > 5000


def test_stereo_odometry_runs_on_its_images(tmp_path: Path) -> None:
    figures = run(folder(tmp_path, pairs=12), "--odometry", "stereo")
    assert figures["poses"] >= 11
    assert figures["length_m"] == pytest.approx(11 * STEP, abs=0.06)


def test_a_whole_data_set_with_colour_images_is_judged_by_its_poses(tmp_path: Path) -> None:
    sequence = tmp_path / "sequences" / "07"
    sequence.mkdir(parents=True)
    folder(sequence, pairs=10, eyes=(2, 3))
    (tmp_path / "poses").mkdir()
    lines = [f"1 0 0 0 0 1 0 0 0 0 1 {STEP * k}\n" for k in range(10)]  # z is ahead
    (tmp_path / "poses" / "07.txt").write_text("".join(lines))
    figures = run(tmp_path, "--odometry", "stereo")
    assert figures["localization"]["position_m"]["max"] < 0.03
    assert figures["localization"]["rotation_deg"]["max"] < 1.0
    frames = next(m for _, m, _ in Kitti(tmp_path).messages({"/tf_static"}))
    eye = frames.transforms[0].transform.translation
    assert (eye.x, eye.y, eye.z) == pytest.approx((0.0, 0.06, 0.0))


def test_a_data_set_of_several_sequences_asks_which(tmp_path: Path) -> None:
    for name in ("00", "01"):
        (tmp_path / "sequences" / name).mkdir(parents=True)
        folder(tmp_path / "sequences" / name, scans=1)
    with pytest.raises(AutonomyError, match=r"several sequences, choose one: .*00, .*01"):
        Kitti(tmp_path)


def test_a_calibration_without_the_eye_is_named(tmp_path: Path) -> None:
    source = folder(tmp_path, pairs=1)
    (source / "calib.txt").write_text("P3: 1 0 0 0 0 1 0 0 0 0 1 0\n")
    with pytest.raises(AutonomyError, match=r"calib\.txt: there is no line 'P0:'"):
        list(Kitti(source).messages({"/left/camera_info"}))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    source = folder(tmp_path, scans=3)
    (source / "velodyne" / "000001.bin").unlink()
    with pytest.raises(AutonomyError, match=r"000001\.bin"):
        list(Kitti(source).messages({"/points"}))
    result = CliRunner().invoke(app, ["autonomy", "--from", str(source), "--odometry", "stereo"])
    assert isinstance(result.exception, AutonomyError)
    assert "no topic '/left/camera_info'" in str(result.exception)
    result = CliRunner().invoke(app, ["autonomy", "--from", str(source)])
    assert "no topic '/imu/data' for imu; use --topic imu=NAME, or --odometry lidar, which" in str(
        result.exception
    )


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("calib.txt", b"P0: 1 0 0 0 0 1 0 0 0 0 1 0\nP1: \xff 1"),
        ("calib.txt", b"P0: nan 0 0 0 0 1 0 0 0 0 1 0\n"),
        ("calib.txt", b"nothing: of it"),
        ("times.txt", b"nan\n"),
        ("image_0/000000.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x08"),
        ("image_1/000000.png", b""),
    ],
)
def test_damaged_files_are_refused_in_one_sentence(tmp_path, name, data):
    good = b"P0: 1 0 0 0 0 1 0 0 0 0 1 0\nP1: 1 0 0 0 0 1 0 0 0 0 1 0\n"
    (tmp_path / "times.txt").write_text("0\n")
    (tmp_path / "calib.txt").write_bytes(good)
    for eye in "01":
        (tmp_path / f"image_{eye}").mkdir()
        Image.new("L", (4, 3)).save(tmp_path / f"image_{eye}" / "000000.png")
    (tmp_path / name).write_bytes(data)
    with pytest.raises(AutonomyError):
        list((found := Kitti(tmp_path)).messages(found.topics))


def test_an_image_that_asks_for_all_memory_is_refused(tmp_path, monkeypatch):
    def greedy(_):
        raise MemoryError

    (tmp_path / "times.txt").write_text("0\n")
    matrix = "1 0 0 0 0 1 0 0 0 0 1 0\n"
    (tmp_path / "calib.txt").write_text(f"P0: {matrix}P1: {matrix}")
    for eye in "01":
        (tmp_path / f"image_{eye}").mkdir()
        Image.new("L", (4, 3)).save(tmp_path / f"image_{eye}" / "000000.png")
    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", greedy)
    with pytest.raises(AutonomyError, match="not an image"):
        list((found := Kitti(tmp_path)).messages(found.topics))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names only on Unix")
@pytest.mark.parametrize("name", ["velodyne/000000.bin", "image_0/000000.png"])
def test_a_pipe_is_refused_where_it_would_be_waited_for(tmp_path, name):
    place = folder(tmp_path, 1, 1) / name
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(AutonomyError, match="is not a file"):
        list((found := Kitti(tmp_path)).messages(found.topics))
