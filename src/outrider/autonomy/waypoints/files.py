"""Waypoint files: follow_waypoints' CSV, and our YAML."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from outrider.core.errors import AutonomyError
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.text_file import read_text_file
from outrider.core.files.yaml_file import parse_yaml
from outrider.core.frames import yaw_of
from outrider.core.structure import from_data

_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A position in the map; without a heading, any will do."""

    x: float
    y: float
    yaw_deg: float | None = None


@dataclass(frozen=True, slots=True)
class _File:
    waypoints: tuple[Waypoint | tuple[float, ...], ...]


def read_waypoints(path: Path) -> tuple[Waypoint, ...]:
    """Read a file: .csv has x,y,z,qx,qy,qz,qw per line, .yaml a list 'waypoints'."""
    text = read_text_file(path)
    points = _of_csv(path, text) if path.suffix == ".csv" else _of_yaml(path, text)
    if not 0 < len(points) <= _MOST:
        raise AutonomyError(f"{path}: expected 1 to {_MOST} waypoints, got {len(points)}")
    return points


def write_waypoints(path: Path, points: tuple[Waypoint, ...]) -> None:
    """Write a file in the format of its suffix."""
    if path.suffix == ".csv":
        write_whole(path, "".join(_csv_line(point) for point in points).encode())
        return
    rows = [
        {"x": p.x, "y": p.y} | ({} if p.yaw_deg is None else {"yaw_deg": p.yaw_deg}) for p in points
    ]
    write_whole(path, yaml.safe_dump({"waypoints": rows}, sort_keys=False).encode())


def as_waypoint(values: tuple[float, ...], where: str) -> Waypoint:
    """Return [x, y] or [x, y, yaw_deg] as a waypoint."""
    if not 2 <= len(values) <= 3:
        raise AutonomyError(f"{where}: a waypoint is [x, y] or [x, y, yaw_deg], got {values}")
    return Waypoint(*values)


def _of_csv(path: Path, text: str) -> tuple[Waypoint, ...]:
    points = []
    for number, row in enumerate(_rows(path, text), start=1):
        if not row:
            continue
        try:
            values = [float(value) for value in row]
        except ValueError:
            values = []
        if len(values) != 7 or not all(math.isfinite(value) for value in values):
            raise AutonomyError(
                f"{path}: line {number}: expected x,y,z,qx,qy,qz,qw, got {row!s:.80}"
            )
        x, y, _, *q = values
        size = math.hypot(*q)
        heading = None if size < 0.5 else math.degrees(yaw_of(np.array(q) / size))
        points.append(Waypoint(x, y, heading))
    return tuple(points)


def _rows(path: Path, text: str) -> list[list[str]]:
    try:
        return list(csv.reader(text.splitlines()))
    except csv.Error as error:  # a value longer than the library reads
        raise AutonomyError(f"{path}: cannot be read: {error}") from None


def _of_yaml(path: Path, text: str) -> tuple[Waypoint, ...]:
    read = from_data(_File, parse_yaml(text, str(path)), str(path)).waypoints
    return tuple(
        p if isinstance(p, Waypoint) else as_waypoint(p, f"{path}: waypoints.{i}")
        for i, p in enumerate(read)
    )


def _csv_line(point: Waypoint) -> str:
    half = math.radians(point.yaw_deg or 0.0) / 2
    values = (point.x, point.y, 0.0, 0.0, 0.0, math.sin(half), math.cos(half))
    return ",".join(f"{value:.6g}" for value in values) + "\n"
