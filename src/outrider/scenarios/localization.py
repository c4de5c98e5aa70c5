"""Localization error: estimated poses compared with the true ones."""

import math
from typing import TypeAlias

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.core.structure import Data

Track: TypeAlias = list[tuple[int, Pose]]  # by time, in nanoseconds


def localization_errors(estimated: Track, true: Track) -> Data | None:
    """Return the errors of the poses, both ways measured from where the first one was said."""
    if not estimated or len(true) < 2:
        return None
    times = np.array([t for t, _ in true])
    first_ns, first = estimated[0]
    T = _at(true, times, first_ns) @ first.inverse()
    move, turn = [], []
    for time_ns, pose in estimated:
        off = _at(true, times, time_ns).inverse() @ (T @ pose)
        move.append(float(np.linalg.norm(off.position)))
        turn.append(math.degrees(2 * math.acos(min(1.0, abs(float(off.rotation[3]))))))
    return {"position_m": _summary(np.array(move)), "rotation_deg": _summary(np.array(turn))}


def _at(true: Track, times: Array, time_ns: int) -> Pose:
    after = int(np.clip(np.searchsorted(times, time_ns), 1, len(times) - 1))
    (t0, before), (t1, later) = true[after - 1], true[after]
    share = float(np.clip((time_ns - t0) / max(1, t1 - t0), 0.0, 1.0))
    nearer = before if share < 0.5 else later
    position = before.position + (later.position - before.position) * share
    return Pose(position, nearer.rotation)


def _summary(values: Array) -> dict[str, float]:
    return {
        "max": float(values.max()),
        "mean": float(values.mean()),
        "median": float(np.median(values)),
    }
