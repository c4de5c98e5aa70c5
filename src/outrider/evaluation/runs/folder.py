"""Result folders: one subfolder per seed and a summary; read again for reports."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outrider.autonomy.mapping.map_files import GridMap, load_map, save_map
from outrider.core.errors import EvaluationError
from outrider.core.files.atomic_file import write_whole
from outrider.core.frames import Array
from outrider.core.plain_name import in_file_name
from outrider.evaluation.measures.resources import COLUMNS
from outrider.evaluation.measures.trajectory import Trajectory, read_tum, write_tum
from outrider.evaluation.runs.map_accuracy import TRUTH
from outrider.evaluation.runs.measured_run import Measured, Rows
from outrider.recording.recorder import RecordingOptions
from outrider.scenarios.load import dump
from outrider.scenarios.result import Result, json_ready

RESULT, SCENARIO, RECORDING = "result.json", "scenario.yaml", "run.mcap"
_IMU = ("time_s", "wx", "wy", "wz", "ax", "ay", "az")


def seed_folder(whole: Path, seed: int) -> Path:
    """Return the folder of one run."""
    return whole / f"seed-{seed}"


def seeds_in(whole: Path) -> list[int]:
    """Return the seeds of the finished runs in a result folder."""
    names = [path.parent.name.removeprefix("seed-") for path in whole.glob(f"seed-*/{RESULT}")]
    return sorted(int(name) for name in names if name.isdecimal())


def recording_in(folder: Path | None) -> RecordingOptions | None:
    """Return the options to record a run next to its results."""
    return None if folder is None else RecordingOptions(folder / RECORDING, overwrite=True)


def write_measured(folder: Path, run: Measured) -> None:
    """Write scenario, traces and result; the result last, which marks the run as complete."""
    traces = run.traces
    write_whole(folder / SCENARIO, dump(run.scenario).encode())
    for name, way in traces.truth.items():
        write_tum(folder / f"truth-{in_file_name(name)}.tum", way)
    if len(traces.estimate):
        write_tum(folder / "estimate.tum", traces.estimate)
    if traces.grid is not None:
        save_map(folder / "map", traces.grid)
    for name, rows in traces.imu.items():
        write_table(folder / f"imu-{in_file_name(name)}.csv", _IMU, rows.tolist())
    write_table(folder / "resources.csv", COLUMNS, traces.resources)
    write_json(folder / RESULT, run.result)


def write_json(path: Path, value: object) -> None:
    """Write JSON without NaN."""
    write_whole(path, (json.dumps(json_ready(value), indent=2, allow_nan=False) + "\n").encode())


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"{v:.9g}" if isinstance(v, float) else v for v in row] for row in rows)
    write_whole(path, text.getvalue().encode())


@dataclass(frozen=True, slots=True, eq=False)
class SavedRun:
    """One run in its folder; traces are read on demand."""

    folder: Path
    result: Result

    @property
    def scenario_text(self) -> str:
        """The scenario that ran."""
        return (self.folder / SCENARIO).read_text("utf-8")

    def truth(self) -> dict[str, Trajectory]:
        """Return the true trajectories, by robot."""
        found = sorted(self.folder.glob("truth-*.tum"))
        return {path.stem.removeprefix("truth-"): read_tum(path) for path in found}

    def estimate(self) -> Trajectory | None:
        """Return the estimated trajectory, if the robot had an autonomy stack."""
        path = self.folder / "estimate.tum"
        return read_tum(path) if path.is_file() else None

    def grid(self) -> GridMap | None:
        """Return the robot's map."""
        path = self.folder / "map.yaml"
        return load_map(path) if path.is_file() else None

    def imu(self) -> dict[str, Array]:
        """Return IMU samples by robot-sensor: time, rates, specific forces."""
        found = sorted(self.folder.glob("imu-*.csv"))
        return {path.stem.removeprefix("imu-"): read_table(path, len(_IMU)) for path in found}

    def resources(self) -> Rows:
        """Return resource use, once a second."""
        path = self.folder / "resources.csv"
        rows = read_table(path, len(COLUMNS)) if path.is_file() else np.zeros((0, len(COLUMNS)))
        return [tuple(row) for row in rows.tolist()]


def read_runs(folder: Path) -> list[SavedRun]:
    """Return all runs of a result folder, by seed; a folder without any is refused."""
    if not folder.is_dir():
        raise EvaluationError(f"there is no result folder '{folder}'")
    paths = sorted(folder.glob(f"seed-*/{RESULT}")) or sorted(folder.glob(RESULT))
    runs = [SavedRun(path.parent, read_result(path)) for path in paths]
    if not runs:
        raise EvaluationError(
            f"{folder}: holds no results: expected seed-N/{RESULT}, as"
            " 'outrider scenario run NAME --out DIR' writes them"
        )
    return sorted(runs, key=lambda run: int(run.result["seed"]))


def read_result(path: Path) -> Result:
    """Return the result of one run, or raise the reason."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path}: cannot be read as a result: {error}") from None
    if not isinstance(found, dict) or not {"scenario", "seed", "completed"} <= found.keys():
        raise EvaluationError(
            f"{path}: is not the result of a run: scenario, seed or completed is missing"
        )
    return found


def true_map_of(folder: Path) -> GridMap | None:
    """Return the true map of a result folder."""
    path = folder / f"{TRUTH}.yaml"
    return load_map(path) if path.is_file() else None


def read_table(path: Path, columns: int) -> Array:
    """Read a CSV file with a header and a number of numeric columns."""
    try:
        rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path}: cannot be read: {error}") from None
    if rows.size and rows.shape[1] != columns:
        raise EvaluationError(f"{path}: expected {columns} columns, got {rows.shape[1]}")
    return rows.reshape(-1, columns)
