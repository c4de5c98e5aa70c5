"""Recordings of real Huskies: IMU and wheel data as CSV, in two layouts told apart by columns."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import EvaluationError
from outrider.core.files.package_files import refuse_devices
from outrider.core.frames import Array

GROUNDS = {  # folders of the data sets, and the material that is meant
    "ASPHALT": "asphalt",
    "CONCRETE": "concrete",
    "DIRT": "soil",
    "DIRT_ROAD": "soil",
    "FLOORING": "flooring",
    "GRASS": "grass",
    "GRAVEL": "gravel",
    "ICE": "ice",
    "PLOUGHED": "sandy-loam",
    "SANDY_LOAM": "sandy-loam",
    "SNOW": "snow",
    "UNPLOUGHED": "soil",
}
_IMU = ("wx", "wy", "wz", "ax", "ay", "az")
_FAST_HZ = 10.0  # wheel data faster than this has single samples that read half
_MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, eq=False)
class HuskyRecording:
    """One drive: times from 0, x forward, y left, z up, gravity included."""

    name: str  # ground folder and number
    ground: str  # the folder's name
    imu_s: Array
    imu: Array  # (n, 6): rad/s, m/s^2
    wheels_s: Array
    speeds: Array  # (m, 2): left and right rim, m/s
    currents: Array  # (m, 2): left and right, A

    @property
    def imu_hz(self) -> float:
        """The IMU's rate."""
        return float(1.0 / np.median(np.diff(self.imu_s)))

    @property
    def duration_s(self) -> float:
        """How long both IMU and wheels were recorded."""
        return float(min(self.imu_s[-1], self.wheels_s[-1]))

    def wheel_speeds(self, times_s: Array) -> Array:
        """Return left and right rim speeds at some times."""
        return np.column_stack(
            [np.interp(times_s, self.wheels_s, self.speeds[:, side]) for side in (0, 1)]
        )


def find_recordings(folder: Path) -> list[Path]:
    """Return the IMU files below a folder of one or several terrains."""
    if not folder.is_dir():
        raise EvaluationError(f"there is no folder '{folder}' of recordings")
    found = [*folder.glob("imu_*.csv"), *folder.glob("*/imu_*.csv")]
    if not found:
        raise EvaluationError(
            f"{folder}: holds no recordings: expected imu_N.csv and pro_N.csv, or folders of them"
        )
    return sorted(found)


def read_recording(imu_file: Path) -> HuskyRecording:
    """Read an IMU file and the wheel data next to it."""
    number = re.sub(r"^imu_", "", imu_file.stem)
    wheel_file = imu_file.with_name(f"pro_{number}.csv")
    imu, wheels = (
        _columns(imu_file, ("time", *_IMU)),
        _columns(wheel_file, ("time", "velL", "velR", "curL", "curR")),
    )
    imu_s, wheels_s = imu["time"] - imu["time"][0], wheels["time"] - wheels["time"][0]
    speeds = np.column_stack([wheels["velL"], wheels["velR"]])
    if 1.0 / np.median(np.diff(wheels_s)) > _FAST_HZ:
        speeds = _median_of_five(speeds)
    return HuskyRecording(
        name=f"{imu_file.parent.name}/{number}",
        ground=imu_file.parent.name,
        imu_s=imu_s,
        imu=np.column_stack([imu[axis] for axis in _IMU]),
        wheels_s=wheels_s,
        speeds=speeds,
        currents=np.column_stack([wheels["curL"], wheels["curR"]]),
    )


def material_of(ground: str) -> str:
    """Return the library material for a terrain's folder."""
    found = GROUNDS.get(ground.upper())
    if found is None:
        known = ", ".join(GROUNDS)
        raise EvaluationError(
            f"the folder '{ground}' is not a known terrain; use --ground MATERIAL"
            f" (known folders: {known})"
        )
    return found


def _columns(path: Path, names: tuple[str, ...]) -> dict[str, Array]:
    """Return columns by the names in the header, in any order."""
    refuse_devices(path, EvaluationError)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise EvaluationError(f"{path}: is larger than {_MOST_BYTES} bytes")
        with path.open(encoding="utf-8") as file:
            head = [word.strip() for word in file.readline().split(",")]
            rows = np.loadtxt(file, delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path}: cannot be read as a recording: {error}") from None
    missing = [name for name in names if name not in head]
    if missing:
        raise EvaluationError(
            f"{path}: there is no column '{missing[0]}'; it has {', '.join(head)}"
        )
    if len(rows) < 10 or rows.shape[1] != len(head) or not np.isfinite(rows).all():
        raise EvaluationError(f"{path}: expected ten or more lines of {len(head)} finite numbers")
    if (np.diff(rows[:, head.index("time")]) <= 0).any():
        raise EvaluationError(f"{path}: time: it must increase from line to line")
    return {name: rows[:, head.index(name)] for name in names}


def _median_of_five(values: Array) -> Array:
    padded = np.pad(values, ((2, 2), (0, 0)), mode="edge")
    windows: NDArray[np.float64] = np.lib.stride_tricks.sliding_window_view(padded, 5, axis=0)
    medians: Array = np.median(windows, axis=-1)
    return medians
