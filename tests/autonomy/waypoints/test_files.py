"""Waypoints in files."""

import os
from pathlib import Path

import pytest

from outrider.autonomy.waypoints.files import Waypoint, read_waypoints, write_waypoints
from outrider.core.errors import OutriderError


def test_the_line_of_follow_waypoints_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pose.csv"
    path.write_text("-1.546,-2.455,0.0,0.0,0.0,0.0625,0.9980\n\n1,2,0,0,0,0,1\n")
    first, second = read_waypoints(path)
    assert (first.x, first.y) == (-1.546, -2.455)
    assert first.yaw_deg == pytest.approx(7.17, abs=0.01)
    assert second == Waypoint(1.0, 2.0, 0.0)


@pytest.mark.parametrize("ending", ["csv", "yaml"])
def test_what_is_written_is_read_again(tmp_path: Path, ending: str) -> None:
    points = (Waypoint(1.0, -2.0, 90.0), Waypoint(0.5, 3.0, -45.0))
    path = tmp_path / f"way.{ending}"
    write_waypoints(path, points)
    for found, point in zip(read_waypoints(path), points, strict=True):
        assert (found.x, found.y) == (point.x, point.y)
        assert found.yaw_deg == pytest.approx(point.yaw_deg, abs=1e-3)


def test_yaml_takes_short_lists(tmp_path: Path) -> None:
    path = tmp_path / "way.yaml"
    path.write_text("waypoints: [[1, 2], [3, 4, 90], {x: 5, y: 6}]\n")
    assert read_waypoints(path) == (Waypoint(1, 2), Waypoint(3, 4, 90.0), Waypoint(5, 6))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "1,2,3\n", "line 1: expected x,y,z,qx,qy,qz,qw"),
        ("a.csv", "1,2,0,0,0,0,nan\n", "line 1"),
        ("a.csv", "", "expected 1 to"),
        ("a.yaml", "waypoints: [[1]]", "waypoints.0"),
        ("a.yaml", "way: []", "unknown key"),
    ],
)
def test_a_bad_file_names_the_place(tmp_path: Path, name: str, text: str, told: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(OutriderError, match=told.replace("(", r"\(")):
        read_waypoints(path)


def test_aliases_that_multiply_are_refused_before_they_are_followed(tmp_path: Path) -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    path = tmp_path / "way.yaml"
    path.write_text("\n".join(lines))
    with pytest.raises(OutriderError, match="aliases expand to more than"):
        read_waypoints(path)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutriderError, match=r"way\.yaml: cannot be written"):
        write_waypoints(tmp_path / "file" / "way.yaml", (Waypoint(1.0, 2.0),))


def test_a_value_that_is_too_long_is_told(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("1" * 200_000 + ",2,0,0,0,0,1\n")
    with pytest.raises(OutriderError, match=r"points\.csv: cannot be read: field larger than"):
        read_waypoints(path)


def test_a_device_or_pipe_which_has_no_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "way.csv")
    for path in (Path("/dev/zero"), tmp_path / "way.csv", tmp_path):
        with pytest.raises(OutriderError, match=f"{path}: is not a file"):
            read_waypoints(path)
