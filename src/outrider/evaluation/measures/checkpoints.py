"""Error accumulated over checkpoints: the sum of squared distances over the distance driven."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outrider.core.errors import EvaluationError
from outrider.core.frames import Array
from outrider.evaluation.measures.trajectory import Trajectory


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCurve:
    """Error over distance: metres driven and sum of squared distances (mm^2) so far."""

    distance_m: Array
    sum_mm2: Array


def checkpoint_curve(estimated: Trajectory, true: Trajectory, every_m: float = 1.0) -> ErrorCurve:
    """Return the curve over checkpoints ``every_m`` apart on the true trajectory.

    Both trajectories have the same times and the same frame.
    """
    if not every_m > 0:
        raise EvaluationError(f"checkpoints must lie more than 0 m apart, got {every_m:g}")
    way = true.distances
    marks = np.arange(every_m, way[-1] + 1e-9, every_m) if len(true) else np.zeros(0)
    at = np.minimum(np.searchsorted(way, marks), max(0, len(true) - 1))
    off_mm = 1000.0 * np.linalg.norm(estimated.positions[at] - true.positions[at], axis=1)
    return ErrorCurve(marks, np.cumsum(off_mm**2))


def read_curve(path: Path) -> ErrorCurve:
    """Read a curve measured elsewhere: two columns, metres and mm^2, with or without a header."""
    try:
        text = path.read_text("utf-8")
        head = text.lstrip()[:1]
        skip = 0 if head.isdigit() or head in "+-.#" else 1
        rows = np.loadtxt(text.splitlines(), delimiter=",", ndmin=2, skiprows=skip)
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path}: cannot be read as an error curve: {error}") from None
    if rows.shape[1] != 2 or not np.isfinite(rows).all():
        raise EvaluationError(f"{path}: expected lines of two numbers, metres and mm^2")
    return ErrorCurve(rows[:, 0], rows[:, 1])
