"""Trajectory errors: absolute (ATE) and relative (RPE) pose error."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import EvaluationError
from outrider.core.frames import Array, Pose, quaternion_from_matrix
from outrider.core.rotations import inverse, product, turned
from outrider.core.structure import Data
from outrider.evaluation.measures.statistics import spread_of, summary
from outrider.evaluation.measures.trajectory import Trajectory

Alignment: TypeAlias = Literal["none", "origin", "rigid", "similar"]


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """One error per pose, or per pair of poses."""

    times_ns: NDArray[np.int64]
    position_m: Array
    rotation_deg: Array


def paired(estimated: Trajectory, true: Trajectory) -> tuple[Trajectory, Trajectory]:
    """Return the estimate at times within the truth, and the truth at those times."""
    known = estimated.inside(true)
    return known, true.at(known.times_ns)


def aligned(estimated: Trajectory, true: Trajectory, how: Alignment = "origin") -> Trajectory:
    """Return the estimate aligned to the truth; both have the same times.

    ``origin`` puts the first poses on one another, ``rigid`` and ``similar`` find the best fit of
    all places (Umeyama), the second with a scale, as a single camera needs it.
    """
    if how == "none":
        return estimated
    if how == "origin":
        return estimated.moved(true.pose(0) @ estimated.pose(0).inverse())
    T, scale = best_fit(estimated.positions, true.positions, scaled=how == "similar")
    return estimated.moved(T, scale)


def absolute_errors(estimated: Trajectory, true: Trajectory) -> Errors:
    """Return the errors of poses with the same times."""
    back = inverse(true.rotations)
    move = np.linalg.norm(estimated.positions - true.positions, axis=1)
    return Errors(true.times_ns, move, _angles_deg(product(back, estimated.rotations)))


def relative_errors(
    estimated: Trajectory, true: Trajectory, delta: float = 1.0, unit: Literal["m", "frames"] = "m"
) -> Errors:
    """Return the errors of motion over consecutive segments of the true trajectory."""
    first, last = _pieces(true, delta, unit)
    went, ought = _motions(estimated, first, last), _motions(true, first, last)
    off = turned(inverse(ought[1]), went[0] - ought[0])
    turn = product(inverse(ought[1]), went[1])
    return Errors(true.times_ns[last], np.linalg.norm(off, axis=1), _angles_deg(turn))


def localization_figures(
    estimated: Trajectory, true: Trajectory, how: Alignment = "origin"
) -> Data | None:
    """Return the section ``localization`` of a result: the errors, with ATE and RPE."""
    known, truth = paired(estimated, true)
    if len(known) < 2:
        return None
    errors = absolute_errors(aligned(known, truth, how), truth)
    best = absolute_errors(aligned(known, truth, "rigid"), truth)
    figures: Data = {
        "position_m": summary(errors.position_m),
        "rotation_deg": summary(errors.rotation_deg),
        "ate_m": spread_of(best.position_m)["rmse"],
        "poses": len(known),
        "path_m": truth.length_m,
    }
    per_metre = relative_errors(known, truth) if truth.length_m >= 1.0 else None
    if per_metre is not None and len(per_metre.position_m):
        figures["rpe_m_per_m"] = spread_of(per_metre.position_m)["rmse"]
        figures["rpe_deg_per_m"] = spread_of(per_metre.rotation_deg)["rmse"]
    return figures


def best_fit(points: Array, onto: Array, *, scaled: bool) -> tuple[Pose, float]:
    """Return the pose and scale that best align points to others (Umeyama 1991)."""
    if len(points) < 3:
        raise EvaluationError(f"a fit needs at least 3 poses, got {len(points)}")
    mean, mean_onto = points.mean(axis=0), onto.mean(axis=0)
    apart, apart_onto = points - mean, onto - mean_onto
    U, D, V = np.linalg.svd(apart_onto.T @ apart / len(points))
    mirror = np.ones(3)
    if np.linalg.det(U) * np.linalg.det(V) < 0:
        mirror[2] = -1.0
    R = U @ np.diag(mirror) @ V
    variance = float((apart**2).sum() / len(points))
    scale = float(D @ mirror) / variance if scaled and variance > 0 else 1.0
    return Pose(mean_onto - scale * R @ mean, quaternion_from_matrix(R)), scale


def _pieces(
    true: Trajectory, delta: float, unit: Literal["m", "frames"]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where segments of the trajectory begin and end, as evo divides it."""
    if unit == "frames":
        ends = np.arange(0, len(true), int(delta))
        return ends[:-1], ends[1:]
    way, cuts, since = true.distances, [0], 0.0
    for index in range(1, len(true)):
        if way[index] - since >= delta:
            cuts.append(index)
            since = float(way[index])
    found = np.array(cuts, np.int64)
    return found[:-1], found[1:]


def _motions(
    way: Trajectory, first: NDArray[np.int64], last: NDArray[np.int64]
) -> tuple[Array, Array]:
    start = way.rotations[first]
    moved = turned(inverse(start), way.positions[last] - way.positions[first])
    return moved, product(inverse(start), way.rotations[last])


def _angles_deg(q: Array) -> Array:
    """Return the rotation angles of quaternions; exact for small ones as well."""
    half = np.arctan2(np.linalg.norm(q[:, :3], axis=1), np.abs(q[:, 3]))
    turned: Array = np.degrees(2.0 * half)
    return turned
