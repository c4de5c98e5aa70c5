"""Trajectories: poses over time as arrays, interpolated, aligned, read from TUM files."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import EvaluationError
from outrider.core.files.atomic_file import write_whole
from outrider.core.frames import Array, Pose
from outrider.core.rotations import product

_HEADER = "# time s, x y z m, quaternion x y z w\n"


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Poses of one body, by time."""

    times_ns: NDArray[np.int64]
    positions: Array  # (n, 3)
    rotations: Array  # (n, 4), x y z w, of length one

    @classmethod
    def of(cls, poses: Iterable[tuple[int, Pose]]) -> Self:
        """Make one from poses; of two at one time the later one counts."""
        rows = sorted(dict(poses).items())
        return cls(
            np.array([t for t, _ in rows], np.int64),
            np.array([p.position for _, p in rows], np.float64).reshape(-1, 3),
            np.array([p.rotation for _, p in rows], np.float64).reshape(-1, 4),
        )

    def __len__(self) -> int:
        return len(self.times_ns)

    @property
    def distances(self) -> Array:
        """The distance driven up to every pose (m)."""
        steps = np.linalg.norm(np.diff(self.positions, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])[: len(self)]

    @property
    def length_m(self) -> float:
        """The total length."""
        return float(self.distances[-1]) if len(self) else 0.0

    def pose(self, index: int) -> Pose:
        """Return one pose."""
        return Pose(self.positions[index], self.rotations[index])

    def moved(self, T: Pose, scale: float = 1.0) -> "Trajectory":
        """Return the trajectory scaled, then transformed: every pose is ``T @ pose``."""
        return Trajectory(
            self.times_ns, T.apply(scale * self.positions), product(T.rotation, self.rotations)
        )

    def at(self, times_ns: NDArray[np.int64]) -> "Trajectory":
        """Return interpolated poses at other times; outside, the nearest."""
        if len(self) == 1:
            one = np.zeros(len(times_ns), np.int64)
            return Trajectory(times_ns, self.positions[one], self.rotations[one])
        after = np.clip(np.searchsorted(self.times_ns, times_ns), 1, len(self) - 1)
        t0, t1 = self.times_ns[after - 1], self.times_ns[after]
        share = np.clip((times_ns - t0) / (t1 - t0), 0.0, 1.0)[:, None]
        low, high = self.positions[after - 1], self.positions[after]
        turned = _slerp(self.rotations[after - 1], self.rotations[after], share)
        return Trajectory(times_ns, low + share * (high - low), turned)

    def inside(self, other: "Trajectory") -> "Trajectory":
        """Return the poses at times that another trajectory covers."""
        if not len(other):
            return self.only(np.zeros(len(self), np.bool_))
        t = self.times_ns
        return self.only((t >= other.times_ns[0]) & (t <= other.times_ns[-1]))

    def only(self, chosen: NDArray[np.bool_] | slice) -> "Trajectory":
        """Return some of the poses."""
        return Trajectory(self.times_ns[chosen], self.positions[chosen], self.rotations[chosen])


def write_tum(path: Path, trajectory: Trajectory) -> None:
    """Write a TUM file: time, position and rotation per line."""
    rows = zip(trajectory.times_ns, trajectory.positions, trajectory.rotations, strict=True)
    lines = [
        f"{t // 10**9}.{t % 10**9:09d} " + " ".join(f"{v:.9g}" for v in (*p, *q))
        for t, p, q in rows
    ]
    write_whole(path, (_HEADER + "\n".join(lines) + "\n").encode())


def read_tum(path: Path) -> Trajectory:
    """Read a TUM file; any other file is refused in one sentence."""
    try:
        rows = np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path}: cannot be read as a trajectory: {error}") from None
    if not rows.size:
        return Trajectory.of([])
    if rows.shape[1] != 8:
        raise EvaluationError(f"{path}: expected 8 numbers in a line, got {rows.shape[1]}")
    times = np.round(rows[:, 0] * 1e9).astype(np.int64)
    lengths = np.linalg.norm(rows[:, 4:], axis=1, keepdims=True)
    if not np.isfinite(rows).all() or not (lengths > 0).all() or (np.diff(times) <= 0).any():
        raise EvaluationError(f"{path}: times must increase, and all poses must be finite")
    return Trajectory(times, rows[:, 1:4], rows[:, 4:] / lengths)


def _slerp(a: Array, b: Array, share: Array) -> Array:
    cosine = (a * b).sum(axis=1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-9
    safe = np.where(small, 1.0, sine)
    first = np.where(small, 1.0 - share, np.sin((1.0 - share) * angle) / safe)
    second = np.where(small, share, np.sin(share * angle) / safe)
    mixed = first * a + second * b
    unit: Array = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return unit
