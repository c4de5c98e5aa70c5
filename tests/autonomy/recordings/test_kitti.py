"""A KITTI folder that is made up, through the command that reads it."""

import json
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
    K = [two_eyes.FOCAL, 0, two_eyes.CX, 0, 0, two_eyes.FOCAL, two_eyes.CY, 0, 0, 0, 1, 0]
    right = list(K)
    right[3] = -two_eyes.FOCAL * two_eyes.BASELINE
    rows = {"P0": K, "P1": right, "Tr": [0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0]}
    return "".join(f"{n}: {' '.join(str(v) for v in row)}\n" for n, row in rows.items())


def folder(path: Path, scans: int = 0, pairs: int = 0) -> Path:
    (path / "calib.txt").write_text(calibration())
    count = max(scans, pairs)
    (path / "times.txt").write_text("".join(f"{0.1 * k:.6e}\n" for k in range(count)))
    for name, n in (("velodyne", scans), ("image_0", pairs), ("image_1", pairs)):
        if n:
            (path / name).mkdir()
    for k in range(scans):
        xyz = room.scan_points(Pose([STEP * k, 0.0, 0.0]), seed=k)
        full = np.concatenate([xyz, np.ones((len(xyz), 1))], axis=1).astype(np.float32)
        full.tofile(path / "velodyne" / f"{k:06d}.bin")
    texture = two_eyes.texture()
    for k in range(pairs):
        for eye, shift in (("image_0", 0.0), ("image_1", two_eyes.BASELINE)):
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
    assert len((out / "trajectory.tum").read_text().splitlines()) == 15
    assert (out / "map.pgm").exists()
    assert (out / "way.png").stat().st_size > 5000


def test_stereo_odometry_runs_on_its_images(tmp_path: Path) -> None:
    figures = run(folder(tmp_path, pairs=12), "--odometry", "stereo")
    assert figures["poses"] >= 11
    assert figures["length_m"] == pytest.approx(11 * STEP, abs=0.06)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    source = folder(tmp_path, scans=3)
    (source / "velodyne" / "000001.bin").unlink()
    with pytest.raises(AutonomyError, match=r"000001\.bin"):
        list(Kitti(source).messages({"/points"}))
    result = CliRunner().invoke(app, ["autonomy", "--from", str(source), "--odometry", "stereo"])
    assert isinstance(result.exception, AutonomyError)
    assert "no topic '/left/camera_info'" in str(result.exception)


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
